"""A sentence that is thought in one language and arrives in another (chapter 3)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Label, Part

_WAY, _NAME, _BACK = 62.0, 96.0, 128.0


def noisy_channel() -> Drawing:
    """From the left: a language model, the sentence x, the channel, the sentence y; and back."""
    parts: list[Part] = [
        Box("thinks", 36, _WAY, 66, "source"),
        Label("$p(x)$", 36, _WAY - 24, "source"),
        Label("today he waits", 124, _NAME, "source"),
        Label("$x$", 124, _WAY - 12, "source"),
        Arrow([(69, _WAY), (181, _WAY)], "source", 2.2),
        Box("channel", 216, _WAY, 70, "weight"),
        Label("$p(y | x)$", 216, _WAY - 24, "weight"),
        Label("heute wartet er", 306, _NAME, "target"),
        Label("$y$", 306, _WAY - 12, "target"),
        Arrow([(251, _WAY), (356, _WAY)], "target", 2.2),
        Arrow([(306, _NAME + 8), (306, _BACK), (124, _BACK), (124, _NAME + 8)], "muted", 1.6, True),
        Label("to translate: which $x$ was sent?", 215, _BACK + 20, "ink"),
    ]
    return Drawing(
        "noisy_channel",
        "The noisy channel",
        "From left to right: somebody thinks an English sentence x, today he waits, with "
        "probability p of x. It goes through a channel that turns it, with probability p of y "
        "given x, into the German sentence y, heute wartet er. A dashed arrow leads back from y "
        "to x: to translate is to ask which x was sent.",
        _BACK + 28,
        parts,
    )
