"""JSON from a file that anybody may have changed: parsed, and checked field by field."""

import json
import math
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_type_hints

Kind = TypeVar("Kind")


def parse_json(content: str | bytes) -> Any:
    """The value that a text holds, bytes being UTF-8, with a byte-order mark or without.

    Raises:
        ValueError: it is no JSON, or nested too deeply for one.
    """
    try:
        return json.loads(content if isinstance(content, str) else content.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def fill(kind: type[Kind], values: Any) -> Kind:
    """A dataclass from the dictionary that `dataclasses.asdict` made of it.

    Fields that are whole numbers, numbers, texts, truth values or None are checked against their
    annotation; those of other types must have been read before.

    Raises:
        ValueError: not a dictionary, a field that is missing or unknown, or a value of the wrong
            type; a number that is infinite or NaN is none.
    """
    if not isinstance(values, dict):
        raise ValueError(f"wanted {kind.__name__} as a dictionary, got {type(values).__name__}")
    known = {field.name: field for field in fields(kind)}
    if unknown := [name for name in values if name not in known]:
        raise ValueError(f"unknown {unknown[0]!r}")
    types, checked = get_type_hints(kind), {}
    for name, field in known.items():
        if name in values:
            checked[name] = _checked(name, values[name], types[name])
        elif field.default is MISSING and field.default_factory is MISSING:
            raise ValueError(f"{name} is missing")
    return kind(**checked)


_SIMPLE = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def _checked(name: str, value: Any, wanted: Any) -> Any:
    choices = get_args(wanted) if isinstance(wanted, UnionType) else (wanted,)
    if not set(choices) <= {*_SIMPLE, NoneType} or (type(value) in choices and _finite(value)):
        return value
    # JSON writers may leave out the ".0".
    if float in choices and type(value) is int and abs(value) < 2**1000:
        return float(value)
    words = " or ".join(_SIMPLE.get(choice, "null") for choice in choices)
    raise ValueError(f"{name} must be {words}, got {str(value)[:40]!r}")


def _finite(value: Any) -> bool:
    return not isinstance(value, float) or math.isfinite(value)
