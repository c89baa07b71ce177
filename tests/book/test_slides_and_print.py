"""A deck works in a folder of its own, its figures too; the printed book has its outline."""

import shutil
from pathlib import Path

from playwright.sync_api import expect

from tests.book.driver import middle
from tests.book.pages import HTML


def test_a_figure_answers_on_a_slide(book, tab, tmp_path):
    """However far it is zoomed, a ring lands on the word where it is let go."""
    from tools import slides

    chapter = Path("notebooks", "04_bahdanau.html")
    source, folder = tmp_path / "html", tmp_path / "slides"
    (source / "notebooks").mkdir(parents=True)
    for name in ("_static", "_images"):
        (source / name).symlink_to(HTML / name)
    shutil.copy(HTML / chapter, source / chapter)
    slides.main(source, folder)
    page = tab("file:", width=1280).page
    page.goto(f"{(folder / chapter.name).as_uri()}#/1")
    figure = page.locator("section.present .cl-fig")
    figure.locator(".cl-ring").nth(9).wait_for()
    assert 15 <= page.evaluate("Reveal.getTotalSlides()") <= 30
    dogs = figure.locator(".cl-above .cl-word", has_text="dogs")
    page.mouse.move(*middle(figure.locator(".cl-ring").nth(2)))
    page.mouse.down()
    page.mouse.move(*middle(dogs), steps=8)
    page.mouse.up()
    expect(figure.locator(".cl-say")).to_contain_text("must look at “dogs”")


def test_the_printed_book_has_an_outline(book, chromium):
    from tools import pdf

    whole = pdf.printed(chromium, HTML, ["book/index", "book/notation"])
    chapters = [entry.title for entry in whole.outline if not isinstance(entry, list)]
    assert chapters == ["From Recurrence to Attention", "Notation"]
