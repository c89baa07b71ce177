"""Words of a sentence in the plane, and sentences: what a query reads of them (chapter 6c)."""

import math
from collections.abc import Mapping

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Gate, Label, Part, Point, plane

_FLOOR, _WORDS, _SENTENCES = 146.0, 110.0, 236.0
QUERY = (2.0, 0.0)
WORDS = {"the": (0.0, 1.0), "king": (1.0, 0.0), "laughs": (-1.0, 0.0)}
OTHER = (0.0, 1.0)
"""The vector of the other sentence."""


def read(annotations: Mapping[str, Point]) -> tuple[dict[str, float], Point]:
    """What the query reads with W the identity and b zero: weights, and the weighted sum."""
    power = {
        name: math.exp(sum(q * math.tanh(h) for q, h in zip(QUERY, note, strict=True)))
        for name, note in annotations.items()
    }
    weights = {name: p / sum(power.values()) for name, p in power.items()}
    x, y = (sum(weights[name] * note[i] for name, note in annotations.items()) for i in (0, 1))
    return weights, (x, y)


def king_in_plane() -> Drawing:
    """At the left three words and the sentence, at the right two sentences and the document."""
    words, sentence = read(WORDS)
    notes = {"$s_1$": sentence, "$s_2$": OTHER}
    sentences, document = read(notes)
    parts = [
        *_panel("words", _WORDS, WORDS, words, "$s_1$", sentence),
        *_panel("sentences", _SENTENCES, notes, sentences, "$v$", document),
        Label("$u_w$", _WORDS + 26, _FLOOR + 20, "query"),
        Label("$u_s$", _SENTENCES + 26, _FLOOR + 20, "query"),
    ]
    told = ", ".join(f"{name} {weight:.3f}" for name, weight in words.items())
    one, two = sentences.values()
    return Drawing(
        "king_in_plane",
        "What a query reads of three words, and of two sentences",
        "Two planes. At the left three words as dots, the larger the more weight they have: "
        f"{told}. The query u w points to the right, where king is. The weighted sum s 1 lies at "
        f"{sentence[0]:.3f}, {sentence[1]:.3f}, nearest to king. At the right the sentences s 1, "
        f"with weight {one:.3f}, and s 2, with weight {two:.3f}. The query u s points to the right "
        f"too. Their weighted sum v lies on the line between them, at {document[0]:.3f}, "
        f"{document[1]:.3f}.",
        190,
        parts,
    )


def _panel(
    title: str,
    origin: float,
    notes: Mapping[str, Point],
    weights: Mapping[str, float],
    name: str,
    mean: Point,
) -> list[Part]:
    at = plane(origin, _FLOOR, 86.0)
    left = min(x for x, _ in notes.values())
    parts: list[Part] = [
        Label(title, at((left, 0))[0] - 14, 16, "muted", "start"),
        Arrow([at((left - 0.2, 0)), at((1.18, 0))], "muted", 1.2),
        Arrow([at((0, -0.12)), at((0, 1.3))], "muted", 1.2),
        Arrow([at((0, 0)), at((0.62, 0))], "query", 3),
    ]
    parts += [
        Arrow([at(note), at(mean)], "weight", 1 + 4 * weights[n]) for n, note in notes.items()
    ]
    for word, note in notes.items():
        x, y = at(note)
        role = "context" if word.startswith("$") else "source"
        told = f"{weights[word]:.3f}"
        parts.append(Gate("", x, y, role, 3 + 5 * weights[word]))
        if y > _FLOOR - 20:  # near the axis: the weight stands below it
            name_at = (x, y + 22) if role == "source" else (x + 18, y + 6)
            parts += [Label(word, *name_at, role), Label(told, x, _FLOOR + 38, "weight")]
        else:
            parts += [Label(word, x + 20, y - 4, role), Label(told, x + 52, y - 4, "weight")]
    x, y = at(mean)
    return [*parts, Gate("", x, y, "context", 6), Label(name, x + 10, y - 8, "context", "start")]
