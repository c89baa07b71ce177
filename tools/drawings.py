"""Write the pictures that notebooks hold: `python -m tools.drawings` (`make drawings`).

A drawing is `book/drawings/NAME.svg`, edited by hand, and a page of the book shows it as it is.
Colab shows no SVG in a text, so a notebook holds a PNG of it, `notebooks/drawings/NAME.png`, which
a Chromium draws. Its bytes depend on the fonts of the machine, so the PNG holds the hash of its
SVG, and only those whose SVG changed are drawn.
"""

import hashlib
import io
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import sync_playwright

from tools import ROOT, chromium
from tools.text import NOTEBOOKS
from tools.viewer import DRAWING_SCALE

DRAWINGS = ROOT / "book" / "drawings"
HASH = "drawing"
"""The name under which a PNG's text holds the hash of its SVG."""


def picture_of(drawing: Path) -> Path:
    """Return where the PNG of a drawing is."""
    return NOTEBOOKS / "drawings" / f"{drawing.stem}.png"


def stale() -> list[Path]:
    """Return the drawings whose PNG is missing or shows an earlier version."""
    return [path for path in sorted(DRAWINGS.glob("*.svg")) if _hash_in(path) != _hash_of(path)]


def _hash_of(drawing: Path) -> str:
    return hashlib.sha256(drawing.read_bytes()).hexdigest()


def _hash_in(drawing: Path) -> str:
    try:
        with Image.open(picture_of(drawing)) as image:
            return image.text.get(HASH, "")
    except OSError:
        return ""


def main() -> None:
    """Draw those that are stale."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(device_scale_factor=DRAWING_SCALE)
        for path in stale():
            page.set_content(f'<body style="margin:0">{path.read_text(encoding="utf-8")}')
            shot = io.BytesIO(page.locator("svg").screenshot())
            text = PngInfo()
            text.add_itxt(HASH, _hash_of(path))
            with Image.open(shot) as image:  # with a palette it takes a quarter of the bytes
                image.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(
                    picture_of(path), optimize=True, pnginfo=text
                )
        browser.close()


if __name__ == "__main__":
    main()
