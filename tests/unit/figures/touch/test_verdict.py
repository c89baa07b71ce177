"""Change a word: the tables that stand without a script, and what is refused."""

from course_lab.figures.touch.verdict import Menus, verdict

MENUS = Menus({"who": ("a dog", "a cat"), "does": ("sleeps",)}, (0, 0), (1, 0))
PAIR = {"premise": ["∅", "a", "dog"], "hypothesis": ["∅", "a"]}
WEIGHTS = [[0.2, 0.5, 0.3], [0.0, 1.0, 0.0]]


def drawn(**changes):
    given = {**PAIR, "weights": WEIGHTS, "shares": [0.7, 0.2, 0.1], **changes}
    return verdict(b"net", ["∅", "a", "dog"], MENUS, ("yes", "open", "no"), **given)


def test_it_says_and_shows_the_verdict_and_the_looks():
    figure = drawn()
    assert "hypothesis “a”: yes 0.70, open 0.20, no 0.10." in figure.alt
    html = figure._repr_html_()
    for part in ('scope="row">yes</th>', ">0.70<", 'scope="col">dog</th>', ">.30<"):
        assert part in html
    assert repr(figure).startswith("<Figure to touch")
