"""Files that are made from the figures' code: the drawings, and the colours of the pages.

A drawing in Markdown is an image of a file beside the notebooks, so that JupyterLab shows it; the
book puts the drawing itself into the page. `make drawings` writes both; a test compares.
"""

from pathlib import Path

from course_lib.figures.drawn.shelf import DRAWINGS, drawing
from course_lib.figures.palette import style_sheet
from tools.project import DRAWN, ROOT

STYLE = Path("book", "_static", "palette.css")


def wanted() -> dict[Path, str]:
    """Every file that is made, as seen from the project, with its content."""
    folder = DRAWN.relative_to(ROOT)
    return {
        STYLE: style_sheet(),
        **{folder / f"{name}.svg": drawing(name).file() for name in DRAWINGS},
    }


def problems(root: Path = ROOT) -> list[str]:
    """Files that differ from what the code makes, are missing, or are made by nothing."""
    files = wanted()
    folder = root / DRAWN.relative_to(ROOT)
    there = {path.relative_to(root) for path in folder.glob("*")} | {STYLE}
    stray = [f"{path.as_posix()}: no drawing has this name" for path in sorted(there - set(files))]
    return stray + [
        f"{path.as_posix()}: not what the code draws (make drawings)"
        for path, text in files.items()
        if not (root / path).is_file() or (root / path).read_text(encoding="utf-8") != text
    ]


def write(root: Path = ROOT) -> None:
    """Write all of them."""
    for path, text in wanted().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8", newline="\n")
