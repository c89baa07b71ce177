"""Chapter 12's figure: operations, bytes and seconds of four layers, and a cache that fills."""

from course_lab.experiments.at_scale import counts, speed
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.cost import Cache, Quantity, growing_costs

NAMES = {
    "attention": "attention",
    "blockwise": "blockwise attention",
    "window": "attention in a window",
    "recurrent": "GRU",
}
LAYERS, HEADS, HEAD_WIDTH = 32, 32, 128
SHARED = {"32 heads of keys": 32, "8, in groups": 8, "1, for all heads": 1}
ROOM = 8 * 2**30
OPENS_ON = 2048
"""Beyond the 384 words at which attention and the GRU do the same number of operations."""


def show() -> Interactive:
    """The figure, of the lengths whose seconds are stored."""
    lengths = speed.LENGTHS
    stored = speed.load()["rows"]
    seconds = {(r["name"], r["n"]): r["seconds"] for r in stored if r["part"] == "length"}
    costs = {m: [counts.layer_cost(m, n) for n in lengths] for m in NAMES}
    token = {
        name: counts.cache_bytes(1, layers=LAYERS, key_heads=heads, width=HEAD_WIDTH)
        for name, heads in SHARED.items()
    }
    return growing_costs(
        lengths,
        [
            Quantity("operations", "", {NAMES[m]: [c.operations for c in costs[m]] for m in NAMES}),
            Quantity("bytes moved", "B", {NAMES[m]: [c.moved for c in costs[m]] for m in NAMES}),
            Quantity(
                "seconds", "s", {NAMES[m]: [seconds.get((m, n)) for n in lengths] for m in NAMES}
            ),
        ],
        Cache(ROOM, token),
        first=OPENS_ON,
    )
