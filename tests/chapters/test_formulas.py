"""Formulas of the chapters are written so that everybody sees them."""

import re

import pytest

from tools.project import ROOT

CHAPTERS = sorted((ROOT / "book" / "chapters").glob("*.md"))


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_jupyter_shows_them_too(path):
    """JupyterLab and Colab know dollars and show a directive as code."""
    assert "{math}" not in path.read_text(encoding="utf-8")


def test_those_in_the_colours_of_roles_stand_in_a_chapter():
    text = "\n".join(path.read_text(encoding="utf-8") for path in CHAPTERS)
    labels = set(re.findall(r"^\s*\$\$ \(([\w-]+)\)$", text, re.MULTILINE))
    assert len(labels) > 20
    source = (ROOT / "book/_ext/course_book/formulas.py").read_text(encoding="utf-8")
    coloured = re.search(r"BY_ROLE = frozenset\(\{(.*?)\}\)", source)[1]
    assert set(re.findall(r'"([\w-]+)"', coloured)) <= labels
