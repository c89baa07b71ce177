"""Inference pairs of the mini-world, their labels known by construction.

    >>> pair = sample("train", 1)[0]
    >>> pair.label in LABELS
    True

Both sentences begin as one statement. Then edits make one of the two say less: a modifier is
dropped, a dog becomes an animal. Or they change it in a way that decides nothing: another word, the
names exchanged. At last both get a quantifier, or a negation. What follows from what is then
the old logic of more and less (`label_of`): who reads a small book reads a book, and who
reads no book reads no small book. The tests do not trust it: they read the sentences, enumerate
small worlds, and look in which of them each is true.

Read as statements about one scene: `a` is at least one, `two` at least two, `every` and `no` speak
of those that there are, and there is at least one. A clause holds of a name, `does not` denies all
of it. With an adverbial it says that something happens so; without, that it happens.

Of every form of hypothesis (its quantifier, how many modifiers it has) there are as many pairs of
each label, so that the hypothesis alone gives little away (Gururangan et al. 2018).
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import count as counting
from itertools import islice
from random import Random

from course_lab.experiments.decomposable.edits import ADVERBIALS, Draft
from course_lab.experiments.decomposable.statements import KINDS, is_named, quantified
from course_lib.data.inference_pairs import LABELS, InferencePair
from course_lib.data.mini_world.english import realise
from course_lib.data.mini_world.grammar import BUCKETS
from course_lib.data.mini_world.meaning import Clause, Sentence
from course_lib.data.mini_world.phrases import Chance, Misfit

ENTAILMENT, NEUTRAL, CONTRADICTION = LABELS
SPLITS = ("train", "valid", "test")
CONSTRUCTIONS = (
    "moved",
    "modifier",
    "adverbial",
    "hypernym",
    "negation",
    "quantifier",
    "other word",
    "exchanged",
    "swapped",
)
"""What a pair is called after: the last of these that it has."""
ORDER = ("moved", "exchanged", "swapped")
"""The constructions in which both sentences may have the same words, in another order."""

_LEAD = 5
"""So many pairs more than of another there may be of a label at any time."""
_EDITS = (*("modifier", "hypernym", "adverbial") * 3, *("moved", "other_word") * 2)
"""As often as they are tried; `_draft` adds those that are rare."""
_AT_LEAST = {"a": 1, "two": 2, "three": 3}
_KIND_NOUNS = frozenset(KINDS.values())


def sample(split: str, count: int) -> list[InferencePair]:
    """Return the first pairs of a split, which are always the same.

    Of ten pairs eight are for training, one is for validation and one for testing. No pair occurs
    twice, not even with premise and hypothesis exchanged.

    Raises:
        ValueError: an unknown split.
    """
    if split not in SPLITS:
        raise ValueError(f"split must be one of {', '.join(SPLITS)}; got {split!r}")
    of_split = (i for i in counting() if BUCKETS[i % len(BUCKETS)] == split)
    positions = list(islice(of_split, count))
    while positions and len(_drawn) <= positions[-1]:
        _drawn.append(next(_stream))
    return [_drawn[i] for i in positions]


def label_of(first: str, subject: str, predicate: str, second: str) -> str:
    """Return whether "`first` S P" entails "`second` S' P'", contradicts it, or neither.

    Args:
        first: the premise's quantifier, a key of `QUANTIFIERS`; a name counts as "a", and
            as "no" where its verb is negated.
        subject: how S' compares with S: "" the same, "up" it holds of more (dog, animal),
            "down" of fewer, "other" neither.
        predicate: likewise how P' compares with P.
        second: the hypothesis's quantifier.
    """
    if "other" in (subject, predicate):
        return NEUTRAL
    wider, narrower = predicate in ("", "up"), predicate in ("", "down")
    more, fewer = subject in ("", "up"), subject in ("", "down")
    if first == "no" and second == "no":
        return ENTAILMENT if fewer and narrower else NEUTRAL
    if second == "no":
        return CONTRADICTION if wider and (more or first == "every") else NEUTRAL
    if first == "no":
        return CONTRADICTION if narrower and (fewer or second == "every") else NEUTRAL
    if first == "every":
        # There are some of those that a sentence speaks of, so that `every` includes `a`.
        follows = fewer if second == "every" else second == "a"
    else:
        follows = more and _AT_LEAST[first] >= _AT_LEAST.get(second, 9)
    return ENTAILMENT if wider and follows else NEUTRAL


def _draft(chance: Chance) -> tuple[Draft, list[str]]:
    """Draw one statement twice, and apply one to three edits; return their names too."""
    draft = Draft(chance)
    clause = draft.clauses[0]
    edits = [chance.pick(_EDITS) for _ in range(chance.number(1, 3))]
    # Words that only change places are rare by chance, for they must fit in both.
    if is_named(clause.subject) and is_named(clause.object) and chance.happens(0.6):
        edits[0] = "swapped"
    elif clause.object is not None and chance.happens(0.2):
        edits[0] = "exchanged"
    for name in edits:
        getattr(draft, name)(chance.number(0, 1))
    return draft, [name.replace("_", " ") for name in edits]


def _quantifiers(chance: Chance, named: bool) -> tuple[str, str]:
    options = ("a", "no") if named else ("a", "two", "three", "every", "no", "no", "every")
    first = chance.pick(options)
    return first, first if chance.happens(0.4) else chance.pick(options)


def _form(clause: Clause, quantifier: str) -> tuple:
    """Return what a reader of the hypothesis alone can count."""
    phrases = [p for p in (clause.subject, clause.object) if p is not None]
    return (
        is_named(clause.subject),
        quantifier,
        len(phrases),
        sum(len(p.adjectives) for p in phrases),
        any(p.noun in _KIND_NOUNS for p in phrases),
        sum(getattr(clause, name) is not None for name in ADVERBIALS),
    )


def _pairs() -> Iterator[InferencePair]:
    """Draw all pairs, without end."""
    # A seed of text goes through SHA-512, the same on every machine.
    chance = Chance(Random("inference"))
    seen: set[frozenset] = set()
    counts: defaultdict[tuple, Counter[str]] = defaultdict(Counter)
    of_all: Counter[str] = Counter()
    while True:
        try:
            draft, done = _draft(chance)
        except Misfit:
            continue
        first, second = _quantifiers(chance, is_named(draft.clauses[0].subject))
        label = label_of(first, **draft.compared, second=second)
        if label == NEUTRAL and not set(done) & set(ORDER) and chance.happens(0.7):
            continue  # there are many of them; of those with the same words there are few
        of_form = counts[_form(draft.clauses[1], second)]
        if _ahead(of_form, label) > 0 or _ahead(of_all, label) > _LEAD:
            continue
        clauses = [quantified(c, q) for c, q in zip(draft.clauses, (first, second), strict=True)]
        premise, hypothesis = (realise(Sentence((clause,), ("",))).words for clause in clauses)
        both = frozenset((premise, hypothesis))
        if len(both) == 1 or both in seen:
            continue
        seen.add(both)
        of_form[label] += 1
        of_all[label] += 1
        if first != second:
            done.append("negation" if "no" in (first, second) else "quantifier")
        name = max(done, key=CONSTRUCTIONS.index)
        yield InferencePair(premise, hypothesis, label, name)


def _ahead(count: Counter[str], label: str) -> int:
    """Return how many more pairs have this label than the rarest one."""
    return count[label] - min(count[each] for each in LABELS)


_stream = _pairs()
_drawn: list[InferencePair] = []
"""The pairs that the stream has given so far."""
