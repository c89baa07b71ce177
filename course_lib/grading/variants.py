"""Private variants of a homework: a few changes of its source, of which each number draws its own.

A homework's changes are in `variants.txt` beside its source, written as known slips are:

    The largest component is clipped, not the norm.
    - `norm` is the length
    + `norm` is the largest component

A line with its name begins a change. Each text after `-` is found once in the source, and the text
after `+` takes its place, in the question, the solution and the tests alike. Several lines are one
text. Variant v0 is the public source; the binary digits of another number choose its changes.
"""

import re
from pathlib import Path
from typing import NamedTuple

from course_lib.errors import CourseError

PUBLIC = "v0"


class Change(NamedTuple):
    """One change: its name, and pairs of old and new text."""

    name: str
    patches: list[tuple[str, str]]


def varied(source: Path, variant: str) -> str:
    """The text of a homework's source in a variant.

    Args:
        source: the homework's script, which may have `variants.txt` beside it.
        variant: "v0" for the public one, or such as "v3".

    Raises:
        CourseError: there is no such variant, or a change that no longer fits the source.
    """
    text = source.read_text(encoding="utf-8")
    for name, patches in chosen(source, variant):
        for old, new in patches:
            if (count := text.count(old)) != 1:
                raise CourseError(
                    f"{source.with_name('variants.txt')}, {name}: want this text once in the "
                    f"source; got it {count} times: {old}"
                )
            text = text.replace(old, new)
    return text


def chosen(source: Path, variant: str) -> list[Change]:
    """The changes of a variant.

    Raises:
        CourseError: there is no such variant.
    """
    rules = source.with_name("variants.txt")
    try:
        known = parse(rules.read_text(encoding="utf-8")) if rules.is_file() else []
    except IndexError:
        raise CourseError(f"{rules}: want a change's name, then - lines, then + lines") from None
    number = int(variant[1:]) if re.fullmatch(r"v\d{1,6}", variant) else -1
    if not 0 <= number < 2 ** len(known):
        last = f"v0 (the public one) to v{2 ** len(known) - 1}" if known else "v0 (the public one)"
        raise CourseError(
            f"want a variant of {source.stem}, that is {last}; got {variant!r} "
            f"(its changes are written in {rules})"
        )
    return [change for place, change in enumerate(known) if number >> place & 1]


def parse(text: str) -> list[Change]:
    """The changes in a `variants.txt`; lines that begin with # are comments.

    Raises:
        IndexError: a line begins with - before any name, or with + before any -.
    """
    changes: list[Change] = []
    before = ""
    for line in text.splitlines():
        mark, rest = line[:1], line[2:]
        if mark == "-":
            if before != "-":
                changes[-1].patches.append((rest, ""))
            else:
                changes[-1].patches[-1] = (f"{changes[-1].patches[-1][0]}\n{rest}", "")
        elif mark == "+":
            old, new = changes[-1].patches[-1]
            changes[-1].patches[-1] = (old, rest if before != "+" else f"{new}\n{rest}")
        elif mark not in ("#", ""):
            changes.append(Change(line.strip(), []))
        before = mark
    return changes
