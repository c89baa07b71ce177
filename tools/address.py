"""Where the repository's address is: `repository: url:` in `_config.yml`, which decides.

The package's own `[project.urls]` in `pyproject.toml` is written with it, since an installed
package knows of no `_config.yml`.
"""

import re
from pathlib import Path

from tools.project import CONFIG, TaskError


def write(address: str, config: Path = CONFIG) -> None:
    """Put the address in its places; an empty one takes it out again.

    Raises:
        TaskError: it is not an https address.
    """
    address = address.removesuffix("/").removesuffix(".git")
    if address and not re.fullmatch(r"https://[\w.-]+(/[\w.~-]+)+", address):
        raise TaskError(f"want an address such as https://HOST/OWNER/NAME; got {address!r}")
    # Without an address the theme cannot make the buttons and stops, so they come and go with it.
    values = {
        "url": address,
        "binderhub_url": "https://mybinder.org" if address else "",
        "colab_url": "https://colab.research.google.com" if address else "",
    }
    _set(config, rf'^  ({"|".join(values)}): ".*"$', lambda m: f'  {m[1]}: "{values[m[1]]}"')
    lines = f'Repository = "{address}"\nIssues = "{address}/issues"\n' if address else ""
    package = config.with_name("pyproject.toml")
    if package.exists():
        _set(
            package, r'^\[project\.urls\]\n(?:\w+ = ".*"\n)*', lambda m: f"[project.urls]\n{lines}"
        )


def _set(path: Path, pattern: str, new) -> None:
    text = re.sub(f"(?m){pattern}", new, path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8", newline="\n")
