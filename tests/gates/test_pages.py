"""The book's gate: a book with a warning, pages that ask other hosts, links that lead nowhere."""

import re

import pytest

from tools import book
from tools.address import write
from tools.gates import web_pages
from tools.gates.pages import pages
from tools.gates.run import GATES, run
from tools.inputs import machine
from tools.project import TaskError

WAITING = r'<template class="course-project">.*?</template>'


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
    # Built beside other work, and found done.
    assert book.begin(small_book).wait() == 0
    assert book.is_built(small_book)
    assert book.begin(small_book) is None
    assert pages(small_book).passed
    capsys.readouterr()
    book.build(small_book)
    assert "up to date" in capsys.readouterr().out


@pytest.fixture
def bare_book(project, monkeypatch):
    """One notebook, code that is one line each, and a Sphinx that makes one page and is counted."""
    project.write("tools/book.py", "import tools.helper\n")
    project.write("tools/helper.py", "")
    project.write("book/_ext/course_book/__init__.py", "")
    project.store(project.executed())
    project.built = []

    def sphinx(root, log):
        project.write("_build/html/index.html", "<p>words</p>")
        project.built.append(log)

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
def test_the_pages_of_a_book_that_builds_are_looked_through(bare_book, monkeypatch, page, said):
    def sphinx(root, log):
        bare_book.write("_build/html/index.html", page)

    monkeypatch.setattr(book, "_sphinx", sphinx)
    bare_book.write("book/index.md", "# Another page\n")
    result = pages(bare_book.root)
    assert result.passed is not bool(said)
    assert said in result.output


def another_sphinx(course, monkeypatch):
    monkeypatch.setattr(machine, "packages", lambda: ["sphinx-9.dist-info"])


def another_python(course, monkeypatch):
    monkeypatch.setattr(machine.sys, "version", "3.99.0")


def another_build(course, monkeypatch):
    course.write("tools/book.py", "import tools.helper\n\nx = 1\n")


def another_helper(course, monkeypatch):
    course.write("tools/helper.py", "x = 1\n")


def another_extension(course, monkeypatch):
    course.write("book/_ext/course_book/__init__.py", "x = 1\n")


def another_text(course, monkeypatch):
    course.write("book/index.md", "# A page\n")


@pytest.mark.parametrize(
    "change",
    [
        another_sphinx,
        another_python,
        another_build,
        another_helper,
        another_extension,
        another_text,
    ],
)
def test_a_book_that_something_else_made_is_built_again(bare_book, monkeypatch, change):
    assert book.is_built(bare_book.root)
    change(bare_book, monkeypatch)
    assert not book.is_built(bare_book.root)
    book.build(bare_book.root)
    assert len(bare_book.built) == 2
    assert book.is_built(bare_book.root)


def test_a_book_is_the_same_whatever_the_processor(bare_book, monkeypatch):
    monkeypatch.setattr(machine, "processor", lambda: "x86_64 avx2")
    monkeypatch.setattr(machine, "cores", lambda: 99)
    monkeypatch.setenv("OMP_NUM_THREADS", "99")
    assert book.is_built(bare_book.root)


def test_a_book_whose_text_changed_meanwhile_does_not_count_as_built(bare_book, monkeypatch):
    def sphinx(root, log):
        bare_book.write("_build/html/index.html", "<p>the first words</p>")
        bare_book.write("book/index.md", "# The second words\n")

    monkeypatch.setattr(book, "_sphinx", sphinx)
    book.forget(bare_book.root)
    book.build(bare_book.root)
    assert not book.is_built(bare_book.root)


def test_what_did_not_change_is_not_read_again(bare_book, monkeypatch):
    names = ("book/index", "notebooks/01_chapter")
    left, fails = [], []

    def sphinx(root, log):
        places = [root / "_build" / ".doctrees" / f"{name}.doctree" for name in names]
        left.append({name for name, place in zip(names, places, strict=True) if place.exists()})
        for name in names:
            bare_book.write(f"_build/.doctrees/{name}.doctree", "read")
        if fails:
            raise TaskError(fails.pop())
        bare_book.write("_build/html/index.html", "<p>words</p>")

    def read_before(change):
        change(bare_book, monkeypatch)
        book.build(bare_book.root)
        return left[-1]

    monkeypatch.setattr(book, "_sphinx", sphinx)
    assert read_before(another_text) == set()
    bare_book.write("book/index.md", "# A third page\n")
    assert read_before(lambda *_: None) == {"notebooks/01_chapter"}
    # A chapter's page has the prose of its text.
    bare_book.write("book/chapters/01_chapter.md", "# Another chapter\n")
    assert read_before(lambda *_: None) == {"book/index"}
    assert read_before(another_extension) == set()
    assert read_before(another_sphinx) == set()
    assert read_before(lambda *_: book.forget(bare_book.root)) == set()
    # A warning comes again: nothing is left of what was read beside it.
    fails.append("a warning")
    bare_book.write("book/index.md", "# A fourth page\n")
    with pytest.raises(TaskError, match="a warning"):
        book.build(bare_book.root)
    assert left[-1] == {"notebooks/01_chapter"}
    assert read_before(lambda *_: None) == set()


@pytest.mark.parametrize(("ci", "again"), [("true", False), ("", True)])
def test_where_everything_is_run_the_book_is_built_anew_and_once(bare_book, monkeypatch, ci, again):
    gate = next(gate for gate in GATES if gate.name == "book")
    monkeypatch.setenv("CI", "")
    run([gate], bare_book.root)
    run([gate], bare_book.root)
    assert len(bare_book.built) == 1
    monkeypatch.setenv("CI", ci)
    assert run([gate], bare_book.root, again=again)
    assert len(bare_book.built) == 2


def test_launch_buttons_come_with_the_address_and_not_before(small_book):
    (small_book / "book" / "index.md").write_text("# A page\n")
    page = small_book / "_build" / "html" / "notebooks" / "01_chapter.html"
    assert pages(small_book).passed
    # Without an address they wait for one in elements that no browser shows.
    assert "colab.research" not in re.sub(WAITING, "", page.read_text())
    assert len(re.findall(WAITING, page.read_text())) == 2
    write("https://github.com/example/course", small_book / "_config.yml")
    assert pages(small_book).passed
    assert "example/course/blob/published/notebooks/01_chapter.ipynb" in page.read_text()


def test_a_book_that_somebody_touched_is_built_again(small_book, capsys):
    (small_book / "book" / "index.md").write_text("# A page\n")
    page = small_book / "_build" / "html" / "book" / "index.html"
    book.build(small_book)
    for touch in (page.unlink, lambda: page.write_text("<p>other</p>")):
        touch()
        assert not book.is_built(small_book)
        book.build(small_book)
        assert "A page" in page.read_text()
    assert book.is_built(small_book)


def test_pages_are_the_same_whether_all_texts_are_read_or_one(small_book):
    def made():
        book.build(small_book)
        html = small_book / "_build" / "html"
        return {p.relative_to(html): p.read_bytes() for p in html.rglob("*") if p.is_file()}

    text = small_book / "book" / "index.md"
    text.write_text("# A page\n")
    made()
    text.write_text("# Another page\n\nSee {doc}`/notebooks/01_chapter`.\n")
    one_read = made()
    log = (small_book / "_build" / "book.log").read_text()
    assert "0 added, 1 changed, 0 removed" in log
    book.forget(small_book)
    assert made() == one_read


def test_a_link_that_leads_nowhere_is_named(tmp_path):
    (tmp_path / "b.html").write_text('<h1 id="top">b</h1>')
    (tmp_path / "a.html").write_text(
        '<a href="b.html#top">1</a> <a href="#own">2</a> <p id="own">x</p> <a href="//x.org/">3</a>'
        '<img src="gone.png"> <a href="c.html">4</a> <a href="b.html#gone">5</a>'
        '<a href="#no">6</a>'
    )
    assert web_pages.dead_links(tmp_path) == [
        "a.html: a link leads nowhere: gone.png",
        "a.html: a link leads nowhere: c.html",
        "a.html: a link leads nowhere: b.html#gone",
        "a.html: a link leads nowhere: a.html#no",
    ]
