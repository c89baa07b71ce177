"""The pages of the library: Sphinx's autodoc on each module of a room of `course_lib`."""

import re
from pathlib import Path

from sphinx.application import Sphinx

_ROOM = re.compile(r"```\{library\} (\w+)\n```")
_MODULE = "## {short}\n\n```{{eval-rst}}\n.. automodule:: {name}\n```\n"
_CODE = re.compile(r"(`[^`]*`)")
_MARKS = re.compile(r"[*|\\]|(?<=\w)_(?!\w)")


def _expand(app: Sphinx, page: str, source: list[str]) -> None:
    """Write a section for each module in the place of `{library} ROOM`."""

    def room(found: re.Match[str]) -> str:
        root = Path(app.srcdir)
        paths = sorted((root / "course_lib" / found[1]).rglob("*.py"))
        names = (".".join(path.relative_to(root).with_suffix("").parts) for path in paths)
        names = (name.removesuffix(".__init__") for name in names)
        return "\n".join(_MODULE.format(name=n, short=n.partition(".")[2]) for n in names)

    source[0] = _ROOM.sub(room, source[0])


def _plain(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list) -> None:
    """Read a docstring as plain text with code in backquotes; an indented block is as it stands."""
    written, verbatim = [], False
    for before, line in zip(["-", *lines], lines, strict=False):
        indented = line.startswith(" ")
        if indented and not before.strip() and not verbatim:
            written += ["::", ""]
            verbatim = True
        verbatim = verbatim and (indented or not line.strip())
        parts = _CODE.split(line)
        parts[::2] = [_MARKS.sub(r"\\\g<0>", part) for part in parts[::2]]
        written.append(line if verbatim else "".join(parts))
    lines[:] = written


def _skip(app: Sphinx, what: str, name: str, obj: object, skip: bool, options: object) -> bool:
    """Leave out the fields of a named tuple, which its own docstring explains."""
    return skip or (getattr(obj, "__doc__", "") or "").startswith("Alias for field")


def setup(app: Sphinx) -> None:
    """Register it; a docstring is prepared before napoleon reads its sections."""
    app.connect("source-read", _expand)
    app.connect("autodoc-process-docstring", _plain, priority=400)
    app.connect("autodoc-skip-member", _skip)
