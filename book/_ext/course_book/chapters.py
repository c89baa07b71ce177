"""Words of pages: `{{ ch06b }}` is "chapter 6b" with its link, `{{ project }}` a sentence.

The chapters are those of `_toc.yml`; `{{ ch06 }}` is the first part of chapter 6. `{{ hw06 }}`
names a homework's questions with their points, and links what students get.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

PROJECT = "Text, notebooks and code are one project, and these pages are built from it."


def words(toc: str, url: str) -> dict[str, str]:
    """Return the substitutions, from the text of `_toc.yml` and the repository's address."""
    found = {"project": f"{PROJECT} It is at <{url}>." if url else PROJECT}
    for path, number, part in re.findall(r"(notebooks/(\d\d)([a-z]?)_\w+)", toc):
        name = f"chapter {int(number)}"
        found.setdefault("first", f"{{doc}}`Start with {name} </{path}>`")
        found.setdefault(f"ch{number}", f"{{doc}}`{name} </{path}>`")
        found[f"ch{number}{part}"] = f"{{doc}}`{name}{part} </{path}>`"
    return found


def questions(name: str, source: str) -> str:
    """Return a homework's questions with their points, from its source."""
    titles = re.findall(r"^# ## Question \d[.:] (.+)$", source, re.MULTILINE)
    points = re.findall(r"^# points: (.+)$", source, re.MULTILINE)
    named = "; ".join(f"{title} ({n})" for title, n in zip(titles, points, strict=True))
    file = f"{{download}}`{name}.zip <../_build/homework/{name}.zip>`"
    return f"Questions and their points: {named}.\n\n{file}"


def _substitute(app: Sphinx, config: Config) -> None:
    root = Path(app.confdir or app.srcdir)
    toc = (root / "_toc.yml").read_text(encoding="utf-8")
    found = words(toc, config.html_theme_options.get("repository_url", ""))
    for path in (root / "homework").glob("hw*/hw*.py"):
        found[path.stem[:4]] = questions(path.stem, path.read_text(encoding="utf-8"))
    config.myst_substitutions = {**config.myst_substitutions, **found}


def setup(app: Sphinx) -> None:
    """Set the words before Markdown is read."""
    app.connect("config-inited", _substitute)
