"""The book's gate: a book with a warning, pages that ask other hosts, links that lead nowhere."""

import pytest

from tools import book
from tools.address import write
from tools.gates.pages import pages
from tools.project import TaskError

READS = ("_config.yml", "book/_ext", "book/_static", "book/_templates", "book/references.bib")


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
