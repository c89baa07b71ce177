"""The next word of a translation under three dials, at some places of it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from course_lab.figures.touch.core import Interactive, rounded
from course_lab.figures.touch.dials import ROWS, STEPS, Dials, dialled_table


class Place(NamedTuple):
    """A place in a sentence that is being written.

    Attributes:
        before: the words that are written already.
        logits: V numbers, one for each word that may come.
    """

    before: Sequence[str]
    logits: Sequence[float]


def next_word(
    words: Sequence[str],
    places: Sequence[Place],
    dialled: Mapping[str, Sequence[float]],
    *,
    dials: Dials,
    opened: int = 0,
) -> Interactive:
    """Shows what may come next, and what each dial leaves of it.

    Args:
        words: V words that may come, the end mark among them under a name.
        places: to choose from.
        dialled: for the table, of the opened place: by the name of a setting of the dials V
            probabilities.
        dials: where they stand at first.
        opened: the place that is shown at first.
    """
    after = [" ".join(place.before) or "start" for place in places]
    likely = sorted(range(len(words)), key=lambda i: -places[opened].logits[i])[:ROWS]
    return Interactive(
        "nextword",
        f"The next word at {len(places)} places of a sentence, with three dials",
        tables=[
            dialled_table(
                f"The next word after “{after[opened]}”",
                [words[i] for i in likely],
                {name: [row[i] for i in likely] for name, row in dialled.items()},
            )
        ],
        data={
            "words": list(words),
            "places": [
                {"after": text, "logits": rounded(place.logits)}
                for text, place in zip(after, places, strict=True)
            ],
            "opened": opened,
            "dials": dials.packed(),
            "rows": min(ROWS, len(words)),
            "steps": STEPS,
        },
        parts=["bars", "table", "dials"],
    )
