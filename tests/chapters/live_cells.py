"""The functions of the chapters' live cells, as a reader calls them with the controls."""

import re
from collections.abc import Callable
from pathlib import Path

CHAPTERS = Path(__file__).parents[2] / "book" / "chapters"
_CELL = re.compile(
    r"^```\{code-cell\} ipython3\n(?:---\n.*?^---\n|:tags: .*?\n+)?(.*?)^```$", re.S | re.M
)


def live_function(chapter: str, name: str, **names: object) -> Callable[..., None]:
    """Return a function of a chapter, defined in a cell that is run with these names alone.

    What follows the function in its cell, such as the call of `interact`, is left out.
    """
    (text,) = (path.read_text(encoding="utf-8") for path in CHAPTERS.glob(f"{chapter}_*.md"))
    (code,) = (cell for cell in _CELL.findall(text) if f"def {name}(" in cell)
    namespace = {**names}
    exec(re.match(rf".*?^def {name}\(.*?(?=^\S(?!ef )|\Z)", code, re.S | re.M)[0], namespace)
    return namespace[name]
