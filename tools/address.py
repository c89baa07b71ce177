"""Where the repository's address is: `repository: url:` in `_config.yml`, which decides.

The package's own `[project.urls]` in `pyproject.toml` is written with it, since an installed
package knows of no `_config.yml`.
"""

import re
from pathlib import Path

from tools.project import CONFIG, TaskError

_ADDRESS = re.compile(r"https://[\w.-]+(/[\w.~-]+)+")
# With an empty address the theme cannot make the buttons and stops, so they come and go with it.
_BUTTONS = {
    "binderhub_url": "https://mybinder.org",
    "colab_url": "https://colab.research.google.com",
}


def write(address: str, config: Path = CONFIG) -> None:
    """Put the address in its places; an empty one takes it out again.

    Args:
        address: of the repository.
        config: the book's settings; the package's are in the file beside it.

    Raises:
        TaskError: it is not an https address, or the file has no such place.
    """
    address = address.removesuffix("/").removesuffix(".git")
    if address and not _ADDRESS.fullmatch(address):
        raise TaskError(f"wanted an address such as https://HOST/OWNER/NAME, got {address!r}")
    text = _set(config.read_text(encoding="utf-8"), "url", address)
    for key, service in _BUTTONS.items():
        text = _set(text, key, service if address else "")
    config.write_text(text, encoding="utf-8", newline="\n")
    project = config.with_name("pyproject.toml")
    if project.exists():
        package = _package(project.read_text(encoding="utf-8"), address)
        project.write_text(package, encoding="utf-8", newline="\n")


def _package(text: str, address: str) -> str:
    """The text of `pyproject.toml` with the lines below `[project.urls]` that belong there."""
    lines = f'Repository = "{address}"\nIssues = "{address}/issues"\n' if address else ""
    changed, places = re.subn(
        r"(?m)^(\[project\.urls\]\n)(?:\w+ = \".*\"\n)*", lambda found: found[1] + lines, text
    )
    if places != 1:
        raise TaskError(f"wanted one [project.urls] in pyproject.toml, found {places}")
    return changed


def _set(text: str, key: str, value: str) -> str:
    """Replace the quoted value of a key that stands one level deep."""
    changed, places = re.subn(rf'(?m)^(  {key}: )".*"$', lambda found: f'{found[1]}"{value}"', text)
    if places != 1:
        raise TaskError(f"wanted one line '  {key}: \"...\"' in {CONFIG.name}, found {places}")
    return changed
