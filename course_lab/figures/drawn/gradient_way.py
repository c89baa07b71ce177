"""The gradient's way back through two steps, with its factors (chapter 1)."""

import math

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Label, Part

WEIGHT, START = 0.5, 1.0
_COLUMNS = (46.0, 180.0, 314.0)
_STATES, _BACK, _TERMS, _SUM = 34.0, 104.0, 172.0, 221.0
_WIDEST = 9.0


def hand() -> dict[str, tuple[float, ...]]:
    """States h_0 to h_2, slopes of steps 1 and 2, gradients at h_0 to h_2, terms of steps 1, 2."""
    h0 = START
    h1 = math.tanh(WEIGHT * h0)
    h2 = math.tanh(WEIGHT * h1)
    s1, s2 = 1 - h1**2, 1 - h2**2
    g1 = s2 * WEIGHT
    return {
        "states": (h0, h1, h2),
        "slopes": (s1, s2),
        "gradients": (g1 * s1 * WEIGHT, g1, 1.0),
        "terms": (g1 * s1 * h0, s2 * h1),
    }


def gradient_way() -> Drawing:
    """Forwards two steps of a net with one weight; backwards the factors, and both terms of w."""
    found = hand()
    states, slopes, gradients, terms = found.values()
    factors = (f"{gradients[1]:.3f} · {slopes[0]:.3f}", f"{slopes[1]:.3f}")
    parts: list[Part] = []
    for number, (x, state) in enumerate(zip(_COLUMNS, states, strict=True)):
        shown = "1" if number == 0 else f"{state:.3f}"
        text = "1" if number == 2 else f"{gradients[number]:.3f}"
        parts += [
            Box(f"$h_{number}$ = {shown}", x, _STATES, 84, "state"),
            Label(text, x, _BACK + 5, "ink"),
        ]
    for step in (1, 2):
        left, right = _COLUMNS[step - 1], _COLUMNS[step]
        middle = (left + right) / 2
        wide = _WIDEST * gradients[step]
        parts += [
            Arrow([(left + 42, _STATES), (right - 42, _STATES)], "state"),
            Label("$w$", middle, _STATES - 8, "ink"),
            Arrow([(right - 24, _BACK), (left + 26, _BACK)], "ink", wide),
            Label(f"× {slopes[step - 1]:.3f} × $w$", middle, _BACK - 18, "ink"),
            Arrow([(middle, _BACK + 10), (middle, _TERMS - 16)], "weight"),
            Label(f"{factors[step - 1]} · $h_{step - 1}$", middle, _TERMS, "weight"),
            Label(f"step {step}: {terms[step - 1]:.3f}", middle, _TERMS + 17, "weight"),
        ]
    total = sum(terms)
    parts.append(Label(f"gradient of $w$: the sum, {total:.3f}", 180, _SUM, "weight"))
    return Drawing(
        "gradient_way",
        "The gradient goes back through two steps",
        f"Forwards, h 0 = 1 becomes h 1 = {states[1]:.3f} and h 2 = {states[2]:.3f}, each time "
        "through w and tanh. Backwards, the gradient is 1 at h 2. On the way to h 1 it is "
        f"multiplied by the slope {slopes[1]:.3f} and by w, and {gradients[1]:.3f} is left; on the "
        f"way to h 0 by {slopes[0]:.3f} and by w, and {gradients[0]:.3f} is left. Each step leaves "
        f"a term of the gradient of w: {factors[1]} times h 1 is {terms[1]:.3f} from step 2, "
        f"{factors[0].replace('·', 'times')} times h 0 is {terms[0]:.3f} from step 1, together "
        f"{total:.3f}.",
        231,
        parts,
    )
