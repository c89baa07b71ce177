"""Files that are made from the figures' code: the drawings, and the colours of the pages.

A drawing in Markdown is an image of a file beside the notebooks: `make notebooks` puts its bytes
into the notebook, and the book puts the drawing itself into the page. The file is a PNG, since
Colab shows no SVG in a text; a Chromium draws it, and its bytes depend on that machine's fonts. So
the file says of which drawing it is a picture. `make drawings` writes both; a test compares.
"""

import hashlib
import io
from collections.abc import Iterator

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import sync_playwright

from course_lab.figures.drawn.shelf import DRAWINGS, drawing
from course_lab.figures.packed import packed
from course_lab.figures.palette import style_sheet
from tools import ROOT, chromium
from tools.text import NOTEBOOKS
from tools.viewer import DRAWING_SCALE

STYLE = ROOT / "book" / "_static" / "palette.css"
_OF = "drawing"
"""The word of a PNG's text under which it holds the hash of its drawing."""


def main() -> None:
    """Write the files that changed."""
    STYLE.write_text(style_sheet(), encoding="utf-8", newline="\n")
    for name, png in _pictures(stale()):
        (NOTEBOOKS / "drawings" / f"{name}.png").write_bytes(png)


def stale() -> list[str]:
    """Return the drawings whose file is missing or is the picture of another drawing."""
    return [name for name in DRAWINGS if _shown_by(name) != _hash(name)]


def _hash(name: str) -> str:
    return hashlib.sha256(drawing(name).file().encode()).hexdigest()


def _shown_by(name: str) -> str:
    """Return the hash of the drawing that a file is a picture of."""
    try:
        with Image.open(NOTEBOOKS / "drawings" / f"{name}.png") as image:
            return image.text.get(_OF, "")
    except OSError:
        return ""


def _pictures(names: list[str]) -> Iterator[tuple[str, bytes]]:
    if not names:
        return
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(device_scale_factor=DRAWING_SCALE)
        for name in names:
            page.set_content(f'<body style="margin:0">{drawing(name).file()}')
            shot = page.locator("svg").screenshot()
            words = PngInfo()
            words.add_itxt(_OF, _hash(name))
            file = io.BytesIO()
            with Image.open(io.BytesIO(shot)) as image:
                image.convert("RGB").save(file, "PNG", pnginfo=words)
            yield name, packed(file.getvalue())
        browser.close()


if __name__ == "__main__":
    main()
