"""Two sentences and the lines between their words."""

import pytest

from course_lab.figures.drawn.linked import FAINTEST, THICKEST, THINNEST, Sentences, linked
from course_lab.figures.drawn.parts import Arrow, Label

PAIR = Sentences(["now", "she", "waits", "."], ["jetzt", "wartet", "sie", "."], {"wartet": "waits"})


def drawn(links, **how):
    return linked("small", "A title", PAIR, links, **how)


def ways(drawing):
    return [part for part in drawing.parts if isinstance(part, Arrow)]


def test_a_line_joins_the_two_words_and_is_as_thick_as_its_weight():
    drawing = drawn({(0, 0): 1.0, (2, 1): FAINTEST, (1, 2): FAINTEST - 1e-6})
    at = {part.text: part.x for part in drawing.parts if isinstance(part, Label)}
    thin, thick = ways(drawing)
    assert [point[0] for point in thick.points] == [at["now"], at["jetzt"]]
    assert thick.wide == THICKEST
    # The gloss stands right below its word, and the thin line leads to that word.
    assert thin.points[1][0] == at["wartet"]
    assert thin.wide == pytest.approx(THINNEST + FAINTEST * (THICKEST - THINNEST))


def test_wrong_links_have_the_colour_of_what_is_wrong_and_missed_ones_are_dashed():
    drawing = drawn({(0, 0): 1.0, (3, 1): 1.0}, wrong={(3, 1)}, missed={(2, 1)})
    assert [(way.role, way.dashed) for way in ways(drawing)] == [
        ("muted", True),
        ("weight", False),
        ("frame", False),
    ]
    assert "“jetzt” with “now”; “wartet” with “.” (wrong); “sie” with no word" in (
        drawing.description
    )
    assert drawing.description.endswith("Missed: “wartet” with “waits”.")


def test_a_possible_link_is_as_thick_as_a_sure_one_and_hollow():
    drawing = drawn({(0, 0): 1.0, (2, 1): 1.0}, possible={(2, 1)})
    sure, outside, inside = ways(drawing)
    assert (outside.role, outside.wide) == (sure.role, sure.wide) == ("weight", THICKEST)
    assert (inside.role, inside.points) == ("ground", outside.points)
    assert 2 <= inside.wide < outside.wide - 2
    assert "“wartet” with “waits” (possible)" in drawing.description
    assert "“jetzt” with “now”;" in drawing.description
