"""Print the built book into one file, `_build/from-recurrence-to-attention.pdf`.

The installed Chromium prints each page as it prints for a reader; the pages are put together with
an outline of parts, chapters and sections, and numbered through.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright
from pypdf import PdfReader, PdfWriter

from tools import HTML, chromium
from tools.text import pages_listed

FILE = HTML.with_name("from-recurrence-to-attention.pdf")
_MARGIN = {"top": "18mm", "bottom": "20mm", "left": "20mm", "right": "20mm"}
# What draws figures and computes verdicts is folded on a screen and left out on paper.
_STYLE = ".bd-article div.cell.tag_fold details.above-input { display: none !important; }"
_SCALE = 0.85
"""Of a page as a browser prints it: figures are large enough on paper, and lines not too long."""
_NUMBER = (
    '<div style="width:100%;text-align:center;font:9px sans-serif"><span class="pageNumber"></span>'
)


def main() -> None:
    """Print all pages that `_toc.yml` lists, one after the other, numbered through."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        whole = printed(browser, HTML, pages_listed())
        browser.close()
    whole.write(FILE)
    print(f"{FILE.name}: {len(whole.pages)} pages, {FILE.stat().st_size / 1e6:.1f} MB")


def printed(browser: Browser, html: Path, names: list[str]) -> PdfWriter:
    """The pages, with an outline, and their numbers at the foot."""
    whole = PdfWriter()
    with TemporaryDirectory() as folder:
        for name, made in _each(browser, html, names, Path(folder)):
            whole.append(made, outline_item=_title(made, name))
            print(f"{name}: {len(PdfReader(made).pages)} pages")
        numbers = PdfReader(_numbers(browser, len(whole.pages), Path(folder, "numbers.pdf")))
        for page, number in zip(whole.pages, numbers.pages, strict=True):
            page.merge_page(number)
    whole.add_metadata({"/Title": "From Recurrence to Attention"})
    whole.compress_identical_objects()
    return whole


def _each(
    browser: Browser, html: Path, names: list[str], folder: Path
) -> Iterator[tuple[str, Path]]:
    page = browser.new_page()
    for place, name in enumerate(names):
        file = folder / f"{place}.pdf"
        page.goto((html / f"{name}.html").as_uri())
        page.add_style_tag(content=_STYLE)
        page.wait_for_timeout(1000)  # for networks that write their first sentence
        page.pdf(
            path=file,
            format="A4",
            margin=_MARGIN,
            scale=_SCALE,
            print_background=True,
            outline=True,
            tagged=True,
        )
        yield name, file


def _title(made: Path, name: str) -> str:
    """The page's heading, the first of Chromium's outline."""
    for entry in PdfReader(made).outline:
        return entry.title
    return name


def _numbers(browser: Browser, count: int, file: Path) -> Path:
    """As many empty pages, each with its number."""
    page = browser.new_page()
    page.set_content("<div style='break-after:page'>&nbsp;</div>" * (count - 1) + "&nbsp;")
    page.pdf(
        path=file,
        format="A4",
        margin=_MARGIN,
        display_header_footer=True,
        header_template="<p>",
        footer_template=_NUMBER,
    )
    return file


if __name__ == "__main__":
    main()
