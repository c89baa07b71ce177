"""Write the repository's address into `_config.yml` and `pyproject.toml`.

`python -m tools.address https://HOST/OWNER/NAME`; an empty address takes it out again.
"""

import re
import sys
from pathlib import Path

from tools import ROOT


def main(address: str, root: Path = ROOT) -> None:
    """Put the address in its places; exit with a sentence where it is none."""
    address = address.removesuffix("/").removesuffix(".git")
    if address and not re.fullmatch(r"https://[\w.-]+(/[\w.~-]+)+", address):
        sys.exit(f"want an address such as https://HOST/OWNER/NAME; got {address!r}")
    # Without an address the theme cannot make the buttons and stops, so they come and go with it.
    on_github = address.startswith("https://github.com/")  # Colab opens nothing from elsewhere
    values = {
        "url": address,
        "baseurl": _pages(address),
        "binderhub_url": "https://mybinder.org" if address else "",
        "colab_url": "https://colab.research.google.com" if on_github else "",
    }
    for name, value in values.items():
        _set(root / "_config.yml", rf'^  {name}: ".*"$', f'  {name}: "{value}"')
    lines = f'Repository = "{address}"\nIssues = "{address}/issues"\n' if address else ""
    _set(
        root / "pyproject.toml",
        r'^\[project\.urls\]\n(?:\w+ = ".*"\n)*',
        f"[project.urls]\n{lines}",
    )


def _pages(address: str) -> str:
    """Return where GitHub Pages or GitLab Pages publish a repository, "" for another host."""
    found = re.fullmatch(r"https://(github|gitlab)\.com/([\w.-]+)/([\w.-]+)", address)
    if not found:
        return ""
    host = f"{found[2].lower()}.{found[1]}.io"
    return f"https://{host}/" if found[3].lower() == host else f"https://{host}/{found[3]}/"


def _set(path: Path, pattern: str, text: str) -> None:
    changed = re.sub(f"(?m){pattern}", lambda _: text, path.read_text(encoding="utf-8"))
    path.write_text(changed, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]))
