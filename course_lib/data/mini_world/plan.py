"""Planning a clause of an exact number of English words: which parts, and how many words for each.

A clause first takes a verb and what it cannot do without, then adverbials as they fit, and deals
the words that are left over to its noun phrases; a noun phrase with many words becomes a heavy
one: two joined by `and`, one with an attribute, or one with a relative clause. `clauses`
fills the plan with words.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from course_lib.data.mini_world.lexicon.vocabulary import Adverb, Noun, Verb
from course_lib.data.mini_world.meaning import Clause
from course_lib.data.mini_world.phrases import Misfit, Phrases, names_fit

Kind = Literal["main", "while", "subject", "object"]
"""A main clause, one after `while`, or a relative clause by the role of its gap."""

THEN = Adverb(("then",), ("dann",))

_HEAVY = {"relative": (4, 13), "pair": (3, 9), "attribute": (5, 8), "located": (5, 8)}
"""Fewest and most words of each kind of heavy noun phrase."""


@dataclass(slots=True)
class Plan:
    """A clause with its verb and adverbs, and the sizes of the phrases that it still lacks.

    Attributes:
        rest: words not yet given to any part.
        sizes: words by part: subject, object, recipient, companion, place.
        room: the most words that each part can take.
        heavy: which part is heavy, and how.
    """

    kind: Kind
    clause: Clause
    rest: int
    sizes: dict[str, int] = field(default_factory=dict)
    room: dict[str, int] = field(default_factory=dict)
    heavy: dict[str, str] = field(default_factory=dict)

    def grant(self, part: str, size: int, most: int) -> None:
        """Give a part its first words, and room to grow."""
        self.sizes[part] = size
        self.room[part] = most
        self.rest -= size

    @property
    def closed(self) -> bool:
        """Return whether the object ends in a relative clause.

        Nothing may follow it then, so that a final adverbial always belongs to the innermost
        clause, and the translation stays unique.
        """
        return self.heavy.get("object") == "relative"


class Planner:
    """Draws plans, with the words that a sentence has not used yet."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases
        self.lexicon = phrases.world.lexicon
        self.chance = phrases.chance

    def plan(self, verbs: Sequence[Verb], size: int, kind: Kind, depth: int, then: bool) -> Plan:
        """Draw a plan for a clause of exactly `size` words, a relative pronoun not counted.

        Args:
            verbs: the candidates.
            size: the number of English words.
            kind: where the clause stands.
            depth: how many relative clauses it is inside.
            then: open the clause with `then`.

        Raises:
            Misfit: this draw cannot be finished.
        """
        verb = self.phrases.fresh(verbs)
        if then and verb.stative:
            raise Misfit
        perfect = not (verb.stative or then or kind == "while") and self.chance() < 0.3
        negated = not then and self.chance() < 0.15
        clause = Clause(verb, perfect=perfect, negated=negated)
        clause.gap = kind if kind in ("subject", "object") else None
        plan = Plan(kind, clause, size - (3 if negated else 1 + perfect) - bool(verb.particle))
        self._needs(plan)
        if then:
            clause.time, clause.time_position = THEN, "front"
            plan.rest -= 1
        if plan.rest < 0:
            raise Misfit
        self._heavy(plan, depth)
        self._adverbials(plan)
        self._deal(plan)
        return plan

    def _needs(self, plan: Plan) -> None:
        """Grant subject, objects and a needed place their fewest words."""
        verb = plan.clause.verb
        if plan.kind != "subject":
            plan.grant("subject", self._least(verb.subjects), 4)
        if verb.objects and plan.kind != "object":
            plan.grant("object", self._least(verb.objects), 4)
        if verb.recipients:
            plan.grant("recipient", 1 if self.chance() < 0.3 else 2, 3)
        if verb.needs_place:
            self._place(plan)

    def _least(self, nouns: tuple[Noun, ...]) -> int:
        """Draw one word (Anna, she, dogs, milk) or, more often, two."""
        share = 0.35 if names_fit(nouns) or nouns[0].is_mass else 0.12
        return 1 if self.chance() < share else 2

    def _place(self, plan: Plan) -> None:
        """Add an adverb or a prepositional phrase of place, whichever fits."""
        if plan.rest >= 3 and self.chance() < 0.85:
            plan.grant("place", 3, 5 if self.chance() < 0.8 else 8)
        elif self._takes_adverb(plan.clause):
            plan.clause.place = self.phrases.pick(self.lexicon.place_adverbs)
            plan.rest -= 1

    @staticmethod
    def _takes_adverb(clause: Clause) -> bool:
        """Return whether `here` may follow: not as a goal, nor if German could negate it alone."""
        return not clause.verb.motion and (not clause.negated or clause.verb.needs_place)

    def _heavy(self, plan: Plan, depth: int) -> None:
        """Make the subject or the object heavy, if there are words for it."""
        if plan.rest < 2 or (plan.rest < 9 and self.chance() < 0.5):
            return
        parts = [part for part in ("subject", "object") if part in plan.sizes]
        if not parts:
            return
        part = self.phrases.pick(parts)
        forms = [] if plan.clause.negated else ["pair"]
        if plan.kind != "object":
            forms.append("attribute")
            if depth == 0 or (part == "object" and depth < 2):
                forms += ["relative"] * 3
        # Only before the verb of a main clause: elsewhere the German could as well mean that all
        # of it happens in the garden.
        free = plan.clause.time is None and not plan.clause.verb.needs_place
        if part == "subject" and plan.kind == "main" and free:
            forms.append("located")
        form = self.phrases.pick([form for form in forms if _HEAVY[form][0] - 1 <= plan.rest])
        low, high = _HEAVY[form]
        plan.heavy[part] = form
        plan.rest += plan.sizes[part]
        plan.grant(part, low, high - 3 * depth if form == "relative" else high)

    def _adverbials(self, plan: Plan) -> None:
        """Add time, manner, companion and place, each with some chance and if it fits."""
        clause, verb, chance = plan.clause, plan.clause.verb, self.chance
        if clause.time is None and not verb.stative and plan.rest >= 1 and chance() < 0.45:
            self._time(plan)
        if plan.closed:
            return
        # Often, never and the like bear on the manner, as a negation does.
        plain = not clause.negated and (clause.time is None or clause.time_position != "middle")
        if verb.manners and plain and plan.rest >= 1 and chance() < 0.35:
            clause.manner = self.phrases.pick(verb.manners)
            plan.rest -= 1
        attribute = "attribute" in plan.heavy.values()
        if verb.companions and not attribute and plan.rest >= 3 and chance() < 0.4:
            plan.grant("companion", 3, 4)
        placed = clause.place is not None or "place" in plan.sizes
        if verb.places and not placed and plan.rest >= 1 and chance() < 0.45:
            self._place(plan)

    def _time(self, plan: Plan) -> None:
        """Add a time that suits tense and negation, at a position that the clause has."""
        clause = plan.clause
        need = {"perfect" if clause.perfect else "present"}
        if clause.negated:
            need.add("negative")
        time = self.phrases.pick([time for time in self.lexicon.times if need <= time.marks])
        positions = []
        # `the man who sings often laughs` could be read in two ways.
        if plan.heavy.get("subject") != "relative":
            positions.append("middle")
        if plan.kind == "main" and "located" not in plan.heavy.values():
            positions.append("front")
        if not plan.closed:
            positions.append("end")
        permitted = time.marks & set(self.lexicon.time_positions)
        positions = [position for position in positions if position in permitted]
        if positions and len(time.english) <= plan.rest:
            clause.time, clause.time_position = time, self.phrases.pick(positions)
            plan.rest -= len(time.english)

    def _deal(self, plan: Plan) -> None:
        """Deal out the words that are left, one at a time; all must go."""
        while plan.rest > 0:
            parts = [part for part, size in plan.sizes.items() if size < plan.room[part]]
            plan.sizes[self.phrases.pick(parts)] += 1
            plan.rest -= 1
