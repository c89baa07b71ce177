"""requirements.txt and pyproject.toml as tables: comments, order and layout do not count."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

try:
    import tomllib
except ImportError:  # Python 3.10, where pytest brings the same under another name
    try:
        import tomli as tomllib
    except ImportError:
        tomllib = None

REQUIREMENTS, PROJECT = "requirements.txt", "pyproject.toml"
_REMARK = re.compile(r"(^|\s)#.*")
_PIN = re.compile(r"([A-Za-z0-9][\w.-]*)(==.*)")
# Under these names they are imported; all others under their own.
IMPORTED_AS = {
    "otter-grader": "otter",
    "pytest-xdist": "xdist",
    "import-linter": "importlinter",
    "websocket-client": "websocket",
}


def requirements(root: Path) -> list[str]:
    """What is required, sorted, each with the Pythons that it is for."""
    path = root / REQUIREMENTS
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    parts = (_REMARK.sub("", line).partition(";") for line in lines)
    found = {"; ".join(filter(None, map(_plain, (what, where)))) for what, _, where in parts}
    return sorted(found - {""})


def _plain(text: str) -> str:
    return " ".join(re.sub(r"\s*([=<>!~]=|[<>,])\s*", r"\1", text).split())


def project(root: Path, *tables: str) -> str:
    """Tables of pyproject.toml such as "tool.setuptools", or all, in one order.

    Its text where no parser is at hand.
    """
    path = root / PROJECT
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if tomllib is None:
        return text
    whole = tomllib.loads(text)
    found = {name: _table(whole, name) for name in tables} if tables else whole
    return json.dumps(found, sort_keys=True, default=str)


def _table(whole: dict[str, Any], name: str) -> Any:
    for part in name.split("."):
        whole = whole.get(part) or {}
    return whole


def pins_of(packages: Iterable[str], root: Path) -> str:
    """The pins of those packages that have one, one a line; what is said of them does not count."""
    known: dict[str, list[str]] = {}
    for line in requirements(root):
        if match := _PIN.match(line):
            name = IMPORTED_AS.get(match[1].lower(), match[1].lower().replace("-", "_"))
            known.setdefault(name, []).append(match[2])
    names = sorted({name.lower() for name in packages} & known.keys())
    return "\n".join(f"{name} {', '.join(known[name])}" for name in names)
