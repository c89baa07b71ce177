"""Print the built book into one file, `_build/from-recurrence-to-attention.pdf`.

The installed Chromium prints each page as it prints for a reader; the pages are put together with
an outline of chapters and sections.
"""

import io
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from pypdf import PdfReader, PdfWriter

from tools import HTML, chromium
from tools.text import pages_listed

FILE = HTML.with_name("from-recurrence-to-attention.pdf")
# What draws figures and computes verdicts is folded on a screen and left out on paper.
_STYLE = ".bd-article div.cell.tag_fold details.above-input { display: none !important; }"
_PAPER = {
    "format": "A4",
    "margin": {"top": "18mm", "bottom": "20mm", "left": "20mm", "right": "20mm"},
    "scale": 0.85,  # figures are large enough on paper, and lines not too long
    "print_background": True,
    "outline": True,
    "tagged": True,
}


def main() -> None:
    """Print all pages that `_toc.yml` lists, one after the other."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        whole = printed(browser, HTML, pages_listed())
        browser.close()
    whole.write(FILE)
    print(f"{FILE.name}: {len(whole.pages)} pages, {FILE.stat().st_size / 1e6:.1f} MB")


def printed(browser: Browser, html: Path, names: list[str]) -> PdfWriter:
    """Return the pages in one, with an outline."""
    whole, page = PdfWriter(), browser.new_page()
    for name in names:
        page.goto((html / f"{name}.html").as_uri())
        page.add_style_tag(content=_STYLE)
        page.wait_for_timeout(1000)  # for networks that write their first sentence
        part = PdfReader(io.BytesIO(page.pdf(**_PAPER)))
        whole.append(part, outline_item=part.outline[0].title)
    whole.add_metadata({"/Title": "From Recurrence to Attention"})
    whole.compress_identical_objects()
    return whole


if __name__ == "__main__":
    main()
