"""Pictures of the notebooks, made smaller for the page: a drawing has few colours.

The notebook keeps what the cell drew. The page's copy gets a palette of 256 colours, which is a
third of the bytes and looks the same; where it would not be smaller, it stays as it is.
"""

import io
from pathlib import Path

from PIL import Image
from sphinx.application import Sphinx


def shrink(content: bytes) -> bytes:
    """A PNG with a palette, or the same bytes if that is not smaller."""
    with Image.open(io.BytesIO(content)) as image:
        if image.mode not in ("RGB", "RGBA"):
            return content
        drawn = image.convert("RGBA")
        if drawn.getextrema()[3] != (255, 255):  # transparent: leave it alone
            return content
        palette = drawn.convert("RGB").quantize(256, dither=Image.Dither.NONE)
        packed = io.BytesIO()
        palette.save(packed, "PNG", optimize=True)
    smaller = packed.getvalue()
    return smaller if len(smaller) < len(content) else content


def _shrink_all(app: Sphinx, problem: Exception | None) -> None:
    if problem is None and app.builder.format == "html":
        for path in sorted(Path(app.outdir, "_images").glob("*.png")):
            path.write_bytes(shrink(path.read_bytes()))


def setup(app: Sphinx) -> None:
    """Go over the pictures when all pages are written."""
    app.connect("build-finished", _shrink_all)
