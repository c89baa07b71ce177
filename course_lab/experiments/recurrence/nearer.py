"""How often going by the nearer noun gives the right verb, in sentences of the mini-world.

Where a relative clause stands between subject and verb, another noun may stand nearer to the verb.
It misleads where the two differ in number.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from course_lib.data.mini_world.lexicon.reader import load

_HELPERS = {"has": False, "does": False, "have": True, "do": True}
_PASSED_OVER = ("not", "often")
_RELATIVES = ("that", "who")


class Nearer(NamedTuple):
    """Shares.

    Attributes:
        between: of the sentences, those in which a relative clause between subject and verb has a
            noun of its own.
        agrees: of these, those in which the noun nearest before the verb has the verb's number.
    """

    between: float
    agrees: float


def nearer_noun(lines: Iterable[Sequence[str]], vocabulary: str = "tiny") -> Nearer:
    """Counts in English sentences of the mini-world, as `grammar.sample` makes them.

    A clause without a noun, as in "the dogs that sleep wait", is passed over: nothing competes.

    Args:
        lines: the words of each.
        vocabulary: of the mini-world.

    Raises:
        ValueError: no sentence has such a noun.
    """
    lexicon = load(vocabulary)
    nouns = {form: many for noun in lexicon.nouns for many, form in enumerate(noun.english)}
    nouns |= {name.english[0]: False for name in lexicon.names}
    verbs = {form: not one for verb in lexicon.verbs for one, form in enumerate(verb.english[:2])}
    verbs |= _HELPERS
    count = between = agrees = 0
    for line in lines:
        count += 1
        words = [word for word in line if word not in _PASSED_OVER]
        # After a helper stands no form that agrees: has read, does not see.
        finite = [
            place
            for place, word in enumerate(words)
            if word in verbs and words[max(0, place - 1)] not in _HELPERS.keys() - {word}
        ]
        relatives = [place for place in range(finite[0]) if words[place] in _RELATIVES]
        if not relatives:
            continue
        main = finite[1]
        inside = [nouns[word] for word in words[relatives[0] : main] if word in nouns]
        if not inside:
            continue
        between += 1
        agrees += inside[-1] == verbs[words[main]]
    if not between:
        raise ValueError("no sentence has a noun in a relative clause between subject and verb")
    return Nearer(between / count, agrees / between)
