"""What is folded in a page: code cells under a name, and parts of the text."""

import importlib
import io
import re
import sys
import types

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from sphinx.application import Sphinx

from tools.project import ROOT

OPEN = "<details><summary>Deeper: which &amp; why?</summary>"
CLOSE = "</details>"


def code(source, *tags, **metadata):
    return new_code_cell(source, execution_count=1, metadata={"tags": list(tags), **metadata})


@pytest.fixture(scope="module")
def parts():
    sys.path.insert(0, str(ROOT / "book" / "_ext"))
    try:
        names = ("code_folds", "prose_folds")
        return [importlib.import_module(f"course_book.{name}") for name in names]
    finally:
        sys.path.remove(str(ROOT / "book" / "_ext"))


def _register(app, parts):
    for part in parts:
        part.setup(app)


@pytest.fixture
def page_of(tmp_path, parts):
    """A function that gives the page of a notebook, and what Sphinx said: no theme, a second."""
    alone = types.ModuleType("course_folds_alone")
    alone.setup = lambda app: _register(app, parts)
    sys.modules[alone.__name__] = alone

    def build(*cells):
        notebook = new_notebook(
            cells=[new_markdown_cell("# 1. A chapter\n\nA question."), *cells],
            metadata={"language_info": {"name": "python"}},
        )
        nbformat.write(notebook, tmp_path / "index.ipynb")
        settings = {"extensions": ["myst_nb", alone.__name__], "nb_execution_mode": "off"}
        settings["myst_enable_extensions"] = ["dollarmath"]
        places = (tmp_path, None, tmp_path / "html", tmp_path / "trees", "html")
        said = io.StringIO()
        Sphinx(*places, settings, status=None, warning=said).build()
        # A second app in one process registers Sphinx's own nodes again, and says so.
        lines = [line for line in said.getvalue().splitlines() if "setting up ext" not in line]
        return (tmp_path / "html" / "index.html").read_text(encoding="utf-8"), "\n".join(lines)

    yield build
    del sys.modules[alone.__name__]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import torch\nfrom a import b\n\ntorch.set_num_threads(1)", "Imports"),
        ("import torch\nx = 1", None),
        ("low = 1\nclaim('C01', 'holds', low > 0, 'low 1')", "Code behind the verdict"),
        ("claims('C01')", None),
        ("from course_lab.figures.still.curve import draw\ndraw()", "Code of the figure"),
        ("from course_lab.figures.still.table import Table\nTable()", "Code of the table"),
        ("%pip install x", None),
        ("", None),
    ],
)
def test_a_kind_of_code_has_a_name(parts, source, name):
    assert parts[0].name_of(source) == name


def test_a_tagged_cell_is_folded_under_its_name_and_no_other_is(page_of):
    page, said = page_of(
        code("import math", "fold"),
        code("import this"),
        code("x = 1", fold="Four <more> seeds"),
        code("from course_lab.figures.still.a import b", "fold", fold="The curve"),
    )
    names = re.findall(r'<p class="collapsed admonition-title">(.*?)</p>', page)
    assert names == ["Imports", "Four &lt;more&gt; seeds", "The curve"]
    assert page.count("<details") == 3
    assert said == ""


def test_a_folded_cell_without_a_name_is_refused(page_of):
    _, said = page_of(code("x = 1", "fold"))
    assert "WARNING: a folded cell has no name" in said


def test_a_part_of_the_text_is_one_element_that_can_be_linked_to(page_of):
    page, said = page_of(
        new_markdown_cell(f"Before.\n\n{OPEN}\n\nIn *it* $x$.\n"),
        code("x = 1"),
        new_markdown_cell(f"More.\n\n{CLOSE}\n\nAfter, [there](#deeper-which-why)."),
    )
    fold = re.search(r'<details class="fold"[^>]*>(.*?)</details>', page, re.DOTALL)
    assert 'id="deeper-which-why"' in fold[0]
    assert "<summary>Deeper: which &amp; why?</summary>" in fold[1]
    for inside in ("<em>it</em>", "math notranslate", "cell_input", "More."):
        assert inside in fold[1], inside
    assert "Before." not in fold[1]
    assert "After" not in fold[1]
    assert 'href="#deeper-which-why"' in page
    assert said == ""


def test_one_fold_may_stand_in_another(page_of):
    inner = f"<details><summary>Inner</summary>\n\nDeep.\n\n{CLOSE}"
    page, said = page_of(new_markdown_cell(f"{OPEN}\n\n{inner}\n\nOuter text.\n\n{CLOSE}\n"))
    outer = page.index('id="deeper-which-why"')
    assert outer < page.index('id="inner"') < page.index("Deep.") < page.index("Outer text.")
    assert page.count("</details>") == page.count('<details class="fold"') == 2
    assert said == ""


@pytest.mark.parametrize("text", [f"{OPEN}\n\nNever closed.\n", f"Never opened.\n\n{CLOSE}\n"])
def test_half_a_fold_is_refused(page_of, text):
    _, said = page_of(new_markdown_cell(text))
    assert re.search(r"index\.ipynb:\d+: WARNING: a fold (does not end|ends that)", said)
