"""The book's gate: a book with a warning, pages that ask other hosts, links that lead nowhere."""

import re

import pytest

from tools import book
from tools.address import write
from tools.gates import web_pages
from tools.gates.pages import pages
from tools.inputs import machine
from tools.project import TaskError

WAITING = r'<template class="course-project">.*?</template>'


@pytest.fixture
def small_book(project, copy_book_parts):
    """The book's own configuration over one page and one notebook."""
    copy_book_parts(project.root)
    toc = "format: jb-book\nroot: book/index\nchapters:\n  - file: notebooks/01_chapter\n"
    project.write("_toc.yml", toc)
    project.store(project.executed())
    return project


def test_a_warning_is_an_error_until_it_is_mended_and_one_text_is_read_again(small_book, capsys):
    def made():
        book.build(small_book.root)
        html = small_book.root / "_build" / "html"
        return {p.relative_to(html): p.read_bytes() for p in html.rglob("*") if p.is_file()}

    small_book.write("book/index.md", "# A page\n\nSee {doc}`nowhere`.\n")
    assert "unknown document: 'nowhere'" in pages(small_book.root).output
    # A half-good book does not count as built.
    with pytest.raises(TaskError, match="nowhere"):
        book.build(small_book.root)
    small_book.write("book/index.md", "# A page\n")
    assert pages(small_book.root).passed
    capsys.readouterr()
    book.build(small_book.root)
    assert "up to date" in capsys.readouterr().out
    small_book.write("book/index.md", "# Another page\n\nSee {doc}`/notebooks/01_chapter`.\n")
    one_read = made()
    log = (small_book.root / "_build" / "book.log").read_text()
    assert "0 added, 1 changed, 0 removed" in log
    (small_book.root / "_build" / ".doctrees" / "course-read.json").unlink()
    (small_book.root / "_build" / "html" / "book" / "index.html").unlink()
    assert made() == one_read


def test_launch_buttons_come_with_the_address_and_not_before(small_book):
    small_book.write("book/index.md", "# A page\n")
    page = small_book.root / "_build" / "html" / "notebooks" / "01_chapter.html"
    assert pages(small_book.root).passed
    # Without an address they wait for one in elements that no browser shows.
    assert "colab.research" not in re.sub(WAITING, "", page.read_text())
    assert len(re.findall(WAITING, page.read_text())) == 2
    write("https://github.com/example/course", small_book.root / "_config.yml")
    assert pages(small_book.root).passed
    assert "example/course/blob/published/notebooks/01_chapter.ipynb" in page.read_text()


@pytest.fixture
def bare_book(project, monkeypatch):
    """One notebook, code that is one line each, and a Sphinx that makes one page."""
    project.write("tools/book.py", "import tools.helper\n")
    project.write("tools/helper.py", "")
    project.write("book/_ext/course_book/__init__.py", "")
    project.store(project.executed())
    project.page, project.left, project.meanwhile = "<p>words</p>", [], lambda: None
    names = ("book/index", "notebooks/01_chapter")

    def sphinx(root, log):
        places = {name: root / "_build" / ".doctrees" / f"{name}.doctree" for name in names}
        project.left.append({name for name in names if places[name].exists()})
        for name in names:
            project.write(f"_build/.doctrees/{name}.doctree", "read")
        project.meanwhile()
        project.write("_build/html/index.html", project.page)

    monkeypatch.setattr(book, "_sphinx", sphinx)
    book.build(project.root)
    return project


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ('<img src="//cdn.example.org/a.png">', "cdn.example.org"),
        ('<a href="nowhere.html">there</a>', "nowhere.html"),
        ("<p>words</p>", ""),
    ],
)
def test_the_pages_of_a_book_that_builds_are_looked_through(bare_book, page, said):
    bare_book.page = page
    bare_book.write("book/index.md", "# Another page\n")
    result = pages(bare_book.root)
    assert result.passed is not bool(said)
    assert said in result.output


def test_a_book_that_something_else_made_is_built_again_and_only_that_is_read(
    bare_book, monkeypatch
):
    index, chapter = "book/index", "notebooks/01_chapter"

    def left(change):
        """What did not have to be read again after a change."""
        assert book.is_built(bare_book.root)
        change()
        assert not book.is_built(bare_book.root)
        book.build(bare_book.root)
        return bare_book.left[-1]

    def edit(name, text="x = 1\n"):
        return lambda: bare_book.write(name, text)

    def machine_with(name, value):
        return lambda: monkeypatch.setattr(machine, name, value)

    assert left(edit("book/index.md", "# A page\n")) == {chapter}
    # A chapter's page has the prose of its text.
    assert left(edit("book/chapters/01_chapter.md", "# Another\n")) == {index}
    assert left(edit("_build/html/index.html", "touched")) == {index, chapter}
    for name in ("tools/book.py", "book/_ext/course_book/__init__.py"):
        assert left(edit(name)) == set()
    assert left(machine_with("packages", lambda: ["sphinx-9.dist-info"])) == set()
    for name, value in (("processor", lambda: "x"), ("cores", lambda: 99)):
        machine_with(name, value)()
        assert book.is_built(bare_book.root)
    # What changed while Sphinx ran does not count as built; after a failure nothing is left.
    bare_book.meanwhile = edit("book/index.md", "# The second words\n")
    bare_book.write("book/index.md", "# The first words\n")
    book.build(bare_book.root)
    assert not book.is_built(bare_book.root)

    def fail():
        raise TaskError("a warning")

    bare_book.meanwhile = fail
    with pytest.raises(TaskError, match="a warning"):
        book.build(bare_book.root)
    bare_book.meanwhile = lambda: None
    book.build(bare_book.root)
    assert bare_book.left[-1] == set()


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
