"""Files that are made from the figures' code: the drawings, and the colours of the pages.

A drawing in Markdown is an image of a file beside the notebooks: `make notebooks` puts its bytes
into the notebook, and the book puts the drawing itself into the page. The file is a PNG, since
Colab shows no SVG in a text; a Chromium draws it, and its bytes depend on that machine's fonts. So
the file says of which drawing it is a picture. `make drawings` writes both; a test compares.
"""

import functools
import hashlib
import io
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from course_lab.figures.drawn.shelf import DRAWINGS, drawing
from course_lab.figures.packed import packed
from course_lab.figures.palette import style_sheet
from tools.inputs.machine import browser_path
from tools.notebooks.viewer import DRAWING_SCALE
from tools.project import DRAWN, ROOT, TaskError

STYLE = Path("book", "_static", "palette.css")
_OF = "drawing"
"""The word of a PNG's text under which it holds the hash of its drawing."""


def problems(root: Path = ROOT) -> list[str]:
    """Files that differ from what the code makes, are missing, or are made by nothing."""
    folder = DRAWN.relative_to(ROOT)
    wanted = {folder / f"{name}.png": _told(name) for name in DRAWINGS}
    there = {path.relative_to(root) for path in (root / folder).glob("*")}
    stray = [f"{path.as_posix()}: no drawing has this name" for path in sorted(there - {*wanted})]
    stale = [path for path, told in wanted.items() if _is_of(root / path) != told]
    style = root / STYLE
    if not style.is_file() or style.read_text(encoding="utf-8") != style_sheet():
        stale.append(STYLE)
    return stray + [f"{path.as_posix()}: not what the code draws (make drawings)" for path in stale]


def write(root: Path = ROOT) -> None:
    """Write those that changed.

    Raises:
        TaskError: a drawing changed, and there is no Chromium to draw it.
    """
    (root / STYLE).parent.mkdir(parents=True, exist_ok=True)
    (root / STYLE).write_text(style_sheet(), encoding="utf-8", newline="\n")
    folder = root / DRAWN.relative_to(ROOT)
    folder.mkdir(parents=True, exist_ok=True)
    stale = [name for name in DRAWINGS if _is_of(folder / f"{name}.png") != _told(name)]
    for name, png in _pictures(stale):
        (folder / f"{name}.png").write_bytes(png)


@functools.cache
def _told(name: str) -> str:
    return hashlib.sha256(drawing(name).file().encode()).hexdigest()


def _is_of(path: Path) -> str:
    """The hash of the drawing that a file is a picture of; "" if it is none."""
    try:
        with Image.open(path) as image:
            return image.text.get(_OF, "")
    except (OSError, AttributeError):
        return ""


def _pictures(names: list[str]) -> Iterator[tuple[str, bytes]]:
    if not names:
        return
    # Loaded here: whoever changes no drawing needs no browser.
    from playwright.sync_api import sync_playwright

    path = browser_path()
    if path is None:
        raise TaskError(
            "want a Chromium, which draws the drawings; there is none here: install one, or name "
            "it in COURSE_CHROMIUM"
        )
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(device_scale_factor=DRAWING_SCALE)
        for name in names:
            page.set_content(f'<body style="margin:0">{drawing(name).file()}')
            shot = page.locator("svg").screenshot()
            words = PngInfo()
            words.add_itxt(_OF, _told(name))
            file = io.BytesIO()
            with Image.open(io.BytesIO(shot)) as image:
                image.convert("RGB").save(file, "PNG", pnginfo=words)
            yield name, packed(file.getvalue())
        browser.close()
