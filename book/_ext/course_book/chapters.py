"""Words for the chapters that link where a chapter is in the book, and say so where it is not yet.

In any page that is not a notebook, `{{ ch04 }}` is "chapter 4", linked if `_toc.yml` lists it. Of a
chapter in parts, `{{ ch06 }}` is the first one, and `{{ ch06b }}` is "chapter 6b".
"""

import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

CHAPTERS = 15


def words(toc: str) -> dict[str, str]:
    """The substitutions, from the text of `_toc.yml`."""
    found: dict[str, str] = {}
    listed: dict[int, str] = {}
    for path, number, part in re.findall(r"(notebooks/(\d\d)([a-z]?)_\w+)", toc):
        listed.setdefault(int(number), path)
        if part:
            found[f"ch{number}{part}"] = f"{{doc}}`chapter {int(number)}{part} </{path}>`"
    for number in range(1, CHAPTERS + 1):
        name = f"chapter {number}"
        path = listed.get(number)
        found[f"ch{number:02d}"] = f"{{doc}}`{name} </{path}>`" if path else name
    if listed:
        first = listed[min(listed)]
        found["first"] = f"{{doc}}`Start with chapter {min(listed)} </{first}>`"
    else:
        found["first"] = "The first chapter is not here yet."
    return found


def _substitute(app: Sphinx, config: Config) -> None:
    toc = (Path(app.confdir or app.srcdir) / "_toc.yml").read_text(encoding="utf-8")
    config.myst_substitutions = {**config.myst_substitutions, **words(toc)}


def setup(app: Sphinx) -> None:
    """Set the words before Markdown is read."""
    app.connect("config-inited", _substitute)
