"""What is folded in a page: code cells under a name, and parts of the text."""

import re

import pytest
from course_book import code_folds, prose_folds
from nbformat.v4 import new_code_cell, new_markdown_cell

from tests.gates.conftest import chapter

OPEN = "<details><summary>Deeper: which &amp; why?</summary>"
CLOSE = "</details>"


def code(source, *tags, **metadata):
    return new_code_cell(source, execution_count=1, metadata={"tags": list(tags), **metadata})


@pytest.fixture
def page_of(sphinx):
    """A function that gives the page of a notebook, and what Sphinx said."""

    def build(*cells):
        notebook = chapter(new_markdown_cell("# 1. A chapter\n\nA question."), *cells)
        return sphinx({"index.ipynb": notebook}, code_folds, prose_folds)

    return build


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


@pytest.mark.parametrize("text", [f"{OPEN}\n\nNever closed.\n", f"Never opened.\n\n{CLOSE}\n"])
def test_half_a_fold_is_refused(page_of, text):
    _, said = page_of(new_markdown_cell(text))
    assert re.search(r"index\.ipynb:\d+: WARNING: a fold (does not end|ends that)", said)
