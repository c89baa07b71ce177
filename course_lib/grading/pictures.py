"""A picture of want and got, where a test's message holds numbers."""

import math
import re
from html import escape

MOST = 64
"""Numbers that a picture can hold; of more, none is drawn."""

_NUMBER = r"(?<![\w.])(?:nan|-?inf|-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?![\w.]*\w)"
_WIDTH, _HEIGHT, _MIDDLE = 480, 120, 60


def want_and_got(message: str) -> tuple[list[float], list[float]] | None:
    """The numbers that a message wanted and got: as many on both sides, or None.

    Two lists, or two single numbers; shapes and counts of things are no picture.
    """
    want, found, got = message[:4000].partition(" got ")
    want = want[want.find("want") :] if "want" in want else ""
    if not found or not want or "shape" in want:
        return None
    lists = _list(want), _list(got)
    if all(lists):
        pair = [[float(number) for number in re.findall(_NUMBER, each)] for each in lists]
    else:
        pair = [[float(number) for number in re.findall(_NUMBER, each)[:1]] for each in (want, got)]
    if len(pair[0]) != len(pair[1]) or not 1 <= len(pair[0]) <= MOST:
        return None
    return pair[0], pair[1]


def svg(message: str) -> str:
    """The picture as HTML, or nothing where the message has no numbers for it."""
    pair = want_and_got(message)
    if pair is None:
        return ""
    wanted, came = pair
    largest = max((abs(x) for x in wanted + came if math.isfinite(x)), default=0.0) or 1.0
    step = min(_WIDTH / len(wanted), 60.0)
    bars = []
    for place, (want, got) in enumerate(zip(wanted, came, strict=True)):
        left = place * step
        bars.append(_bar(want, largest, left + 0.1 * step, 0.38 * step, "want"))
        bars.append(_bar(got, largest, left + 0.52 * step, 0.38 * step, "got"))
    told = escape(f"wanted {_told(wanted)}; got {_told(came)}")
    width = step * len(wanted)
    height = _HEIGHT if any(x < 0 for x in wanted + came) else _MIDDLE + 1
    return (
        f'<figure><svg viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" '
        f'role="img" aria-label="{told}"><line class="axis" x1="0" x2="{width:.0f}" '
        f'y1="{_MIDDLE}" y2="{_MIDDLE}"/>{"".join(bars)}</svg>'
        '<figcaption><span class="want">■</span> wanted <span class="got">■</span> got'
        "</figcaption></figure>"
    )


def _list(text: str) -> str:
    """From the first bracket to the one that closes it; empty if there is none."""
    depth, start = 0, text.find("[")
    for place in range(max(start, 0), len(text)):
        depth += {"[": 1, "]": -1}.get(text[place], 0)
        if start >= 0 and depth == 0:
            return text[start : place + 1]
    return ""


def _bar(value: float, largest: float, left: float, width: float, kind: str) -> str:
    if not math.isfinite(value):  # no bar is long enough for it
        return f'<text class="{kind}" x="{left:.1f}" y="{_MIDDLE - 4}">{value}</text>'
    height = max(abs(value) / largest * (_MIDDLE - 4), 1.0)
    top = _MIDDLE - height if value >= 0 else _MIDDLE
    return (
        f'<rect class="{kind}" x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}"><title>{value:g}</title></rect>'
    )


def _told(values: list[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)
