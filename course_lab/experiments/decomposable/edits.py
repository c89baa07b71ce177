"""Edits of statements: what makes one sentence of an inference pair out of the other.

Each either makes a statement say less (a modifier dropped, a dog that becomes an animal), or
changes it so that nothing follows (another word, two that change places), or says the same.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from course_lab.experiments.decomposable.statements import (
    KINDS,
    SUITING,
    draw_statement,
    is_named,
    nouns_like,
    verbs_like,
)
from course_lib.data.mini_world.meaning import NounPhrase
from course_lib.data.mini_world.phrases import Chance, Misfit

ADVERBIALS = ("time", "manner", "place")
T = TypeVar("T")


class Draft:
    """A pair in the making: two clauses, and how subject and predicate of the second compare.

    Each edit changes the clause of a side, 0 the premise and 1 the hypothesis. It raises Misfit if
    that cannot be done, or if a word has been changed before: two changes could cancel out.
    `compared` is what `label_of` asks for.
    """

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.clauses = [draw_statement(chance)] * 2
        self.compared = {"subject": "", "predicate": ""}
        self._changed: set[str] = set()

    def modifier(self, side: int) -> None:
        """Drop an adjective, so that the clause says less."""
        nouns = self._nouns(side)
        part = self.chance.pick([part for part in nouns if nouns[part].adjectives])
        self._rephrase(side, part, "up", adjectives=())

    def hypernym(self, side: int) -> None:
        """Make a dog an animal, so that the clause says less."""
        nouns = self._nouns(side)
        part = self.chance.pick([part for part in nouns if nouns[part].noun in KINDS])
        self._rephrase(side, part, "up", noun=KINDS[nouns[part].noun])

    def adverbial(self, side: int) -> None:
        """Drop when, how or where, so that the clause says less."""
        clause = self.clauses[side]
        part = self.chance.pick([name for name in ADVERBIALS if getattr(clause, name) is not None])
        self._change(side, "up", [part], **{part: None})

    def other_word(self, side: int) -> None:
        """Put another verb, noun or adjective in the position of one."""
        clause, nouns = self.clauses[side], self._nouns(side)
        part = self.chance.pick(["verb", *nouns])
        if part == "verb":
            verb = self._other(verbs_like(clause), clause.verb)
            self._change(side, "other", ["verb"], verb=verb)
            return
        phrase = nouns[part]
        if phrase.adjectives and self.chance.happens(0.5):
            adjective = self._other(SUITING[phrase.noun], phrase.adjectives[0])
            self._rephrase(side, part, "other", adjectives=(adjective,))
            return
        used = {p.noun for one in (0, 1) for p in self._nouns(one).values()}
        used |= {KINDS.get(noun) for noun in used}
        others = [noun for noun in nouns_like(clause, part) if noun not in used]
        self._rephrase(side, part, "other", noun=self._other(others, phrase.noun))

    def swapped(self, side: int) -> None:
        """Exchange two names."""
        one, other = self.clauses[side].subject, self.clauses[side].object
        if not (is_named(one) and is_named(other)):
            raise Misfit
        self._change(side, "other", ["subject noun", "object noun"], subject=other, object=one)

    def exchanged(self, side: int) -> None:
        """Exchange the adjectives of subject and object, if both have some, and they differ."""
        one, other = self.clauses[side].subject, self.clauses[side].object
        # With no adjective on one side it would be one modifier less, and another one more.
        if other is None or not (one.adjectives and other.adjectives):
            raise Misfit
        fit = set(other.adjectives) <= set(SUITING.get(one.noun, ()))
        fit &= set(one.adjectives) <= set(SUITING.get(other.noun, ()))
        if not fit or one.adjectives == other.adjectives:
            raise Misfit
        self._change(
            side,
            "other",
            ["subject adjectives", "object adjectives"],
            subject=replace(one, adjectives=other.adjectives),
            object=replace(other, adjectives=one.adjectives),
        )

    def moved(self, side: int) -> None:
        """Put the time from the front to the end, or back, which says the same."""
        clause = self.clauses[side]
        if clause.time is None:
            raise Misfit
        position = "end" if clause.time_position == "front" else "front"
        self._change(side, "", ["time"], time_position=position)

    def _change(self, side: int, direction: str, words: list[str], **parts: Any) -> None:
        """Replace parts of the clause of a side.

        `direction` is "up" if the clause says less than before, "other" if something else, "" if
        the same. `words` are what has changed.
        """
        if self._changed & set(words):
            raise Misfit
        self._changed |= set(words)
        self.clauses[side] = replace(self.clauses[side], **parts)
        if direction == "up" and side == 0:
            direction = "down"
        part = "subject" if words[0].startswith("subject") else "predicate"
        if direction and self.compared[part] not in ("", direction):
            direction = "other"
        self.compared[part] = direction or self.compared[part]

    def _rephrase(self, side: int, part: str, direction: str, **changes: Any) -> None:
        phrase = replace(self._nouns(side)[part], **changes)
        self._change(side, direction, [f"{part} {each}" for each in changes], **{part: phrase})

    def _nouns(self, side: int) -> dict[str, NounPhrase]:
        """Return the phrases of "subject" and "object", if they are there."""
        parts = {part: getattr(self.clauses[side], part) for part in ("subject", "object")}
        return {part: phrase for part, phrase in parts.items() if phrase is not None}

    def _other(self, options: Sequence[T], than: T) -> T:
        return self.chance.pick([option for option in options if option is not than])
