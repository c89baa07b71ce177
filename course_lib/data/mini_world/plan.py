"""Planning a clause of an exact number of English words: which parts, and how many words for each.

A clause first takes a verb and what it cannot do without, then adverbials as they fit, and deals
the words that are left over to its noun phrases; a noun phrase with many words becomes a heavy
one: a pair with `and`, one with an attribute, or one with a relative clause. `clauses` fills the
plan with words.
"""

from collections.abc import Sequence
from typing import Literal

from course_lib.data.mini_world.lexicon.vocabulary import Adverb, Noun, Verb
from course_lib.data.mini_world.meaning import Clause
from course_lib.data.mini_world.phrases import Misfit, Phrases, names_fit

Kind = Literal["main", "while", "subject", "object"]
"""A main clause, one after `while`, or a relative clause by the role of its head noun in it."""

THEN = Adverb(("then",), ("dann",))

_HEAVY = {"relative": (4, 13), "pair": (3, 9), "attribute": (5, 8), "located": (5, 8)}
"""Fewest and most words of each kind of heavy noun phrase."""


class Plan:
    """A clause of `size` English words: its verb and adverbs, and the sizes of its other parts.

    A relative pronoun is not counted. `depth` says how many relative clauses it is inside, `then`
    whether it begins with `then`. `clause` has verb and adverbs, `sizes` says the words of
    subject, object, recipient, companion and place, `heavy` which of them is heavy, and how. A
    draw that cannot be finished raises Misfit.
    """

    def __init__(
        self, phrases: Phrases, verbs: Sequence[Verb], size: int, kind: Kind, depth: int, then: bool
    ) -> None:
        self.pick, self.happens = phrases.pick, phrases.happens
        self.lexicon, self.kind = phrases.world.lexicon, kind
        self.sizes: dict[str, int] = {}
        self.room: dict[str, int] = {}  # the most words that each part can take
        self.heavy: dict[str, str] = {}
        verb = phrases.fresh(verbs)
        stative = "stative" in verb.marks
        if then and stative:
            raise Misfit
        perfect = not (stative or then or kind == "while") and self.happens(0.3)
        negated = not then and self.happens(0.15)
        gap = kind if kind in ("subject", "object") else None
        self.clause = Clause(verb, perfect=perfect, negated=negated, gap=gap)
        # The words that no part has yet.
        self.rest = size - (3 if negated else 1 + perfect) - bool(verb.particle)
        self._add_needed()
        if then:
            self.clause.time, self.clause.time_position = THEN, "front"
            self.rest -= 1
        if self.rest < 0:
            raise Misfit
        self._make_heavy(depth)
        self._add_adverbials()
        while self.rest > 0:
            parts = [part for part, size in self.sizes.items() if size < self.room[part]]
            self.sizes[self.pick(parts)] += 1
            self.rest -= 1

    def _add(self, part: str, size: int, most: int) -> None:
        """Give a part its first words, and room to grow."""
        self.sizes[part], self.room[part] = size, most
        self.rest -= size

    def _add_needed(self) -> None:
        """Give subject, objects and a needed place their fewest words."""
        verb = self.clause.verb
        if self.kind != "subject":
            self._add("subject", self._least(verb.subjects), 4)
        if verb.objects and self.kind != "object":
            self._add("object", self._least(verb.objects), 4)
        if verb.recipients:
            self._add("recipient", 1 if self.happens(0.3) else 2, 3)
        if "needs-place" in verb.marks:
            self._add_place()

    def _least(self, nouns: tuple[Noun, ...]) -> int:
        """Draw one word (Anna, she, dogs, milk) or, more often, two."""
        share = 0.35 if names_fit(nouns) or nouns[0].is_mass else 0.12
        return 1 if self.happens(share) else 2

    def _add_place(self) -> None:
        """Add an adverb or a prepositional phrase of place, whichever fits."""
        verb, negated = self.clause.verb, self.clause.negated
        if self.rest >= 3 and self.happens(0.85):
            self._add("place", 3, 5 if self.happens(0.8) else 8)
        # `here` would be the goal of a motion, and German could negate it alone.
        elif "motion" not in verb.marks and (not negated or "needs-place" in verb.marks):
            self.clause.place = self.pick(self.lexicon.adverbs["place"])
            self.rest -= 1

    def _make_heavy(self, depth: int) -> None:
        """Make the subject or the object heavy, if there are words for it."""
        if self.rest < 2 or (self.rest < 9 and self.happens(0.5)):
            return
        parts = [part for part in ("subject", "object") if part in self.sizes]
        if not parts:
            return
        part = self.pick(parts)
        forms = [] if self.clause.negated else ["pair"]
        if self.kind != "object":
            forms.append("attribute")
            if depth == 0 or (part == "object" and depth < 2):
                forms += ["relative"] * 3
        # Only before the verb of a main clause: elsewhere the German could as well mean that all
        # of it happens in the garden.
        free = self.clause.time is None and "needs-place" not in self.clause.verb.marks
        if part == "subject" and self.kind == "main" and free:
            forms.append("located")
        form = self.pick([form for form in forms if _HEAVY[form][0] - 1 <= self.rest])
        low, high = _HEAVY[form]
        self.heavy[part] = form
        self.rest += self.sizes[part]
        self._add(part, low, high - 3 * depth if form == "relative" else high)

    @property
    def _closed(self) -> bool:
        """Return whether the object ends in a relative clause.

        Nothing may follow it then, so that a final adverbial always belongs to the innermost
        clause, and the translation stays unique.
        """
        return self.heavy.get("object") == "relative"

    def _add_adverbials(self) -> None:
        """Add time, manner, companion and place, each with some chance and if it fits."""
        clause, verb = self.clause, self.clause.verb
        timeless = clause.time is not None or "stative" in verb.marks
        if not timeless and self.rest >= 1 and self.happens(0.45):
            self._add_time()
        if self._closed:
            return
        # Often, never and the like bear on the manner, as a negation does.
        plain = not clause.negated and clause.time_at("middle") is None
        if verb.manners and plain and self.rest >= 1 and self.happens(0.35):
            clause.manner = self.pick(verb.manners)
            self.rest -= 1
        attribute = "attribute" in self.heavy.values()
        if verb.companions and not attribute and self.rest >= 3 and self.happens(0.4):
            self._add("companion", 3, 4)
        placed = clause.place is not None or "place" in self.sizes
        if verb.places and not placed and self.rest >= 1 and self.happens(0.45):
            self._add_place()

    def _add_time(self) -> None:
        """Add a time that suits tense and negation, at a position that the clause has."""
        clause = self.clause
        need = {"perfect" if clause.perfect else "present", *["negative"] * clause.negated}
        time = self.pick([time for time in self.lexicon.adverbs["time"] if need <= time.marks])
        positions = []
        # `the man who sings often laughs` could be read in two ways.
        if self.heavy.get("subject") != "relative":
            positions.append("middle")
        if self.kind == "main" and "located" not in self.heavy.values():
            positions.append("front")
        if not self._closed:
            positions.append("end")
        positions = [position for position in positions if position in time.marks]
        if positions and len(time.english) <= self.rest:
            clause.time, clause.time_position = time, self.pick(positions)
            self.rest -= len(time.english)
