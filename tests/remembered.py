"""What takes long to make and is the same for many tests: made once."""

import functools
import pickle
from collections.abc import Callable
from typing import Any


def remembered(function: Callable[..., Any]) -> Callable[..., Any]:
    """Like `functools.cache` for any arguments; each call gets a copy of its own to spoil."""
    known: dict[bytes, bytes] = {}

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        key = pickle.dumps((arguments, named))
        if key not in known:
            known[key] = pickle.dumps(function(*arguments, **named))
        return pickle.loads(known[key])

    return call
