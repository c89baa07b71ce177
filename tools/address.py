"""Write the repository's address on GitHub into `_config.yml` and `pyproject.toml`.

`python -m tools.address https://github.com/OWNER/NAME`; an empty address takes it out again.
"""

import re
import sys
from pathlib import Path

from tools import ROOT


def main(address: str, root: Path = ROOT) -> None:
    """Put the address in its places; exit with a sentence where it is none."""
    address = address.removesuffix("/").removesuffix(".git")
    match = re.fullmatch(r"https://github\.com/([\w.-]+)/([\w.-]+)", address)
    if address and not match:
        sys.exit(f"want an address such as https://github.com/OWNER/NAME; got {address!r}")
    # Without an address the theme cannot make the buttons and stops, so they come and go with it.
    values = {
        "url": address,
        "baseurl": _pages(*match.groups()) if match else "",
        "binderhub_url": "https://mybinder.org" if address else "",
        "colab_url": "https://colab.research.google.com" if address else "",
    }
    for name, value in values.items():
        _set(root / "_config.yml", rf'^  {name}: ".*"$', f'  {name}: "{value}"')
    lines = f'Repository = "{address}"\nIssues = "{address}/issues"\n' if address else ""
    _set(
        root / "pyproject.toml",
        r'^\[project\.urls\]\n(?:\w+ = ".*"\n)*',
        f"[project.urls]\n{lines}",
    )


def _pages(owner: str, name: str) -> str:
    """Return where GitHub Pages publishes a repository."""
    host = f"{owner.lower()}.github.io"
    return f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"


def _set(path: Path, pattern: str, text: str) -> None:
    changed = re.sub(f"(?m){pattern}", lambda _: text, path.read_text(encoding="utf-8"))
    path.write_text(changed, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]))
