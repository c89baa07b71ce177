"""Edits of statements: what makes one sentence of an inference pair out of the other.

Each either makes a statement say less (a modifier dropped, a dog that becomes an animal), or
changes it so that nothing follows (another word, two that change places), or says the same.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from course_lib.data.mini_world.lexicon.vocabulary import Noun
from course_lib.data.mini_world.meaning import Clause, NounPhrase
from course_lib.data.mini_world.phrases import Misfit
from course_lib.data.mini_world.statements import KINDS, NAMES, Statements

ADVERBIALS = ("time", "manner", "place")


def is_named(phrase: NounPhrase | None) -> bool:
    """Return whether a phrase is Anna, Paul or another of the names."""
    return phrase is not None and phrase.noun in NAMES


class Draft:
    """A pair in the making: two clauses, and how the second compares with the first by part."""

    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        clause = statements.clause()
        self.clauses = [clause, clause]
        self.changes: dict[str, set[str]] = {"subject": set(), "predicate": set()}
        self.done: list[str] = []
        self._changed: set[str] = set()

    def change(self, name: str, side: int, clause: Clause, direction: str, *words: str) -> None:
        """Put a clause in the place of the one on a side, 0 the premise and 1 the hypothesis.

        Args:
            name: of the construction.
            side: which clause.
            clause: what it is now.
            direction: "up" if it says less than before, "other" if something else, "" if the same.
            words: the parts whose words changed. A part changes once: two changes could cancel out.

        Raises:
            Misfit: a part has changed before.
        """
        if self._changed & set(words):
            raise Misfit
        self._changed |= set(words)
        if direction == "up" and side == 0:
            direction = "down"
        part = "subject" if words[0].startswith("subject") and name != "swapped" else "predicate"
        self.clauses[side] = clause
        self.changes[part].add(direction)
        self.done.append(name)

    def compared(self, part: str) -> str:
        """Return how a part of the second clause compares with the first, for `label_of`."""
        changes = self.changes[part] - {""}
        return changes.pop() if len(changes) == 1 else "other" if changes else ""

    # ---- edits that say less

    def modifier(self, side: int) -> None:
        """Drop an adjective."""
        part = self._noun_part(side, lambda phrase: phrase.adjectives)
        self._rephrase("modifier", side, part, "up", adjectives=())

    def hypernym(self, side: int) -> None:
        """Make a dog an animal."""
        part = self._noun_part(side, lambda phrase: phrase.noun in KINDS)
        noun = KINDS[getattr(self.clauses[side], part).noun]
        self._rephrase("hypernym", side, part, "up", noun=noun)

    def adverbial(self, side: int) -> None:
        """Drop when, how or where."""
        clause = self.clauses[side]
        present = [name for name in ADVERBIALS if getattr(clause, name) is not None]
        part = self.statements.pick(present)
        self.change("adverbial", side, replace(clause, **{part: None}), "up", part)

    # ---- edits that leave it open

    def other_word(self, side: int) -> None:
        """Put another verb, noun or adjective in the place of one."""
        clause, statements = self.clauses[side], self.statements
        parts = ["verb", *(p for p in ("subject", "object") if getattr(clause, p) is not None)]
        part = statements.pick(parts)
        if part == "verb":
            verb = statements.other(statements.verbs_like(clause), clause.verb)
            self.change("other word", side, replace(clause, verb=verb), "other", "verb")
            return
        phrase = getattr(clause, part)
        if phrase.adjectives and statements.chance() < 0.5:
            fitting = statements.adjectives(phrase.noun)
            adjective = statements.other(fitting, phrase.adjectives[0])
            self._rephrase("other word", side, part, "other", adjectives=(adjective,))
            return
        others = [n for n in statements.nouns_like(clause, part) if not self._has(n)]
        noun = statements.other(others, phrase.noun)
        self._rephrase("other word", side, part, "other", noun=noun)

    def swapped(self, side: int) -> None:
        """Exchange two names."""
        clause = self.clauses[side]
        if not (is_named(clause.subject) and is_named(clause.object)):
            raise Misfit
        swapped = replace(clause, subject=clause.object, object=clause.subject)
        self.change("swapped", side, swapped, "other", "subject noun", "object noun")

    def exchanged(self, side: int) -> None:
        """Exchange the adjectives of subject and object."""
        clause = self.clauses[side]
        subject, other = clause.subject, clause.object
        # With no adjective on one side it would be one modifier less, and another one more.
        if other is None or not (subject.adjectives and other.adjectives):
            raise Misfit
        if subject.adjectives == other.adjectives:
            raise Misfit
        for phrase, taken in ((subject, other), (other, subject)):
            if not set(taken.adjectives) <= set(self.statements.adjectives(phrase.noun)):
                raise Misfit
        clause = replace(
            clause,
            subject=replace(subject, adjectives=other.adjectives),
            object=replace(other, adjectives=subject.adjectives),
        )
        self.change("exchanged", side, clause, "other", "subject adjectives", "object adjectives")

    # ---- an edit that says the same

    def moved(self, side: int) -> None:
        """Put the time from the front to the end, or back."""
        clause = self.clauses[side]
        if clause.time is None:
            raise Misfit
        position = "end" if clause.time_position == "front" else "front"
        self.change("moved", side, replace(clause, time_position=position), "", "time")

    # ----

    def _noun_part(self, side: int, suits: Callable[[NounPhrase], Any]) -> str:
        clause = self.clauses[side]
        parts = [p for p in ("subject", "object") if getattr(clause, p) is not None]
        return self.statements.pick([p for p in parts if suits(getattr(clause, p))])

    def _rephrase(
        self, construction: str, side: int, part: str, direction: str, **changes: Any
    ) -> None:
        clause = self.clauses[side]
        changed = replace(clause, **{part: replace(getattr(clause, part), **changes)})
        self.change(construction, side, changed, direction, *(f"{part} {name}" for name in changes))

    def _has(self, noun: Noun) -> bool:
        phrases = (p for c in self.clauses for p in (c.subject, c.object) if p is not None)
        return any(noun in (p.noun, KINDS.get(p.noun)) for p in phrases)
