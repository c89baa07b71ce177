"""The scripts behind the Makefile, each one file: `python -m tools.NAME`."""

import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HTML = ROOT / "_build" / "html"


def chromium() -> str:
    """Return the path of an installed Chromium; exit with a sentence where there is none."""
    names = (os.environ.get("COURSE_CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    if path := next(filter(None, map(shutil.which, names)), None):
        return path
    sys.exit("want an installed Chromium (Debian: apt install chromium), or COURSE_CHROMIUM=PATH")
