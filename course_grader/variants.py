"""Private variants of a homework: a few changes of its source, of which each number has its own.

A homework's changes are in `variants.txt` beside its source, written as known slips are:

    The largest component is clipped, not the norm.
    - `norm` is the length
    + `norm` is the largest component

A line of text begins a change. Each text after `-` is once in the source, and the text after `+`
replaces it, in the question, the solution and the tests alike; lines in a row are one text. Variant
v0 is the public source; the binary digits of another number choose its changes.
"""

import re
from pathlib import Path

from course_grader import GraderError

PUBLIC = "v0"

Change = tuple[str, list[list[str]]]  # its name, and pairs of old and new text


def varied(source: Path, variant: str = PUBLIC) -> str:
    """Return the text of a homework's source in a variant."""
    text, rules = source.read_text(encoding="utf-8"), source.with_name("variants.txt")
    changes = read_changes(rules.read_text(encoding="utf-8")) if rules.is_file() else []
    number = int(variant[1:]) if re.fullmatch(r"v\d{1,6}", variant) else -1
    if not 0 <= number < 2 ** len(changes):
        raise GraderError(
            f"want a variant of {source.stem} from v0 to v{2 ** len(changes) - 1} (its changes are "
            f"written in {rules}); got {variant!r}"
        )
    for place, (name, patches) in enumerate(changes):
        for old, new in patches if number >> place & 1 else ():
            if (count := text.count(old)) != 1:
                raise GraderError(
                    f"{rules}, {name}: want this text once in the source; got it {count} times: "
                    f"{old}"
                )
            text = text.replace(old, new)
    return text


def read_changes(text: str) -> list[Change]:
    """Return the changes in a `variants.txt`; a line that begins with # is a comment."""
    changes: list[Change] = []
    before = ""
    for line in text.splitlines():
        mark, rest = line[:1], line[2:]
        if (mark == "-" and not changes) or (mark == "+" and before not in ("-", "+")):
            raise GraderError(
                f"variants.txt: want a change's name, then - and + lines; got {line!r}"
            )
        if mark == before and mark in ("-", "+"):
            changes[-1][1][-1][mark == "+"] += f"\n{rest}"
        elif mark == "-":
            changes[-1][1].append([rest, ""])
        elif mark == "+":
            changes[-1][1][-1][1] = rest
        elif mark not in ("#", ""):
            changes.append((line.strip(), []))
        before = mark
    return changes
