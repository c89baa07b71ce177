"""The table of contents: which pages the book has, and that none is left out."""

from collections.abc import Iterator
from pathlib import Path

import yaml

TOC = "_toc.yml"


def pages_listed(root: Path) -> list[str]:
    """Every page that `_toc.yml` lists, in order, as a path without its ending."""

    def files(node: dict) -> Iterator[str]:
        yield from (node[key] for key in ("file", "root") if key in node)
        for kind in ("parts", "chapters", "sections", "subtrees", "entries"):
            for child in node.get(kind, []):
                yield from files(child)

    path = root / TOC
    toc = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return [name.removesuffix(".ipynb").removesuffix(".md") for name in files(toc or {})]


def problems(root: Path) -> list[str]:
    """Pages that lie there and are not listed, are listed twice, or are listed and do not exist."""
    listed = pages_listed(root)
    chapters = {f"notebooks/{path.stem}" for path in (root / "book" / "chapters").glob("*.md")}
    own = {f"book/{path.stem}" for path in (root / "book").glob("*.md")}
    found = [f"{TOC}: does not list {name}" for name in sorted({*chapters, *own} - {*listed})]
    found += [
        f"{TOC}: lists {name}, which is not there" for name in sorted({*listed} - chapters - own)
    ]
    found += [f"{TOC}: lists {name} twice" for name in sorted({*listed}) if listed.count(name) > 1]
    return found
