"""The sentences of the ladder: Multi30k's captions as plain text, in one direction or in both.

A network for both directions is told the language that is wanted by a mark before the source
sentence, "2en" or "2de" (Johnson et al. 2017, arXiv:1611.04558). The mark is a word like any other:
it stands in the training text of the byte-pair encoding, which makes one token of it.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from course_lib.data.batch import Batches, EncodedPairs, encode_pairs
from course_lib.data.corpora import multi30k
from course_lib.data.tokens.tokenizer import JointBPE

TRAIN, VALID, TESTS = "train", "val", ("test_2016_flickr", "test_2017_flickr")
BOTH = "both"
DIRECTIONS = {"de-en": ("de-en",), "en-de": ("en-de",), BOTH: ("de-en", "en-de")}
"""What a network translates: its name, and the directions in which it is judged."""
RESULTS = Path("book", "results", "ladder.json")
"""The ladder's record, which lies beside the page that is made from it."""


class Text(NamedTuple):
    """How sentences become tokens.

    Attributes:
        direction: a key of `DIRECTIONS`.
        vocabulary: size of the joint byte-pair vocabulary.
        lowercase: whether text is lower-cased, which then cannot be undone.
        most: use only the first so many pairs of each split; 0 uses all.
    """

    direction: str
    vocabulary: int
    lowercase: bool
    most: int = 0


def mark(language: str) -> str:
    """The word before a source sentence that asks for this language."""
    return f"2{language}"


def marked(pairs: Sequence[tuple[str, str]], network: str, direction: str) -> list[tuple[str, str]]:
    """The pairs as a network reads them: with a mark before the source if it translates both ways.

    Args:
        pairs: plain text.
        network: what it translates, a key of `DIRECTIONS`.
        direction: of the pairs.
    """
    if network != BOTH:
        return list(pairs)
    target = direction.split("-")[1]
    return [(f"{mark(target)} {left}", right) for left, right in pairs]


def plain(direction: str, split: str) -> list[tuple[str, str]]:
    """The pairs of a split in one direction, as they were published."""
    source, target = direction.split("-")
    return multi30k.load(split, source, target)


def sentences(text: Text, direction: str, split: str) -> list[tuple[str, str]]:
    """The pairs of a split in one direction, marked where the network translates in both."""
    pairs = plain(direction, split)
    pairs = pairs[: text.most] if text.most else pairs
    return marked(pairs, text.direction, direction)


def source_lengths(text: Text, direction: str, split: str) -> list[int]:
    """Words and punctuation marks of each source sentence; a mark is none of them."""
    pairs = sentences(text._replace(direction=direction), direction, split)
    return [len(tokenizer(text).encode(source).words) for source, _ in pairs]


@cache
def tokenizer(text: Text) -> JointBPE:
    """One joint vocabulary, from the training split alone."""
    pairs = [p for way in DIRECTIONS[text.direction] for p in sentences(text, way, TRAIN)]
    lines = [side for pair in pairs for side in pair]
    return JointBPE.train(lines, size=text.vocabulary, lowercase=text.lowercase)


@cache
def encoded(text: Text, split: str) -> EncodedPairs:
    """The pairs of a split as token ids, in every direction of the network."""
    pairs = [p for way in DIRECTIONS[text.direction] for p in sentences(text, way, split)]
    return encode_pairs(pairs, tokenizer(text), tokenizer(text))


def batches(text: Text, split: str, tokens_per_batch: int, seed: int = 0) -> Batches:
    """The same as batches of similar length."""
    return Batches(encoded(text, split), tokens_per_batch=tokens_per_batch, seed=seed)
