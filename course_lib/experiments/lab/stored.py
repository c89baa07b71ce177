"""Results of long runs that the book shows: a JSON file beside the module that makes it."""

import json
from pathlib import Path
from typing import Any


def load_stored(path: Path) -> Any:
    """The content of a stored file; a module names its own as `Path(__file__).with_name(...)`."""
    return json.loads(path.read_text(encoding="utf-8"))
