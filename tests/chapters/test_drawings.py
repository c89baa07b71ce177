"""Each drawing can be read, wears the page's colours and is shown; its picture is up to date."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tools.drawings import DRAWINGS, picture_of, stale

ROOT = Path(__file__).parents[2]
FILES = sorted(DRAWINGS.glob("*.svg"))
SVG = "{http://www.w3.org/2000/svg}"
COLOUR = re.compile(r"#[0-9a-f]{3,8}\b|(?:rgb|hsl)a?\(|(?:fill|stroke)[:=]\"?(?!var|none)\w+", re.I)
PALETTE = (ROOT / "book" / "_static" / "palette.css").read_text(encoding="utf-8")
LIGHT = dict(re.findall(r"(--course-[\w-]+): (#\w+);", PALETTE.partition("}")[0]))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_drawing_has_words_and_no_colours_of_its_own(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    root = ElementTree.fromstring(text)
    assert all(root.findtext(f"{SVG}{tag}", "").strip() for tag in ("title", "desc"))
    colours = re.findall(r"var\((--course-[\w-]+),\s*(#\w+)\)", text)
    assert colours
    assert set(colours) <= set(LIGHT.items())
    rest = re.sub(r"var\(--course-[\w-]+,\s*#\w+\)|color-mix\(", "var", text)
    assert COLOUR.findall(rest) == []
    # A class that no rule colours would be drawn in black.
    worn = {name for e in root.iter(f"{SVG}g") for name in e.get("class", "").split()}
    assert worn <= set(re.findall(r"\.course-drawing(?::hover)? \.(\w+)\{", text))


def test_every_drawing_is_shown_and_every_link_has_its_file():
    pages = [*(ROOT / "book").glob("*.md"), *(ROOT / "book" / "chapters").glob("*.md")]
    text = "".join(path.read_text(encoding="utf-8") for path in pages)
    shown = set(re.findall(r"\]\((?:[\w./]*/)?drawings/(\w+)\.\w+\)", text))
    assert shown == {path.stem for path in FILES}
    assert {path.stem for path in picture_of(FILES[0]).parent.iterdir()} == shown


def test_the_notebooks_pictures_show_the_drawings_as_they_are():
    assert [path.name for path in stale()] == []  # else: make drawings
