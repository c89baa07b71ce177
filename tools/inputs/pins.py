"""The lines of requirements.txt that code depends on. Standard library only."""

import re
from collections.abc import Iterable
from pathlib import Path

REQUIREMENTS = "requirements.txt"
_LINE = re.compile(r"^([A-Za-z0-9][\w.-]*)\s*(==[^#]*)")
# Under these names they are imported; all others under their own.
IMPORTED_AS = {
    "otter-grader": "otter",
    "pytest-xdist": "xdist",
    "import-linter": "importlinter",
    "websocket-client": "websocket",
}


def pins(root: Path) -> dict[str, str]:
    """By the name that is imported: the version, or versions with the Pythons that they are for."""
    path = root / REQUIREMENTS
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    found: dict[str, list[str]] = {}
    for line in lines:
        if match := _LINE.match(line):
            name = IMPORTED_AS.get(match[1].lower(), match[1].lower().replace("-", "_"))
            found.setdefault(name, []).append(" ".join(match[2].split()))
    return {name: ", ".join(versions) for name, versions in found.items()}


def pins_of(packages: Iterable[str], root: Path) -> str:
    """The pins of those packages that have one, one a line; what is said of them does not count."""
    known = pins(root)
    names = sorted({name.lower() for name in packages} & known.keys())
    return "\n".join(f"{name} {known[name]}" for name in names)
