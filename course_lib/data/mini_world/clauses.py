"""Drawing clauses of an exact number of English words: a plan, filled with phrases."""

from course_lib.data.mini_world.german_forms import ACCUSATIVE
from course_lib.data.mini_world.lexicon.vocabulary import PREPOSITIONS, Noun
from course_lib.data.mini_world.meaning import (
    Clause,
    NounPhrase,
    Phrase,
    PrepositionalPhrase,
    is_plural,
    shows_case,
)
from course_lib.data.mini_world.phrases import Misfit, Phrases
from course_lib.data.mini_world.plan import Kind, Plan

_MAX_DRAWS = 60


class Clauses:
    """Draws clauses with the phrases of one sentence."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases
        self.world = phrases.world

    def clause(
        self, size: int, kind: Kind, head: NounPhrase | None = None, depth: int = 0, then=False
    ) -> Clause:
        """Draw a clause; `head` is the noun phrase that a relative clause belongs to.

        The other arguments are those of `Plan`; raise Misfit if no such clause was drawn.
        """
        verbs = self.world.lexicon.verbs
        if kind == "subject":
            verbs = self.world.verbs_by_subject[head.noun]
        elif kind == "object":
            verbs = self.world.verbs_by_object[head.noun]
        used = set(self.phrases.used)
        for _ in range(_MAX_DRAWS):
            try:
                return self._fill(Plan(self.phrases, verbs, size, kind, depth, then), head, depth)
            except Misfit:
                self.phrases.used = set(used)
        raise Misfit

    def _fill(self, plan: Plan, head: NounPhrase | None, depth: int) -> Clause:
        """Draw every part of a plan's clause at its planned size."""
        clause, verb, sizes, phrases = plan.clause, plan.verb, plan.sizes, self.phrases
        if "subject" in sizes:
            rule = "scopeless" if clause.negated else "any"
            clause.subject = self._phrase(plan, "subject", verb.subjects, rule, depth)
        if plan.kind == "object" and _ambiguous(clause, head):
            raise Misfit
        if "recipient" in sizes:
            clause.recipient = phrases.phrase(verb.recipients, sizes["recipient"], "known", False)
        if "object" in sizes:
            rule = "negated" if clause.negated else "any"
            clause.object = self._phrase(plan, "object", self.world.objects[verb], rule, depth)
        if "companion" in sizes:
            preposition, nouns = phrases.pick(verb.companions)
            phrase = phrases.phrase(nouns, sizes["companion"] - 1, "known", False)
            clause.companion = PrepositionalPhrase(PREPOSITIONS[preposition], phrase)
        if "place" in sizes:
            clause.place = phrases.place(verb.places, sizes["place"])
        return clause

    def _phrase(
        self, plan: Plan, part: str, nouns: tuple[Noun, ...], rule: str, depth: int
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

    def _with_relative(
        self, nouns: tuple[Noun, ...], size: int, rule: str, depth: int
    ) -> NounPhrase:
        """Draw `the dog that sleeps` or `the book that Anna reads`: a head of 2 or 3 words."""
        head_size = self.phrases.number(2, 3) if size >= 6 else 2
        head = self.phrases.light(nouns, head_size, rule)
        inside = size - head_size - 1
        gaps: list[Kind] = []
        if self.world.verbs_by_subject[head.noun]:
            gaps += ["subject", "subject"]
        if self.world.verbs_by_object[head.noun] and inside >= 2:
            gaps.append("object")
        head.relative = self.clause(inside, self.phrases.pick(gaps), head, depth + 1)
        return head


def _ambiguous(clause: Clause, head: NounPhrase) -> bool:
    """Return whether `die Katze , die die Maus sieht` could mean that the cat sees the mouse."""
    return (
        clause.verb.case == ACCUSATIVE
        and head.noun in clause.verb.subjects
        and head.plural == is_plural(clause.subject)
        and not (shows_case(head) or shows_case(clause.subject))
    )
