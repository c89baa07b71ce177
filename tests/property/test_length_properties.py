"""What must hold of the length bins, whatever the numbers."""

from hypothesis import given
from hypothesis import strategies as st

from course_lab.experiments.lab.length import exact_match_by_length

sentences = st.lists(
    st.tuples(
        st.integers(3, 59),
        st.lists(st.integers(0, 2), max_size=4),
        st.lists(st.integers(0, 2), max_size=4),
    ),
    max_size=30,
)


@given(sentences, st.permutations(range(30)))
def test_every_sentence_is_in_exactly_one_bin_in_any_order(rows, order) -> None:
    shuffled = [rows[i] for i in order if i < len(rows)]
    results = []
    for version in (rows, shuffled):
        lengths, hypotheses, references = zip(*version, strict=True) if version else ((), (), ())
        bins = exact_match_by_length(lengths, hypotheses, references, edges=(3, 10, 20, 60))
        assert sum(b.count for b in bins) == len(rows)
        exact = sum(round(b.exact * b.count) for b in bins if b.count)
        assert exact == sum(h == r for _, h, r in rows)
        results.append(bins)
    # NaN is not equal to itself, so the text is compared.
    assert str(results[0]) == str(results[1])
