"""The next word of a translation under three dials, at some places of it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from course_lab.figures.touch.core import Interactive
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
    logits, after = places[opened].logits, _after(places[opened])
    likely = sorted(range(len(words)), key=lambda i: -logits[i])[:ROWS]
    return Interactive(
        "nextword",
        f"The next word at {len(places)} places of a sentence, with three dials",
        f"After “{after}” the most probable word is “{words[likely[0]]}”.",
        tables=[
            dialled_table(
                f"The next word after “{after}”",
                [words[i] for i in likely],
                {name: [row[i] for i in likely] for name, row in dialled.items()},
            )
        ],
        data={
            "words": list(words),
            "places": [
                {
                    "after": _after(place),
                    "logits": [round(float(logit), 3) for logit in place.logits],
                }
                for place in places
            ],
            "opened": opened,
            "dials": dials.packed(),
            "rows": min(ROWS, len(words)),
            "steps": STEPS,
        },
        parts=["bars", "table", "dials"],
    )


def _after(place: Place) -> str:
    return " ".join(place.before) or "start"
