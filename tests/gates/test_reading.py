"""What a page gives its reader: the line at its top, words of the glossary, links to cells."""

import importlib
import io
import json
import re
import sys
import types

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from sphinx.application import Sphinx

from tools.project import ROOT

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

**Running time**: about two
minutes on two CPU cores, most of it training.
"""
FOLD = f"<details><summary>Deeper</summary>\n\n{'folded ' * 900}\n\n</details>"
ADDRESS = {
    "repository_url": "https://github.com/someone/course",
    "repository_branch": "published",
    "launch_buttons": {
        "colab_url": "https://colab.research.google.com",
        "binderhub_url": "https://mybinder.org",
    },
}


@pytest.fixture(scope="module")
def parts():
    sys.path.insert(0, str(ROOT / "book" / "_ext"))
    try:
        names = ("code_folds", "prose_folds", "front", "glossary_links", "cell_links", "texts")
        return {name: importlib.import_module(f"course_book.{name}") for name in names}
    finally:
        sys.path.remove(str(ROOT / "book" / "_ext"))


@pytest.fixture
def page_of(tmp_path, parts):
    """A function that gives the page of one chapter."""

    def setup(app):
        for part in parts.values():
            part.setup(app)

    alone = types.ModuleType("course_reading_alone")
    alone.setup = setup
    sys.modules[alone.__name__] = alone

    def build(*cells, options=None):
        folder = tmp_path / f"book{len(list(tmp_path.iterdir()))}"
        (folder / "notebooks").mkdir(parents=True)
        index = "# Book\n\n```{toctree}\nglossary\nnotebooks/01_chapter\n```\n"
        (folder / "index.md").write_text(index)
        (folder / "glossary.md").write_text(GLOSSARY)
        notebook = new_notebook(
            cells=[new_markdown_cell(FIRST), *cells],
            metadata={"language_info": {"name": "python"}},
        )
        nbformat.write(notebook, folder / "notebooks" / "01_chapter.ipynb")
        settings = {
            "extensions": ["myst_nb", alone.__name__],
            "nb_execution_mode": "off",
            # Another book that was built in this process would have left its own.
            "source_suffix": {".md": "myst-nb", ".ipynb": "myst-nb"},
            "myst_enable_extensions": ["dollarmath", "colon_fence"],
        }
        places = (folder, None, folder / "html", folder / "trees", "html")
        app = Sphinx(*places, settings, status=None, warning=io.StringIO())
        app.config.html_theme_options = options or {}
        app.build()
        return (folder / "html" / "notebooks" / "01_chapter.html").read_text(encoding="utf-8")

    yield build
    del sys.modules[alone.__name__]


def line_of(page: str) -> str:
    return re.search(r'<p class="chapter-line">(.*?)</p>', page, re.DOTALL)[1]


def test_the_line_says_how_long_and_gives_the_notebook(page_of):
    page = page_of(new_markdown_cell("word " * 485), new_markdown_cell(FOLD))
    line = line_of(page)
    text = re.sub(r"<[^>]*>", "", line)
    # 485 words and the first cell's 15; what is folded is not on the main path.
    assert "Running time" not in re.sub(r"<[^>]*>", "", page)
    assert text == ("About 3 minutes to read · about two minutes to run · Download the notebook")
    assert re.search(r'href="\.\./_downloads/[^"]*/01_chapter\.ipynb"', line)
    assert page.index("chapter-line") > page.index("</h1>")
    assert "http" not in line


def test_code_in_view_takes_its_time_and_code_in_a_fold_none(page_of):
    seen, more, folded, hidden = (new_code_cell(f"print({i})") for i in range(4))
    folded.metadata["fold"] = "What it does"
    folded.metadata["tags"], hidden.metadata["tags"] = ["fold"], ["hide-cell"]
    line = line_of(page_of(new_markdown_cell("word " * 485), seen, folded, hidden, more))
    assert "About 5 minutes to read with the code ·" in line


def test_the_running_time_within_a_paragraph_stays(page_of):
    page = page_of(new_markdown_cell("**Running time**: an hour on two CPU cores, at night."))
    assert "about two minutes to run" in line_of(page)
    assert "an hour on two CPU cores" in page


def test_colab_and_binder_stand_there_once_the_address_is_known(page_of):
    line = line_of(page_of(options=ADDRESS))
    assert (
        'href="https://colab.research.google.com/github/someone/course/blob/published/'
        'notebooks/01_chapter.ipynb"'
    ) in line
    assert (
        'href="https://mybinder.org/v2/gh/someone/course/published?urlpath='
        'lab/tree/notebooks/01_chapter.ipynb"'
    ) in line
    elsewhere = {**ADDRESS, "repository_url": "https://example.org/someone/course"}
    assert "Colab" not in line_of(page_of(options=elsewhere))


def test_a_word_is_linked_once_where_it_is_first_used(page_of):
    page = page_of(new_markdown_cell("Once more a mask."))
    links = re.findall(r'<a class="glossary-word[^>]*href="([^"]*)">([^<]*)</a>', page)
    assert links == [
        ("../glossary.html#term-mask", "masks"),
        ("../glossary.html#term-attention-mask", "attention mask"),
        ("../glossary.html#term-key", "keys"),
    ]
    assert page.index("<em><a") > page.index("the key")


def test_cards_hold_the_sentence_and_the_formula_of_each_word(page_of):
    page = page_of()
    data = re.search(r'class="glossary-cards">(.*?)</script>', page, re.DOTALL)[1]
    cards = json.loads(data)
    assert set(cards) == {"term-mask", "term-attention-mask", "term-key"}
    assert cards["term-mask"].startswith("Says where attention may look, <math")
    assert "&amp; more." in cards["term-mask"]


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
