"""One number on the LSTM's road: written at the noun, kept, shown before the verb (chapter 1)."""

import math
from typing import NamedTuple

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Gate, Label, Part

_WORD, _ROAD, _FORGET, _WRITE = 16.0, 52.0, 100.0, 124.0
_SHOW, _STATE, _FATE = 172.0, 214.0, 242.0
_LEFT, _STEP = 24.0, 110.0
_TIMES, _PLUS, _HELD = 18.0, 56.0, 86.0
"""Within a step: where it is multiplied, where something is added, and what is held then."""


class GateStep(NamedTuple):
    """A word, the gates that it sets, and what it would write."""

    word: str
    forget: int
    write: int
    candidate: int
    show: int
    fate: str


STEPS = (
    GateStep("dog", 0, 1, 1, 0, "write"),
    GateStep("sees", 1, 0, 0, 0, "keep"),
    GateStep("cats", 1, 0, -1, 1, "keep, and show"),
)


def held() -> list[tuple[float, float]]:
    """c and h after each word."""
    cell, found = 0.0, []
    for step in STEPS:
        cell = step.forget * cell + step.write * step.candidate
        found.append((cell, step.show * math.tanh(cell)))
    return found


def kept_number() -> Drawing:
    """Three steps of one cell. Its gates are quite open or quite shut."""
    parts: list[Part] = [Label("0", 10, _ROAD + 5, "state")]
    for number, (step, (cell, state)) in enumerate(zip(STEPS, held(), strict=True)):
        parts += _step(step, _LEFT + number * _STEP, f"{cell:g}", f"{state:.2g}")
    told = "; ".join(
        f"at {step.word} f is {step.forget}, i is {step.write}, the candidate {step.candidate}, "
        f"o is {step.show}: c becomes {cell:g} and h {state:.2g}"
        for step, (cell, state) in zip(STEPS, held(), strict=True)
    )
    return Drawing(
        "kept_number",
        "One number is written, kept and shown",
        f"A cell begins at 0 and reads dog, sees, cats. In words: {told}. So what dog wrote is "
        "kept where cats would write the opposite.",
        250,
        parts,
    )


def _step(step: GateStep, left: float, cell: str, state: str) -> list[Part]:
    times, plus, kept = left + _TIMES, left + _PLUS, left + _HELD
    candidate = f"{step.candidate}".replace("-", "−")
    return [
        Label(step.word, plus, _WORD, "source"),
        Arrow([(left - 6, _ROAD), (times - 11, _ROAD)], "state", 4),
        Gate("×", times, _ROAD, "weight"),
        Arrow([(times + 11, _ROAD), (plus - 11, _ROAD)], "state", 4),
        Gate("+", plus, _ROAD),
        Arrow([(plus + 11, _ROAD), (kept - 7, _ROAD)], "state", 4),
        Label(cell, kept, _ROAD + 5, "state"),
        Arrow([(times, _FORGET - 15), (times, _ROAD + 11)], "weight"),
        Label(f"$f$ = {step.forget}", times, _FORGET, "weight"),
        Arrow([(plus, _WRITE - 15), (plus, _ROAD + 11)], "weight"),
        Label(f"$i$ = {step.write}", plus, _WRITE, "weight"),
        Label(f"$c̃$ = {candidate}", plus, _WRITE + 19, "weight"),
        Arrow([(kept, _ROAD + 12), (kept, _SHOW - 11)], "state"),
        Gate("×", kept, _SHOW, "weight"),
        Label(f"$o$ = {step.show}", kept - 15, _SHOW + 5, "weight", "end"),
        Arrow([(kept, _SHOW + 11), (kept, _STATE - 13)], "state"),
        Label(f"$h$ = {state}", kept, _STATE, "state"),
        Label(step.fate, plus, _FATE, "muted"),
    ]
