"""A GPT that runs in the page: a beginning to type, three dials, and what each head reads."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from course_lab.figures.touch.core import Interactive, rounded, stored
from course_lab.figures.touch.dials import ROWS, STEPS, Dials, dialled_table


class FirstReading(NamedTuple):
    """What stands there before the network is asked, and where no script runs.

    Attributes:
        text: the beginning, T characters.
        logits: V + 4 numbers for the next character; the first four are marks, no characters.
        looks: (L · H, T) attention weights from the last character, layer by layer.
        dialled: by the name of a setting of the dials the probability of each of `names`.
        names: the most probable characters.
    """

    text: str
    logits: Sequence[float]
    looks: Sequence[Sequence[float]]
    dialled: Mapping[str, Sequence[float]]
    names: Sequence[str]


def gpt(
    net: bytes,
    characters: str,
    opening: FirstReading,
    *,
    layers: int,
    heads: int,
    head: tuple[int, int],
    dials: Dials,
    samples: Sequence[str],
    longest: int,
    most: int = 200,
) -> Interactive:
    """Shows a text, what may follow it under each dial, and which characters a head reads.

    Args:
        net: a safetensors file as `course_lab.experiments.gpt.in_page` makes it.
        characters: V, in the order of their ids.
        opening: see there.
        layers: L, of the network.
        heads: H, of each layer.
        head: layer and head that are shown at first, both from 0.
        dials: where they stand at first.
        samples: beginnings to choose from.
        longest: the most characters that are read.
        most: the most characters that are written.
    """
    marks = "".join(sign for sign in characters if not sign.isalpha() and not sign.isspace())
    name = f"The next character after “{visible(opening.text)}”"
    return Interactive(
        "gpt",
        f"A GPT to run, with {layers * heads} heads to look at and three dials",
        tables=[dialled_table(name, opening.names, opening.dialled), stored(net, "gpt")],
        parts=["net", "bars", "words", "table", "sentence", "maps", "gpt_net", "dials"],
        data={
            "characters": characters,
            "own": opening.text,
            "first": {
                "logits": rounded(opening.logits),
                "looks": list(map(rounded, opening.looks)),
            },
            "layers": layers,
            "heads": heads,
            "head": head[0] * heads + head[1],
            "dials": dials.packed(),
            "rows": ROWS,
            "steps": STEPS,
            "samples": list(samples),
            "longest": longest,
            "most": most,
            "size": f"{len(net) / 1e6:.1f} MB",
            "known": f"the letters from A to Z and a to z, the blank, the line break and {marks}",
        },
    )


def visible(text: str) -> str:
    """The text in one line."""
    return text.replace("\n", "↵")
