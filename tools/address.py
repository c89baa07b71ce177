"""The one place that holds the repository's address: `repository: url:` in `_config.yml`."""

import re
from pathlib import Path

from tools.project import CONFIG, TaskError

_ADDRESS = re.compile(r"https://[\w.-]+(/[\w.~-]+)+")
_LINE = re.compile(r'(?m)^(repository:\n  url: )".*"$')


def write(address: str, config: Path = CONFIG) -> None:
    """Put the address in its place; an empty one takes it out again.

    Raises:
        TaskError: it is not an https address, or the file has no such place.
    """
    address = address.removesuffix("/").removesuffix(".git")
    if address and not _ADDRESS.fullmatch(address):
        raise TaskError(f"wanted an address such as https://HOST/OWNER/NAME, got {address!r}")
    text = config.read_text(encoding="utf-8")
    changed, places = _LINE.subn(lambda found: f'{found[1]}"{address}"', text)
    if places != 1:
        raise TaskError(f"{config.name} has no line 'url: \"...\"' under 'repository:'")
    config.write_text(changed, encoding="utf-8", newline="\n")
