"""Which words may meet: the combinations that training shows, and those that it never does.

An adjective with a noun and a verb with an object make a combination. About a tenth of them,
picked by a hash of the two words, are held out: no sentence of train, valid or test has one, each
sentence of the compositional split has at least one. The words themselves are all in training.
"""

from functools import cache
from hashlib import blake2b

from course_lib.data.mini_world.lexicon.reader import load
from course_lib.data.mini_world.lexicon.vocabulary import Adjective, Lexicon, Noun
from course_lib.data.mini_world.meaning import Sentence, every_clause, noun_phrases, parts

_ARTICLES = {
    "any": (
        "the*10 a*7 this*2 my*3 our every",
        "the*8 - this two three four many some*2 all my our",
        "the*4 -*5 this",
    ),
    # every, all and many under negation, or in a pair, would leave the scope open.
    "scopeless": ("the*8 a*4 this*2 my*2 our", "the*5 - this two three some my our", "the -"),
    "negated": ("the*5 a*5 this my our", "the*4 -*2 this my our", "the*2 -*3 this"),
    "known": ("the*8 this*2 my*2 our", "the*6 this*2 my our", "the"),
    "new": ("a", "-*2 two three some", "-"),
    "place": ("the*8 a*3 this*2 our my", "the*4 two", "the"),
}
"""Determiners that a context permits: with singular, plural and mass nouns; `-` for none."""


def stable_hash(text: str, buckets: int) -> int:
    """Return a bucket for a text, the same on every machine and in every run."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") % buckets


@cache
def is_held_out(word: str, noun: str) -> bool:
    """Return whether the combination of an adjective or verb with a noun is kept from training."""
    return stable_hash(f"{word} + {noun}", 10) == 0


def goes_with(adjective: Adjective, noun: Noun) -> bool:
    """Return whether an adjective lists the noun or a class of it, and the noun allows it."""
    if {adjective.english, adjective.group} & noun.unsuited:
        return False
    return noun.lemma in adjective.nouns or bool(noun.classes & adjective.nouns)


class Combinations:
    """A lexicon with its permitted combinations looked up once; with the held-out ones if asked."""

    def __init__(self, lexicon: Lexicon, held_out: bool) -> None:
        def permitted(word: str, noun: Noun) -> bool:
            return held_out or not is_held_out(word, noun.lemma)

        def articles(text: str) -> tuple:
            weighted = (word.partition("*") for word in text.split())
            return tuple(
                lexicon.determiners.get(name)
                for name, _, weight in weighted
                if name == "-" or name in lexicon.determiners
                for _ in range(int(weight or 1))
            )

        nouns, verbs = lexicon.nouns, lexicon.verbs
        self.lexicon = lexicon
        self.articles = {rule: tuple(map(articles, texts)) for rule, texts in _ARTICLES.items()}
        self.adjectives = {
            noun: tuple(
                a for a in lexicon.adjectives if goes_with(a, noun) and permitted(a.english, noun)
            )
            for noun in nouns
        }
        self.objects = {v: tuple(n for n in v.objects if permitted(v.english[0], n)) for v in verbs}
        self.verbs_by_subject = {n: tuple(v for v in verbs if n in v.subjects) for n in nouns}
        self.verbs_by_object = {n: tuple(v for v in verbs if n in self.objects[v]) for n in nouns}
        self.worn = tuple(n for n in nouns if "worn" in n.classes)


@cache
def world(size: str, held_out: bool = False) -> Combinations:
    """Return the combinations of a vocabulary size, built once."""
    return Combinations(load(size), held_out)


def has_held_out(sentence: Sentence) -> bool:
    """Return whether a sentence holds a combination that training never shows."""
    for clause, head in every_clause(sentence):
        objects = (head,) if clause.gap == "object" else parts(clause.object)
        pairs = [(clause.verb.english[0], p.noun) for p in objects if p.noun.kind == "noun"]
        pairs += [(a.english, p.noun) for p in noun_phrases(clause) for a in p.adjectives]
        if any(is_held_out(word, noun.lemma) for word, noun in pairs):
            return True
    return False
