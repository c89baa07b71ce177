"""How the stored files of this folder are laid out."""

import json
from collections.abc import Iterable
from typing import Any


def one_a_line(records: Iterable[Any]) -> str:
    """A JSON list with one record on each line."""
    lines = ",\n  ".join(map(json.dumps, records))
    return f"[\n  {lines}\n]"
