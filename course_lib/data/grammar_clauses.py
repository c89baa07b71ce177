"""Drawing clauses and sentences of an exact number of English words.

A clause first takes a verb and what it cannot do without, then adverbials as they fit, and deals
the words that are left over to its noun phrases; a noun phrase with many words becomes a heavy
one: two joined by `and`, one with an attribute, or one with a relative clause.

Two rules keep the translation unique. Nothing follows an object with a relative clause, so a final
adverbial always belongs to the innermost clause. And main clauses are joined by `, and`, noun
phrases by `and`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from course_lib.data.grammar_meaning import (
    Clause,
    NounPhrase,
    Phrase,
    PrepositionalPhrase,
)
from course_lib.data.grammar_phrases import Misfit, Phrases
from course_lib.data.lexicon import PREPOSITIONS, Adverb, Noun, Verb

Kind = Literal["main", "while", "subject", "object"]
"""A main clause, one after `while`, or a relative clause by the role of its gap."""

SHORTEST, LONGEST = 3, 16
"""Words in a clause of a sentence with several clauses."""

THEN = Adverb(("then",), ("dann",))

_HEAVY = {"relative": (4, 13), "pair": (3, 9), "attribute": (5, 8), "located": (5, 8)}
"""Fewest and most words of each kind of heavy noun phrase."""


@dataclass(slots=True)
class _Plan:
    """The sizes of a clause's parts, while words are dealt to them."""

    kind: Kind
    verb: Verb
    perfect: bool
    negated: bool
    rest: int = 0
    sizes: dict[str, int] = field(default_factory=dict)
    room: dict[str, int] = field(default_factory=dict)
    heavy: dict[str, str] = field(default_factory=dict)
    clause: Clause | None = None

    def grant(self, part: str, size: int, most: int) -> None:
        """Gives a part its first words, and room to grow."""
        self.sizes[part] = size
        self.room[part] = most
        self.rest -= size

    @property
    def closed(self) -> bool:
        """Whether the object ends in a relative clause, so that nothing may follow."""
        return self.heavy.get("object") == "relative"


class Clauses:
    """Draws clauses with the phrases of one sentence."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases
        self.world = phrases.world
        self.chance = phrases.chance

    def clause(
        self,
        size: int,
        kind: Kind,
        head: NounPhrase | None = None,
        depth: int = 0,
        then: bool = False,
    ) -> Clause:
        """A clause of exactly `size` words, the relative pronoun not counted.

        Args:
            size: the number of English words.
            kind: where the clause stands.
            head: the noun phrase that a relative clause belongs to.
            depth: how many relative clauses it is inside.
            then: open the clause with `then`.
        """
        used = set(self.phrases.used)
        for _ in range(60):
            try:
                return self._clause(size, kind, head, depth, then)
            except Misfit:
                self.phrases.used = set(used)
        raise Misfit

    def _clause(
        self, size: int, kind: Kind, head: NounPhrase | None, depth: int, then: bool
    ) -> Clause:
        plan = self._verb(size, kind, head, then)
        clause = plan.clause = Clause(plan.verb, perfect=plan.perfect, negated=plan.negated)
        clause.gap = kind if kind in ("subject", "object") else None
        self._needs(plan)
        if then:
            clause.time, clause.time_position = THEN, "front"
            plan.rest -= 1
        if plan.rest < 0:
            raise Misfit
        self._heavy(plan, depth)
        self._adverbials(plan)
        self._deal(plan)
        self._fill(plan, depth)
        return clause

    def _verb(self, size: int, kind: Kind, head: NounPhrase | None, then: bool) -> _Plan:
        verbs: Sequence[Verb] = self.world.lexicon.verbs
        if kind == "subject":
            verbs = self.world.verbs_by_subject[head.noun]
        elif kind == "object":
            verbs = self.world.verbs_by_object[head.noun]
        verb = self.phrases.fresh(verbs)
        if then and verb.stative:
            raise Misfit
        perfect = not (verb.stative or then or kind == "while") and self.chance() < 0.3
        negated = not then and self.chance() < 0.15
        cost = (3 if negated else 2 if perfect else 1) + bool(verb.particle)
        return _Plan(kind, verb, perfect, negated, size - cost)

    def _needs(self, plan: _Plan) -> None:
        """Subject, objects and a needed place, at their smallest."""
        verb = plan.verb
        if plan.kind != "subject":
            plan.grant("subject", self._least(verb.subjects), 4)
        if verb.objects and plan.kind != "object":
            plan.grant("object", self._least(verb.objects), 4)
        if verb.recipients:
            plan.grant("recipient", 1 if self.chance() < 0.3 else 2, 3)
        if verb.needs_place:
            self._place(plan)

    def _least(self, nouns: Sequence[Noun]) -> int:
        """One word (Anna, she, dogs, milk) now and then, else two."""
        share = 0.35 if self.phrases.names_fit(nouns) or nouns[0].is_mass else 0.12
        return 1 if self.chance() < share else 2

    def _place(self, plan: _Plan) -> None:
        """An adverb or a prepositional phrase, whichever fits."""
        if plan.rest < 3 or self.chance() < 0.15:
            if plan.verb.motion:
                return
            adverb = self.phrases.pick(self.world.lexicon.place_adverbs)
            plan.clause.place = adverb
            plan.rest -= 1
        else:
            plan.grant("place", 3, 5 if self.chance() < 0.8 else 8)

    def _heavy(self, plan: _Plan, depth: int) -> None:
        """Makes one noun phrase heavy, if there are words for it."""
        if plan.rest < 2 or (plan.rest < 9 and self.chance() < 0.5):
            return
        parts = [part for part in ("subject", "object") if part in plan.sizes]
        if not parts:
            return
        part = self.phrases.pick(parts)
        forms = ["pair"] if not plan.negated else []
        if plan.kind != "object":
            forms.append("attribute")
            if depth == 0 or (part == "object" and depth < 2):
                forms += ["relative"] * 3
        if part == "subject" and plan.kind == "main" and plan.clause.time is None:
            forms.append("located")
        forms = [form for form in forms if _HEAVY[form][0] - 1 <= plan.rest]
        form = self.phrases.pick(forms)
        plan.heavy[part] = form
        plan.rest += plan.sizes[part]
        low, high = _HEAVY[form]
        plan.grant(part, low, high - 3 * depth if form == "relative" else high)

    def _adverbials(self, plan: _Plan) -> None:
        """Time, manner, company and place, each as it fits and with some chance."""
        clause, verb, chance = plan.clause, plan.verb, self.chance
        if clause.time is None and not verb.stative and plan.rest >= 1 and chance() < 0.45:
            self._time(plan)
        if plan.closed:
            return
        if verb.manners and not plan.negated and plan.rest >= 1 and chance() < 0.35:
            clause.manner = self.phrases.pick(verb.manners)
            plan.rest -= 1
        attribute = "attribute" in plan.heavy.values()
        if verb.companions and not attribute and plan.rest >= 3 and chance() < 0.4:
            plan.grant("companion", 3, 4)
        placed = clause.place is not None or "place" in plan.sizes
        if verb.places and not placed and plan.rest >= 1 and chance() < 0.45:
            self._place(plan)

    def _time(self, plan: _Plan) -> None:
        """A time that suits tense and negation, at a position that the clause has."""
        need = {"perfect" if plan.perfect else "present"} | (
            {"negative"} if plan.negated else set()
        )
        times = [time for time in self.world.lexicon.times if need <= time.marks]
        time = self.phrases.pick(times)
        positions = []
        if plan.kind == "main" and "located" not in plan.heavy.values():
            positions.append("front")
        positions.append("middle")
        if not plan.closed:
            positions.append("end")
        positions = [position for position in positions if position in time.marks]
        if len(time.english) > plan.rest or not positions:
            return
        plan.clause.time, plan.clause.time_position = time, self.phrases.pick(positions)
        plan.rest -= len(time.english)

    def _deal(self, plan: _Plan) -> None:
        """Deals the words that are left, one at a time; all must go."""
        while plan.rest > 0:
            open_parts = [part for part, size in plan.sizes.items() if size < plan.room[part]]
            part = self.phrases.pick(open_parts)
            plan.sizes[part] += 1
            plan.rest -= 1

    def _fill(self, plan: _Plan, depth: int) -> None:
        """Draws every part at the size it got."""
        clause, verb, sizes = plan.clause, plan.verb, plan.sizes
        scope = "scopeless" if plan.negated else "any"
        if "subject" in sizes:
            clause.subject = self._phrase(plan, "subject", verb.subjects, scope, depth)
        if "recipient" in sizes:
            clause.recipient = self.phrases.phrase(
                verb.recipients, sizes["recipient"], "known", False
            )
        if "object" in sizes:
            rule = "negated" if plan.negated else "any"
            clause.object = self._phrase(plan, "object", self.world.objects[verb], rule, depth)
        if "companion" in sizes:
            clause.companion = self._companion(verb, sizes["companion"])
        if "place" in sizes:
            clause.place = self.phrases.place(verb.places, sizes["place"])

    def _phrase(
        self, plan: _Plan, part: str, nouns: Sequence[Noun], rule: str, depth: int
    ) -> Phrase:
        size, form = plan.sizes[part], plan.heavy.get(part)
        if form == "pair":
            return self.phrases.pair(nouns, size)
        if form == "attribute":
            return self.phrases.with_attribute(nouns, size, rule)
        if form == "located":
            return self.phrases.located(nouns, size, rule)
        if form == "relative":
            return self._with_relative(nouns, size, rule, depth)
        return self.phrases.phrase(nouns, size, rule, part == "subject")

    def _with_relative(self, nouns: Sequence[Noun], size: int, rule: str, depth: int) -> NounPhrase:
        """`the dog that sleeps`, `the book that Anna reads`: a head of two or three words."""
        head_size = self.phrases.number(2, 3) if size >= 6 else 2
        head = self.phrases.light(nouns, head_size, rule)
        inside = size - head_size - 1
        gaps = []
        if self.world.verbs_by_subject[head.noun]:
            gaps += ["subject"] * 2
        if self.world.verbs_by_object[head.noun] and inside >= 2:
            gaps.append("object")
        head.relative = self.clause(inside, self.phrases.pick(gaps), head, depth + 1)
        return head

    def _companion(self, verb: Verb, size: int) -> PrepositionalPhrase:
        preposition, nouns = self.phrases.pick(verb.companions)
        return PrepositionalPhrase(
            PREPOSITIONS[preposition], self.phrases.phrase(nouns, size - 1, "known", False)
        )
