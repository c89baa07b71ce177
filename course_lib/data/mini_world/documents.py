"""Documents with one deciding sentence: where is the king?

A document is a handful of sentences of the grammar, in any order:

    one deciding sentence    the king often sleeps in the kitchen .
    rivals                   often the woman waits in the garden .
    mentions                 Anna hears the king .
    others                   two dogs wait .

Its label is the place in the deciding sentence, the only one that says the king's place. Rivals
name a place and somebody else, mentions name the king and no place: neither word alone finds the
sentence that decides.

Nothing else can carry the label. Deciding sentences and rivals are made from the same *frames*,
sentences with a blank for who and a blank for where. And documents come in families, one document
for each place, which are the same word for word but for the place in the deciding sentence. So
over a sample whatever is counted in the rest of the documents is the same for every label.
"""

from dataclasses import dataclass
from random import Random

from course_lib.data.document import Document
from course_lib.data.mini_world.frames import KING, PLACES, Pools, pools
from course_lib.data.mini_world.phrases import Chance
from course_lib.errors import CourseError

RIVALS, MENTIONS = 3, 1
SILENCE = len(PLACES)
"""The label of a document that does not say where the king is."""


@dataclass(frozen=True, slots=True)
class DecidedDocument(Document):
    """A document that knows which sentence decides its label.

    Attributes:
        decider: the position of the deciding sentence; of a silent document, the position of the
            sentence that replaces it.
        deciding: the positions in it of the two words that decide together, who and where.
        family: documents of one family are the same but for the deciding words.
    """

    decider: int
    deciding: tuple[int, int]
    family: int

    @property
    def silent(self) -> bool:
        """Return whether nothing says where the king is."""
        return self.label == SILENCE


def sample(
    split: str,
    families: int,
    *,
    seed: int = 0,
    sentences: tuple[int, int] = (6, 8),
    rivals: int = RIVALS,
    silent: bool = False,
) -> list[DecidedDocument]:
    """Draw families of documents, one document for each place, all different.

    Args:
        split: train, valid or test. No sentence of one is in another, and no frame.
        families: how many; each gives as many documents as there are places.
        seed: the same seed gives the same sample, on every machine.
        sentences: fewest and most sentences of a document, `rivals` + 2 or more.
        rivals: how many sentences place somebody else.
        silent: one document more in each family, in which somebody else stands in the king's
            sentence. So nothing says where the king is, and the label is `SILENCE`.

    Raises:
        KeyError: an unknown split.
        CourseError: there are not so many different families.
    """
    # By the sentences of its first document, which no other family has.
    drawn: dict[tuple, list[DecidedDocument]] = {}
    chance = Chance(Random(f"{seed} documents {split}"))
    for _ in range(20 * families):
        if len(drawn) == families:
            break
        family = _family(pools()[split], chance, sentences, rivals, len(drawn))
        drawn.setdefault(family[0].sentences, family)
    if len(drawn) < families:
        raise CourseError(f"wanted {families} different families, found only {len(drawn)}")
    count = len(PLACES) + silent
    return [document for family in drawn.values() for document in family[:count]]


def _family(
    pool: Pools, chance: Chance, sentences: tuple[int, int], rivals: int, number: int
) -> list[DecidedDocument]:
    """Draw one document for each place, and a silent one, which share their other sentences."""
    pick = chance.pick
    size = chance.number(*sentences)
    deciding = pick(pool.frames)
    lines = []
    for _ in range(rivals):
        frame = pick(pool.frames)
        lines.append(frame.filled(pick(frame.people), pick(PLACES)))
    lines += [pick(pool.mentions) for _ in range(MENTIONS)]
    lines += [pick(pool.others) for _ in range(size - 1 - len(lines))]
    for last in range(len(lines) - 1, 0, -1):  # Fisher-Yates
        other = chance.number(0, last)
        lines[last], lines[other] = lines[other], lines[last]
    decider = chance.number(0, size - 1)
    answers = [*((KING, where) for where in PLACES), (pick(deciding.people), pick(PLACES))]
    return [
        DecidedDocument(
            (*lines[:decider], deciding.filled(*answer), *lines[decider:]),
            label,
            decider,
            deciding.blanks,
            number,
        )
        for label, answer in enumerate(answers)
    ]
