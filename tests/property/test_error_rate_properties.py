"""The error rate stays in its bounds and moves the right way when one link changes."""

from hypothesis import assume, given
from hypothesis import strategies as st

from course_lib.alignment.error_rate import link_metrics

LINKS = st.frozensets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)
SENTENCE = st.tuples(LINKS, LINKS, LINKS).map(
    lambda links: (links[0], links[1], links[1] | links[2])
)
CORPUS = st.lists(SENTENCE, min_size=1, max_size=6)


def columns(corpus):
    predicted, sure, possible = (list(column) for column in zip(*corpus, strict=True))
    assume(sum(map(len, predicted)) + sum(map(len, sure)) > 0)
    return predicted, sure, possible


@given(CORPUS)
def test_scores_lie_between_0_and_1(corpus):
    metrics = link_metrics(*columns(corpus))
    assert all(-1e-12 <= value <= 1 + 1e-12 for value in metrics)


@given(CORPUS)
def test_where_all_possible_links_are_sure_it_is_one_minus_f1(corpus):
    predicted, sure, _ = columns(corpus)
    precision, recall, error_rate = link_metrics(predicted, sure, sure)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    assert abs(error_rate - (1 - f1)) < 1e-12


@given(CORPUS)
def test_a_missing_sure_link_never_hurts_when_added(corpus):
    predicted, sure, possible = columns(corpus)
    missing = sorted(sure[0] - predicted[0])
    assume(missing)
    before = link_metrics(predicted, sure, possible).error_rate
    predicted[0] = predicted[0] | {missing[0]}
    assert link_metrics(predicted, sure, possible).error_rate <= before + 1e-12


@given(CORPUS)
def test_a_wrong_link_never_helps_when_added(corpus):
    predicted, sure, possible = columns(corpus)
    before = link_metrics(predicted, sure, possible)
    predicted[0] = predicted[0] | {(9, 9)}
    after = link_metrics(predicted, sure, possible)
    assert after.error_rate >= before.error_rate - 1e-12
    assert after.recall == before.recall


@given(CORPUS, st.randoms(use_true_random=False))
def test_the_order_of_sentences_does_not_matter(corpus, random):
    before = link_metrics(*columns(corpus))
    random.shuffle(corpus)
    assert link_metrics(*columns(corpus)) == before
