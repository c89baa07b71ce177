"""Drawing clauses and sentences of an exact number of English words.

Between main clauses is `, and`, between noun phrases `and`, so that they cannot be confused.
"""

from random import Random

from course_lib.data.mini_world.combinations import Combinations
from course_lib.data.mini_world.german_forms import ACCUSATIVE
from course_lib.data.mini_world.lexicon.vocabulary import Noun
from course_lib.data.mini_world.meaning import (
    Clause,
    NounPhrase,
    Phrase,
    PrepositionalPhrase,
    Sentence,
    is_plural,
    shows_case,
)
from course_lib.data.mini_world.phrases import Misfit, Phrases
from course_lib.data.mini_world.plan import Kind, Plan

_MAX_DRAWS = 60
_SHORTEST, _LONGEST = 3, 16
"""Words in a clause of a sentence with several clauses."""
_COST = {"and": 2, "then": 2, "but": 2, "while": 1}
"""Words of a connective with its comma; `then` is a word of its clause."""


def draw_sentence(world: Combinations, random: Random, length: int) -> Sentence | None:
    """Draw a sentence of `length` English words, the full stop included; None if it failed."""
    try:
        return Clauses(world, random).sentence(length)
    except Misfit:
        return None


class Clauses(Phrases):
    """Draws the clauses of one sentence, each a plan that is filled with phrases."""

    def sentence(self, length: int) -> Sentence:
        """Draw the number of clauses, their connectives, their lengths, and the clauses."""
        words = length - 1
        # Five to thirteen words a clause on average.
        count = 1 if words < 9 else max(1, round(words / (5 + 8 * self.random())))
        connectives: list[str] = []
        for _ in range(count - 1):
            options = ["and", "and", "then", "but", "while"]
            connectives.append(self.pick(options[:4] if connectives[-1:] == ["while"] else options))
        sizes = self._sizes(words - sum(_COST[each] for each in connectives), count)
        drawn = [self.clause(sizes[0], "main")]
        for connective, size in zip(connectives, sizes[1:], strict=True):
            kind = "while" if connective == "while" else "main"
            drawn.append(self.clause(size, kind, then=connective == "then"))
        names = ["and" if connective == "then" else connective for connective in connectives]
        return Sentence(tuple(drawn), ("", *names))

    def _sizes(self, words: int, count: int) -> list[int]:
        """Divide the words among the clauses, unevenly, each within its bounds."""
        low = _SHORTEST if count > 1 else 2
        if not low * count <= words <= _LONGEST * count:
            raise Misfit
        sizes = [words // count + (i < words % count) for i in range(count)]
        for i in range(count - 1):
            least = max(low - sizes[i], sizes[i + 1] - _LONGEST, -3)
            most = min(_LONGEST - sizes[i], sizes[i + 1] - low, 3)
            move = self.number(least, most)
            sizes[i] += move
            sizes[i + 1] -= move
        return sizes

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
        used = set(self.used)
        for _ in range(_MAX_DRAWS):
            try:
                return self._fill(Plan(self, verbs, size, kind, depth, then), head, depth)
            except Misfit:
                self.used = set(used)
        raise Misfit

    def _fill(self, plan: Plan, head: NounPhrase | None, depth: int) -> Clause:
        """Draw every part of a plan's clause at its planned size."""
        clause, verb, sizes = plan.clause, plan.clause.verb, plan.sizes
        if "subject" in sizes:
            rule = "scopeless" if clause.negated else "any"
            clause.subject = self._noun_phrase(plan, "subject", verb.subjects, rule, depth)
        if plan.kind == "object" and _ambiguous(clause, head):
            raise Misfit
        if "recipient" in sizes:
            clause.recipient = self.phrase(verb.recipients, sizes["recipient"], "known", False)
        if "object" in sizes:
            rule = "negated" if clause.negated else "any"
            clause.object = self._noun_phrase(plan, "object", self.world.objects[verb], rule, depth)
        if "companion" in sizes:
            preposition, nouns = self.pick(verb.companions)
            phrase = self.phrase(nouns, sizes["companion"] - 1, "known", False)
            clause.companion = PrepositionalPhrase(preposition, phrase)
        if "place" in sizes:
            clause.place = self.place(verb.places, sizes["place"])
        return clause

    def _noun_phrase(
        self, plan: Plan, part: str, nouns: tuple[Noun, ...], rule: str, depth: int
    ) -> Phrase:
        size, form = plan.sizes[part], plan.heavy.get(part)
        if form == "pair":
            return self.pair(nouns, size)
        if form == "attribute":
            return self.with_attribute(nouns, size, rule)
        if form == "located":
            return self.located(nouns, size, rule)
        if form == "relative":
            return self._with_relative(nouns, size, rule, depth)
        return self.phrase(nouns, size, rule, part == "subject")

    def _with_relative(
        self, nouns: tuple[Noun, ...], size: int, rule: str, depth: int
    ) -> NounPhrase:
        """Draw `the dog that sleeps` or `the book that Anna reads`: a head of 2 or 3 words."""
        head_size = self.number(2, 3) if size >= 6 else 2
        head = self.light(nouns, head_size, rule)
        inside = size - head_size - 1
        gaps: list[Kind] = []
        if self.world.verbs_by_subject[head.noun]:
            gaps += ["subject", "subject"]
        if self.world.verbs_by_object[head.noun] and inside >= 2:
            gaps.append("object")
        head.relative = self.clause(inside, self.pick(gaps), head, depth + 1)
        return head


def _ambiguous(clause: Clause, head: NounPhrase) -> bool:
    """Return whether `die Katze , die die Maus sieht` could mean that the cat sees the mouse."""
    return (
        clause.verb.case == ACCUSATIVE
        and head.noun in clause.verb.subjects
        and head.plural == is_plural(clause.subject)
        and not (shows_case(head) or shows_case(clause.subject))
    )
