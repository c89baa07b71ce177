"""A deck works in a folder of its own, its figures too; the printed book has its outline."""

from tests.book.pages import HTML


def test_a_deck_shows_its_figures(book, tab, tmp_path):
    from tools import slides

    slides.main(HTML, tmp_path / "slides")
    (deck,) = (tmp_path / "slides").glob("04_*.html")
    page = tab("file:", width=1280).page
    page.goto(f"{deck.as_uri()}#/1")
    figure = page.locator("section.present .cl-fig")
    figure.locator(".cl-ring").nth(9).wait_for()
    assert 15 <= page.evaluate("Reveal.getTotalSlides()") <= 25


def test_the_printed_book_has_an_outline_and_numbers(book, chromium):
    from tools import pdf

    whole = pdf.printed(chromium, HTML, ["book/index", "book/notation"])
    chapters = [entry.title for entry in whole.outline if not isinstance(entry, list)]
    assert chapters == ["From Recurrence to Attention", "Notation"]
    for number, page in enumerate(whole.pages, 1):
        assert page.extract_text().split()[-1] == str(number)
