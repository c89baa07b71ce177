"""Heads to switch: the tables that stand without a script, and what is refused."""

from course_lab.figures.touch.switches import FirstAnswers, switches

LOOKS = [[[0.2, 0.5, 0.3], [0.0, 1.0, 0.0]]]


def drawn(looks=LOOKS, shares=(0.7, 0.2)):
    return switches(
        b"net",
        ["<gap>", "a", "dog", "sleeps", "waits"],
        [(("a", "dog", "sleeps"), 2), (("a", "dog", "waits"), 1)],
        heads=2,
        gap_token=0,
        shown=2,
        usual=[[[0.0, 0.1], [0.2, 0.0]]],
        opening=FirstAnswers(["sleeps", "waits"], shares, looks),
    )


def test_it_says_and_shows_answers_and_looks():
    figure = drawn()
    assert "“a dog ___”: sleeps 0.70, waits 0.20." in figure.alt
    html = figure._repr_html_()
    for part in ('scope="row">sleeps</th>', ">0.70<", 'scope="col">(gap)</th>', ">.50<"):
        assert part in html
    assert "layer 1, head 2" in html
    assert repr(figure) == "<Figure to touch: A sentence with a gap, and 2 heads to switch off>"
