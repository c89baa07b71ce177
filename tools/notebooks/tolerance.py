"""When two outputs say the same: the text exactly, integers exactly, other numbers nearly."""

import math
import os
import re
from typing import NamedTuple

_NUMBER = re.compile(
    r"""(?<![\w.])                          # not inside a word, a name or a version
        [-+]?
        (?: (?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?(?![\d]) | (?:inf|nan)\b )""",
    re.VERBOSE,
)
# A figure to touch bears a hash of its numbers, which may move within the tolerance.
_FIGURE = re.compile(r"\bcl-([a-z]+)-[0-9a-f]{10}\b")
_GAP = re.compile(r"\s+")
# A sign or another digit moves the columns of a table, so the space around a number is free.
_AROUND = re.compile(r"\s*#\s*")


class Tolerance(NamedTuple):
    """Numbers a and b agree if |a - b| <= max(relative * max(|a|, |b|), absolute)."""

    relative: float = 1e-5
    absolute: float = 1e-8

    def at(self, value: float) -> float:
        """How far a number of this size may be off."""
        return max(self.relative * abs(value), self.absolute)

    def widened(self, own: dict | None) -> "Tolerance":
        """This one, or a cell's own where that is wider (`tolerance: {rtol: ..., atol: ...}`)."""
        if not own:
            return self
        return Tolerance(
            max(self.relative, float(own.get("rtol", 0.0))),
            max(self.absolute, float(own.get("atol", 0.0))),
        )


def from_environment() -> Tolerance:
    """The lane's tolerance: strict, unless COURSE_RTOL says otherwise (the GPU lane does)."""
    return Tolerance(relative=float(os.environ.get("COURSE_RTOL", Tolerance().relative)))


def agrees(stored: str, new: str, tolerance: Tolerance) -> bool:
    """True if the texts are the same but for white space around numbers and small differences."""
    if stored == new:
        return True
    if skeleton(stored) != skeleton(new):
        return False
    pairs = zip(numbers(stored), numbers(new), strict=True)
    return all(_near(a, b, tolerance) for a, b in pairs)


def numbers(text: str) -> list[str]:
    """The numbers of a text as they are printed, in order."""
    return _NUMBER.findall(_FIGURE.sub(r"cl-\1", text))


def skeleton(text: str) -> str:
    """A text without its numbers and the white space around them."""
    # "#" in the text itself stays: it is doubled, so that it never looks like a number's place.
    text = _FIGURE.sub(r"cl-\1", text).replace("#", "##")
    bare = _NUMBER.sub("\0", text).replace("\0", " # ")
    return _GAP.sub(" ", _AROUND.sub("#", bare)).strip()


def _near(a: str, b: str, tolerance: Tolerance) -> bool:
    if a == b:
        return True
    if is_integer(a) and is_integer(b):  # counts, shapes and positions are right or wrong
        return int(a) == int(b)
    return math.isclose(float(a), float(b), rel_tol=tolerance.relative, abs_tol=tolerance.absolute)


def is_integer(number: str) -> bool:
    """True for a count, a shape, a position; a float that happens to be whole has its point."""
    return number.lstrip("+-").isdigit()
