"""The one place that holds the repository's address: `repository: url:` in `_config.yml`."""

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
    """Put the address in its place; an empty one takes it out again.

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


def _set(text: str, key: str, value: str) -> str:
    """Replace the quoted value of a key that stands one level deep."""
    changed, places = re.subn(rf'(?m)^(  {key}: )".*"$', lambda found: f'{found[1]}"{value}"', text)
    if places != 1:
        raise TaskError(f"wanted one line '  {key}: \"...\"' in {CONFIG.name}, found {places}")
    return changed
