"""Edits of statements: what makes one sentence of an inference pair out of the other.

Each either makes a statement say less (a modifier dropped, a dog that becomes an animal), or
changes it so that nothing follows (another word, two that change places), or says the same.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from course_lib.data.mini_world.meaning import Clause, NounPhrase
from course_lib.data.mini_world.phrases import Chance, Misfit
from course_lib.data.mini_world.statements import (
    KINDS,
    SUITING,
    draw_statement,
    is_named,
    nouns_like,
    verbs_like,
)

ADVERBIALS = ("time", "manner", "place")
T = TypeVar("T")


class Draft:
    """A pair in the making: two clauses, and how the second compares with the first by part.

    Each edit changes the clause of a side, 0 the premise and 1 the hypothesis. It raises Misfit if
    that cannot be done, or if a word has been changed before: two changes could cancel out.
    """

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.clauses = [draw_statement(chance)] * 2
        self.done: list[str] = []
        self._changes: dict[str, set[str]] = {"subject": set(), "predicate": set()}
        self._changed: set[str] = set()

    def compared(self, part: str) -> str:
        """Return how a part of the second clause compares with the first, for `label_of`."""
        changes = self._changes[part] - {""}
        return changes.pop() if len(changes) == 1 else "other" if changes else ""

    def modifier(self, side: int) -> None:
        """Drop an adjective, so that the clause says less."""
        part = self.chance.pick([p for p, phrase in self._nouns(side) if phrase.adjectives])
        self._rephrase("modifier", side, part, "up", adjectives=())

    def hypernym(self, side: int) -> None:
        """Make a dog an animal, so that the clause says less."""
        part = self.chance.pick([p for p, phrase in self._nouns(side) if phrase.noun in KINDS])
        noun = KINDS[getattr(self.clauses[side], part).noun]
        self._rephrase("hypernym", side, part, "up", noun=noun)

    def adverbial(self, side: int) -> None:
        """Drop when, how or where, so that the clause says less."""
        clause = self.clauses[side]
        part = self.chance.pick([name for name in ADVERBIALS if getattr(clause, name) is not None])
        self._change("adverbial", side, replace(clause, **{part: None}), "up", part)

    def other_word(self, side: int) -> None:
        """Put another verb, noun or adjective in the position of one."""
        clause = self.clauses[side]
        part = self.chance.pick(["verb", *(part for part, _ in self._nouns(side))])
        if part == "verb":
            verb = self._other(verbs_like(clause), clause.verb)
            self._change("other word", side, replace(clause, verb=verb), "other", "verb")
            return
        phrase = getattr(clause, part)
        if phrase.adjectives and self.chance.happens(0.5):
            adjective = self._other(SUITING[phrase.noun], phrase.adjectives[0])
            self._rephrase("other word", side, part, "other", adjectives=(adjective,))
            return
        used = {p.noun for one in (0, 1) for _, p in self._nouns(one)}
        used |= {KINDS.get(noun) for noun in used}
        others = [noun for noun in nouns_like(clause, part) if noun not in used]
        self._rephrase("other word", side, part, "other", noun=self._other(others, phrase.noun))

    def swapped(self, side: int) -> None:
        """Exchange two names."""
        clause = self.clauses[side]
        if not (is_named(clause.subject) and is_named(clause.object)):
            raise Misfit
        swapped = replace(clause, subject=clause.object, object=clause.subject)
        self._change("swapped", side, swapped, "other", "subject noun", "object noun")

    def exchanged(self, side: int) -> None:
        """Exchange the adjectives of subject and object, if both have some, and they differ."""
        clause = self.clauses[side]
        one, other = clause.subject, clause.object
        # With no adjective on one side it would be one modifier less, and another one more.
        if other is None or not (one.adjectives and other.adjectives):
            raise Misfit
        suiting = set(SUITING.get(one.noun, ())), set(SUITING.get(other.noun, ()))
        if one.adjectives == other.adjectives:
            raise Misfit
        if not (set(other.adjectives) <= suiting[0] and set(one.adjectives) <= suiting[1]):
            raise Misfit
        subject = replace(one, adjectives=other.adjectives)
        clause = replace(clause, subject=subject, object=replace(other, adjectives=one.adjectives))
        words = ("subject adjectives", "object adjectives")
        self._change("exchanged", side, clause, "other", *words)

    def moved(self, side: int) -> None:
        """Put the time from the front to the end, or back, which says the same."""
        clause = self.clauses[side]
        if clause.time is None:
            raise Misfit
        position = "end" if clause.time_position == "front" else "front"
        self._change("moved", side, replace(clause, time_position=position), "", "time")

    def _change(self, name: str, side: int, clause: Clause, direction: str, *words: str) -> None:
        """Replace the clause of a side.

        Args:
            name: of the construction.
            side: which clause.
            clause: what it is now.
            direction: "up" if it says less than before, "other" if something else, "" if the same.
            words: the parts whose words changed.
        """
        if self._changed & set(words):
            raise Misfit
        self._changed |= set(words)
        if direction == "up" and side == 0:
            direction = "down"
        part = "subject" if words[0].startswith("subject") and name != "swapped" else "predicate"
        self.clauses[side] = clause
        self._changes[part].add(direction)
        self.done.append(name)

    def _rephrase(self, name: str, side: int, part: str, direction: str, **changes: Any) -> None:
        clause = self.clauses[side]
        changed = replace(clause, **{part: replace(getattr(clause, part), **changes)})
        self._change(name, side, changed, direction, *(f"{part} {each}" for each in changes))

    def _nouns(self, side: int) -> list[tuple[str, NounPhrase]]:
        """Return "subject" and "object" with their phrases, if they are there."""
        pairs = ((part, getattr(self.clauses[side], part)) for part in ("subject", "object"))
        return [(part, phrase) for part, phrase in pairs if phrase is not None]

    def _other(self, options: Sequence[T], than: T) -> T:
        return self.chance.pick([option for option in options if option is not than])
