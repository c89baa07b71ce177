"""What a page gives its reader: the line at its top, words of the glossary, links to cells."""

import re

import pytest
from course_book import cell_links, code_folds, front, glossary_links, prose_folds, texts
from nbformat.v4 import new_code_cell, new_markdown_cell

from tests.gates.conftest import chapter

PARTS = (code_folds, prose_folds, front, glossary_links, cell_links, texts)
INDEX = "# Book\n\n```{toctree}\nglossary\nnotebooks/01_chapter\n```\n"
GLOSSARY = """\
# Glossary

:::{glossary}
mask
  Says where attention may look, $m < 1$ & more.

attention mask
  A longer word.

key
  What a query is compared with.
:::
"""
FIRST = """\
# 1. A chapter with a mask

Two masks and a mask, an attention mask; a `key`, the key, then *keys*.

**Your time**: two hours with pencil and exercises.

**Running time**: about two
minutes on two CPU cores, most of it training.
"""


@pytest.fixture
def page_of(sphinx):
    """A function that gives the page of one chapter."""

    def build(*cells, options=None):
        notebook = chapter(new_markdown_cell(FIRST), *cells)
        names = {"index.md": INDEX, "glossary.md": GLOSSARY, "notebooks/01_chapter.ipynb": notebook}
        return sphinx(names, *PARTS, page="notebooks/01_chapter", options=options)[0]

    return build


def line_of(page: str) -> str:
    return re.search(r'<p class="chapter-line">(.*?)</p>', page, re.DOTALL)[1]


def test_the_line_says_how_long_and_gives_the_notebook(page_of):
    page = page_of()
    line = line_of(page)
    text = re.sub(r"<[^>]*>", "", line)
    read = re.sub(r"<[^>]*>", "", page)
    assert "Running time" not in read
    assert "Your time" not in read
    assert text == (
        "Two hours with pencil and exercises · about two minutes to run · Download the notebook"
    )
    assert re.search(r'href="\.\./_downloads/[^"]*/01_chapter\.ipynb"', line)
    assert page.index("chapter-line") > page.index("</h1>")
    assert "http" not in line


def test_a_word_is_linked_once_where_it_is_first_used(page_of):
    page = page_of(new_markdown_cell("Once more a mask."))
    links = re.findall(r'<a class="glossary-word[^>]*href="([^"]*)">([^<]*)</a>', page)
    assert links == [
        ("../glossary.html#term-mask", "masks"),
        ("../glossary.html#term-attention-mask", "attention mask"),
        ("../glossary.html#term-key", "keys"),
    ]
    assert page.index("<em><a") > page.index("the key")


def test_a_cell_keeps_its_link_while_others_change(page_of):
    def ids(*cells):
        return re.findall(r'<a class="cell-link" href="#(cell-[^"]*)"', page_of(*cells))

    kept = new_code_cell("x = 1", id="aaaa1111")
    before = ids(kept, new_code_cell("y = 2", id="bbbb2222"))
    after = ids(new_markdown_cell("New."), new_code_cell("z", id="cccc3333"), kept)
    assert before == ["cell-aaaa1111", "cell-bbbb2222"]
    assert after == ["cell-cccc3333", "cell-aaaa1111"]
    page = page_of(kept)
    assert re.search(r'<div class="cell[^"]*" id="cell-aaaa1111"', page)
