"""The book's gate: pages that ask other hosts, and a book with a warning."""

import pytest

from tools import book
from tools.address import write
from tools.gates.pages import outside_requests, pages
from tools.project import TaskError


@pytest.mark.parametrize(
    "fetching",
    [
        '<script src="https://cdn.example.org/a.js"></script>',
        '<script async src="//cdn.example.org/a.js"></script>',
        '<link rel="stylesheet" href="https://cdn.example.org/a.css">',
        '<link rel="preload" as="font" href="https://fonts.example.org/a.woff2">',
        '<img alt="a" src="http://example.org/a.png">',
        '<img alt="a" srcset="https://example.org/a.png 2x" src="a.png">',
        '<iframe src="https://example.org/"></iframe>',
        "<style>@import url(https://fonts.example.org/css);</style>",
        '<p style="background: url(//example.org/a.png)">x</p>',
    ],
)
def test_what_a_browser_would_fetch_elsewhere_is_named(tmp_path, fetching):
    (tmp_path / "page.html").write_text(f"<html><body>{fetching}</body></html>")
    (problem,) = outside_requests(tmp_path)
    assert problem.startswith("page.html: fetches ")
    assert "example.org" in problem


@pytest.mark.parametrize(
    "harmless",
    [
        '<a href="https://example.org/">a link</a>',
        '<link rel="canonical" href="https://example.org/">',
        '<link rel="stylesheet" href="_static/a.css">',
        '<script src="../a.js"></script>',
        '<img alt="a" src="data:image/png;base64,AA==">',
        "<p>see https://example.org/a.js</p>",
    ],
)
def test_links_and_own_files_pass(tmp_path, harmless):
    (tmp_path / "page.html").write_text(f"<html><body>{harmless}</body></html>")
    assert outside_requests(tmp_path) == []


def test_a_style_sheet_that_fetches_elsewhere_is_named(tmp_path):
    (tmp_path / "a.css").write_text("@font-face { src: url('https://example.org/f.woff2'); }")
    assert outside_requests(tmp_path) == ["a.css: fetches https://example.org/f.woff2"]


@pytest.fixture
def small_book(project, copy_book_parts):
    """The book's own configuration over one page and one notebook."""
    copy_book_parts(project.root)
    project.write(
        "_toc.yml",
        "format: jb-book\nroot: book/index\nchapters:\n  - file: notebooks/01_chapter\n",
    )
    project.write("book/index.md", "# A page\n\nSee {doc}`nowhere`.\n")
    project.store(project.executed())
    return project.root


def test_a_warning_is_an_error_until_it_is_mended(small_book, capsys):
    result = pages(small_book)
    assert not result.passed
    assert "unknown document: 'nowhere'" in result.output
    # A half-good book does not count as built.
    with pytest.raises(TaskError, match="nowhere"):
        book.build(small_book)
    (small_book / "book" / "index.md").write_text("# A page\n\nSee $x$.\n")
    assert pages(small_book).passed
    capsys.readouterr()
    book.build(small_book)
    assert "up to date" in capsys.readouterr().out


def test_launch_buttons_come_with_the_address_and_not_before(small_book):
    (small_book / "book" / "index.md").write_text("# A page\n")
    page = small_book / "_build" / "html" / "notebooks" / "01_chapter.html"
    assert pages(small_book).passed
    assert "colab.research" not in page.read_text()
    write("https://github.com/example/course", small_book / "_config.yml")
    assert pages(small_book).passed
    assert "example/course/blob/published/notebooks/01_chapter.ipynb" in page.read_text()
