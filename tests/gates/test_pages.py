"""The book's gate: a book with a warning, pages that ask other hosts, links that lead nowhere."""

import pytest

from tools import book
from tools.gates import web_pages
from tools.gates.pages import pages
from tools.project import ROOT

TEXTS = ROOT / "book" / "_ext" / "course_book" / "texts.py"


@pytest.fixture
def small_book(project, copy_book_parts):
    """The book's own configuration over one page and one notebook."""
    copy_book_parts(project.root)
    toc = "format: jb-book\nroot: book/index\nchapters:\n  - file: notebooks/01_chapter\n"
    project.write("_toc.yml", toc)
    project.store(project.executed())
    return project


def test_a_warning_is_an_error_until_it_is_mended_and_one_text_is_read_again(small_book):
    root = small_book.root
    small_book.write("book/index.md", "# A page\n\nSee {doc}`nowhere`.\n")
    assert "unknown document: 'nowhere'" in pages(root).output
    # A half-good book does not count as built.
    assert not book.is_built(root)
    small_book.write("book/index.md", "# A page\n")
    assert pages(root).passed
    assert book.is_built(root)
    # The chapter's text alone is read again.
    small_book.text.write_text(small_book.text.read_text().replace("one question", "a question"))
    assert not book.is_built(root)
    book.build(root)
    assert "0 added, 1 changed, 0 removed" in (root / "_build" / "book.log").read_text()
    assert "It asks a question" in (root / "_build/html/notebooks/01_chapter.html").read_text()
    # Where our own code changed all texts are; a page that would ask another host is named.
    small_book.write("book/_ext/course_book/texts.py", TEXTS.read_text() + "\nMORE = 1\n")
    small_book.write("book/index.md", '# A page\n\n<img alt="a" src="//cdn.example.org/a.png">\n')
    assert "fetches //cdn.example.org/a.png" in pages(root).output
    assert "2 added, 0 changed, 0 removed" in (root / "_build" / "book.log").read_text()


def test_a_link_that_leads_nowhere_is_named(tmp_path):
    (tmp_path / "b.html").write_text('<h1 id="top">b</h1>')
    (tmp_path / "a.html").write_text(
        '<a href="b.html#top">1</a> <a href="#own">2</a> <p id="own">x</p> <a href="//x.org/">3</a>'
        '<img src="gone.png"> <a href="c.html">4</a> <a href="b.html#gone">5</a>'
        '<a href="#no">6</a>'
    )
    assert web_pages.dead_links(tmp_path) == [
        f"a.html: a link leads nowhere: {place}"
        for place in ("gone.png", "c.html", "b.html#gone", "a.html#no")
    ]
