"""What a page says of itself, without an address and with one, on a small book."""

import re
import struct

import nbformat
import pytest
from course_book import published
from nbformat.v4 import new_markdown_cell, new_notebook

from tools import address, book
from tools.gates import outside, web_pages

REPOSITORY = "https://github.com/Example/course"
BASE = "https://example.github.io/course/"
WAITING = r'<template class="course-project">.*?</template>'
TEXT = """# A chapter: $\\alpha_{ij}$

:::{admonition} Note
Aside.
:::

The weights $\\alpha_{ij}$ say "how much" & where; run `python -m this now`, (`make all of it`), and
read on.
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory, copy_book_parts):
    folder = tmp_path_factory.mktemp("course")
    for name in ("book", "notebooks"):
        (folder / name).mkdir()
    copy_book_parts(folder)
    cells = [new_markdown_cell(TEXT)]
    python = {"language_info": {"name": "python"}}
    chapter = new_notebook(cells=cells, metadata=python)
    nbformat.write(chapter, folder / "notebooks" / "01_chapter.ipynb")
    toc = "format: jb-book\nroot: book/index\nchapters:\n  - file: notebooks/01_chapter\n"
    (folder / "_toc.yml").write_text(toc)
    (folder / "book" / "index.md").write_text("# A book\n\nThe first sentence of it.\n")
    return folder


def built(root, repository: str) -> dict[str, str]:
    """Every file of text that a build with this address makes."""
    address.write(repository, root / "_config.yml")
    folder = book.build(root).parent
    names = [*folder.rglob("*.html"), *folder.glob("*.xml")]
    return {p.relative_to(folder).as_posix(): p.read_text(encoding="utf-8") for p in names}


def meta(page: str) -> dict[str, str]:
    """What the head of a page says: name to content."""
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', page)
    return dict(found)


@pytest.fixture(scope="module")
def bare(root):
    return built(root, "")


@pytest.fixture(scope="module")
def addressed(root, bare):
    files = built(root, REPOSITORY)
    html = root / "_build" / "html"
    files["card"] = (html / "_static" / "card.png").read_bytes()[:24].decode("latin-1")
    assert web_pages.dead_links(html) == []
    assert outside.in_folder(html) == []
    return files


def test_without_an_address_nothing_is_invented(bare):
    assert "sitemap.xml" not in bare
    for name, text in bare.items():
        assert "og:url" not in text, name
        assert "og:image" not in text, name
        assert "canonical" not in text, name
        assert "<base" not in text, name
        assert "github.io" not in text, name
    # What waits for an address stands in elements that no browser shows.
    page = bare["notebooks/01_chapter.html"]
    assert len(re.findall(WAITING, page)) == 2
    assert "colab.research" not in re.sub(WAITING, "", page)


@pytest.mark.parametrize("state", ["bare", "addressed"])
def test_a_page_describes_itself_in_plain_text(state, request):
    files = request.getfixturevalue(state)
    told = meta(files["notebooks/01_chapter.html"])
    assert told["description"].startswith("Aside. The weights α_ij say ")
    assert "&amp; where" in told["description"]
    assert told["og:description"] == told["description"]
    assert told["og:title"] == "A chapter: α_ij"
    assert told["og:site_name"] == "From Recurrence to Attention"
    assert meta(files["book/index.html"])["description"] == "The first sentence of it."
    assert "description" not in meta(files["search.html"])


def test_with_an_address_a_page_names_its_own(addressed):
    page = addressed["notebooks/01_chapter.html"]
    told = meta(page)
    assert told["og:url"] == f"{BASE}notebooks/01_chapter.html"
    assert f'<link rel="canonical" href="{told["og:url"]}"' in page
    assert "Example/course/blob/published/notebooks/01_chapter.ipynb" in page
    assert told["og:image"] == f"{BASE}_static/card.png"
    assert told["twitter:card"] == "summary_large_image"
    assert "one vector" in told["og:image:alt"]
    size = struct.unpack(">II", addressed["card"].encode("latin-1")[16:24])
    assert size == (int(told["og:image:width"]), int(told["og:image:height"])) == (1200, 630)


@pytest.mark.parametrize(
    ("repository", "place"),
    [
        ("https://github.com/Example/course", "https://example.github.io/course/"),
        ("https://github.com/Example/Example.github.io", "https://example.github.io/"),
        ("https://gitlab.com/team/course", "https://team.gitlab.io/course/"),
        ("https://code.example.org/team/course", ""),
        ("", ""),
    ],
)
def test_the_books_address_follows_from_the_repositorys_where_a_rule_says_so(repository, place):
    assert published.site(repository) == place
