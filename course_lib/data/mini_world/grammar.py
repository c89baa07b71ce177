"""The mini-world: English sentences, their German translations and the gold word alignment.

    >>> pair = sample("train", 1, seed=1, min_words=8, max_words=8)[0]
    >>> len(pair.source)
    8

The grammar is synchronous: one meaning (`meaning`) is drawn (`clauses`, `phrases`) and realised
twice (`english`, `german`); words for the same part of it are linked. A *sure* link is between
words with the same content. A *possible* link is one that an annotator could draw too: a German
comma to the word whose clause it marks, `does` to the German verb, the article in `im` to `the`.

Spelling: each word has one form wherever it stands. German nouns and all names have a capital, the
first word of a sentence has none of its own.
"""

from collections.abc import Iterator
from itertools import islice
from random import Random

from course_lib.data.mini_world.clauses import draw_sentence
from course_lib.data.mini_world.combinations import has_held_out, stable_hash, world
from course_lib.data.mini_world.english import realise as realise_english
from course_lib.data.mini_world.german import realise as realise_german
from course_lib.data.mini_world.meaning import Sentence
from course_lib.data.pairs import AlignedPair
from course_lib.errors import CourseError

SPLITS = ("train", "valid", "test", "compositional")
BUCKETS = ("train",) * 8 + ("valid", "test")
"""Of ten sentences eight are for training, one is for validation and one for testing."""

_MAX_DRAWS = 3000
"""Draws in a row without a new sentence before a length counts as used up."""


def split_of(english: str) -> str:
    """Return the split of a sentence without a held-out combination, by a hash of its words."""
    return BUCKETS[stable_hash(english, len(BUCKETS))]


def aligned_pair(sentence: Sentence) -> AlignedPair:
    """Realise a meaning in both languages and link their words."""
    english, positions = realise_english(sentence)
    german = realise_german(sentence)
    sure = {(positions[mark], j) for j, word in enumerate(german) for mark in word.sure}
    possible = {(positions[mark], j) for j, word in enumerate(german) for mark in word.possible}
    target = tuple(word.text for word in german)
    return AlignedPair(english, target, frozenset(sure), frozenset(sure | possible))


def sample(
    split: str,
    count: int,
    *,
    seed: int = 0,
    min_words: int = 3,
    max_words: int = 60,
    vocabulary: str = "full",
) -> list[AlignedPair]:
    """Draw different sentence pairs, English to German.

    For each pair a length is drawn uniformly from min_words to max_words, then a sentence of
    exactly that many English words, the final full stop among them. A length whose sentences are
    used up is left out from then on. The first n pairs of a sample do not depend on `count`.

    Args:
        split: train, valid, test or compositional (each sentence of the last holds a combination
            of adjective and noun or of verb and object that the others never show).
        seed: the same seed gives the same sample, on every machine.
        min_words: fewest English words, 3 or more (compositional: 4 or more).
        vocabulary: "full" (about 300 words a language), or "tiny" for quick experiments.

    ValueError for an unknown split or vocabulary. CourseError if there are not so many different
    sentences of these lengths.
    """
    if split not in SPLITS:
        raise ValueError(f"split must be one of {', '.join(SPLITS)}; got {split!r}")
    drawn = list(islice(_pairs(split, seed, range(min_words, max_words + 1), vocabulary), count))
    if len(drawn) < count:
        raise CourseError(
            f"wanted {count} different {split} sentences of {min_words} to {max_words} words, "
            f"found only {len(drawn)}; ask for fewer or for longer ones"
        )
    return drawn


def _pairs(split: str, seed: int, lengths: range, size: str) -> Iterator[AlignedPair]:
    """Draw new pairs of a split until every length is used up."""
    # A seed of text goes through SHA-512, so that neighbouring seeds have nothing in common.
    random = Random(f"{seed} {split}")
    words = world(size, split == "compositional")
    seen: set[str] = set()
    remaining = list(lengths)
    while remaining:
        length = remaining[int(random.random() * len(remaining))]
        for _ in range(_MAX_DRAWS):
            sentence = draw_sentence(words, random, length)
            text = sentence and " ".join(realise_english(sentence).words)
            if sentence is None or text in seen:
                continue
            if has_held_out(sentence) if split == "compositional" else split_of(text) == split:
                seen.add(text)
                yield aligned_pair(sentence)
                break
        else:
            remaining.remove(length)
