"""A table reads the same on the page, aloud and as text, and marks what is best."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np

from course_lab.figures.still.table import Column, Table
from tools.notebooks.tolerance import Tolerance, agrees

EXACT = Column("exact match", unit="share", best="highest", margin=0.01)
STEPS = Column("updates", best="lowest")
ROWS = {"Cho": (0.111, 1200), "Bahdanau": (0.9712, 800), "twin": (0.9651, None)}


def table(rows=None, columns=(EXACT, STEPS), caption="Attention <wins>"):
    return Table(caption, "model", columns, ROWS if rows is None else rows)


def parsed(made: Table) -> ElementTree.Element:
    return ElementTree.fromstring(made._repr_html_().replace("<br>", "<br/>"))


def said(cell: ElementTree.Element) -> str:
    """What is read aloud."""
    for part in cell.iter():
        if part.get("aria-hidden"):
            part.text = ""
    return "".join(cell.itertext())


def test_as_text_it_is_columns_with_a_star_at_the_best():
    assert repr(table()).splitlines() == [
        "Attention <wins>",
        "model     exact match (share)  updates",
        "Cho                      0.11    1,200",
        "Bahdanau                0.97*     800*",
        "twin                    0.97*        –",
        "* best",
    ]


def test_every_header_has_its_scope_and_the_caption_comes_first():
    found = parsed(table())
    (inner,) = found
    assert inner[0].tag == "caption"
    assert inner[0].text == "Attention <wins>"
    assert [th.get("scope") for th in found.iter("th")] == ["col"] * 3 + ["row"] * 3
    assert [th.text for th in found.iter("th")][3:] == ["Cho", "Bahdanau", "twin"]
    assert [small.text for small in found.iter("small")] == ["share"]


def test_the_best_is_bold_and_said_and_so_is_what_was_not_measured():
    cells = [[*row.iter("td")] for row in parsed(table()).iter("tr")][1:]
    assert [[cell.find("strong") is not None for cell in row] for row in cells] == [
        [False, False],
        [True, True],
        [True, False],
    ]
    assert [[said(cell) for cell in row] for row in cells] == [
        ["0.11", "1,200"],
        ["0.97, best", "800, best"],
        ["0.97, best", "not measured"],
    ]


def test_a_margin_keeps_the_mark_still():
    close = {"a": (0.90, 1), "b": (0.88, 1)}
    for margin, stars in ((0.0, 1), (0.01, 1), (0.02, 2)):
        shown = repr(table(close, (EXACT._replace(margin=margin), Column("n"))))
        assert len(re.findall(r"\d\*", shown)) == stars


def test_nan_is_never_the_best_and_numbers_of_numpy_count():
    rows = {"a": (np.float32(0.5), np.int64(3)), "b": (float("nan"), 4)}
    shown = repr(table(rows)).splitlines()
    assert shown[2].split() == ["a", "0.50*", "3*"]
    assert shown[3].split() == ["b", "nan", "4"]


def test_nbval_compares_its_numbers_with_the_tolerance_of_the_cell():
    moved = {**ROWS, "Cho": (0.131, 1200)}
    counted = {**ROWS, "Cho": (0.111, 1201)}
    for shown in (repr, Table._repr_html_):
        stored = shown(table())
        assert agrees(stored, shown(table(moved)), Tolerance(absolute=0.03))
        assert not agrees(stored, shown(table(moved)), Tolerance(absolute=0.01))
        assert not agrees(stored, shown(table(counted)), Tolerance(absolute=0.03))
        assert not agrees(stored, shown(table(caption="Other")), Tolerance(absolute=0.03))
