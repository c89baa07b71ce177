"""The net that writes: what stands without a script, and what is refused."""

from course_lab.figures.touch.forecast import forecast

WORDS = ["<s>", "cats", "sleep", "."]
FOLLOWING = {"cats": {"sleep": 0.75, ".": 0.25}, "": {"cats": 1.0, "sleep": 0.0}}


SUMS = {"verbs": ["sleep"]}


def drawn(following=FOLLOWING, sums=SUMS):
    return forecast(b"net", WORDS, following, {0.5: ["cats sleep ."]}, sums=sums, stop=".", most=5)


def test_its_tables_hold_next_words_and_written_sentences():
    figure = drawn()
    assert figure.alt.endswith("After “cats” it gives most to: sleep 0.75, . 0.25.")
    html = figure._repr_html_()
    for part in ("<td>sleep 0.75</td>", 'scope="row">(nothing)</th>', "<td>cats sleep .</td>"):
        assert part in html
    assert '"stop":3' in html
    assert '"beginnings":[[1],[]]' in html
    assert '"sums":[["verbs",[2]]]' in html
