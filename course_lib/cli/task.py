"""A translation task by name: its sentence pairs, its tokenizers and its batches.

Two data sets so far: "mini", the mini-world that needs no download, and "multi30k", 29,000 image
captions in English and German (Elliott et al. 2016).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from course_lib.cli.limits import MOST_PAIRS
from course_lib.data.batch import Batches, encode_pairs
from course_lib.data.corpora import multi30k
from course_lib.data.mini_world import grammar
from course_lib.data.pairs import sides
from course_lib.data.tokens.tokenizer import JointBPE, Tokenizer, WordVocabulary
from course_lib.errors import CourseError
from course_lib.parse import fill

TextPair = tuple[str | Sequence[str], str | Sequence[str]]

SPLITS = {
    "mini": ("train", "valid", "test", "compositional"),
    "multi30k": ("train", "val", "test_2016_flickr", "test_2017_flickr"),
}
"""Splits of each data set, in the order training, validation, test, further tests."""

_WORLDS = ("full", "small")
_BOUNDS = {
    "pairs": (0, MOST_PAIRS),
    "held_out": (0, MOST_PAIRS),
    "vocabulary": (1, MOST_PAIRS),
    "max_tokens": (1, 10_000),
    "min_words": (grammar.MIN_WORDS, grammar.MAX_WORDS),
    "max_words": (grammar.MIN_WORDS, grammar.MAX_WORDS),
}


@dataclass(frozen=True)
class TaskConfig:
    """Everything that decides which sentences a model sees, and as which tokens.

    Attributes:
        name: "mini" or "multi30k".
        source: language to translate from, "de" or "en".
        target: language to translate into.
        pairs: number of training pairs; 0 for all there are (Multi30k: 29,000).
        held_out: number of validation or test pairs; 0 for all there are.
        vocabulary: size of the joint byte-pair vocabulary (Multi30k only).
        max_tokens: training pairs with a longer side are left out; so are longer sentences to
            translate refused.
        min_words: shortest mini-world sentence, in English words.
        max_words: longest mini-world sentence, in English words.
        world: "full" or "small" vocabulary of the mini-world.
    """

    name: str
    source: str = "de"
    target: str = "en"
    pairs: int = 0
    held_out: int = 0
    vocabulary: int = 6000
    max_tokens: int = 100
    min_words: int = 3
    max_words: int = 30
    world: str = "full"

    def __post_init__(self) -> None:
        if self.name not in SPLITS:
            raise CourseError(f"unknown data {self.name!r}; choose one of {', '.join(SPLITS)}")
        for language in (self.source, self.target):
            if language not in ("de", "en"):
                raise CourseError(f"unknown language {language!r}; {self.name} has de and en")
        if self.source == self.target:
            raise CourseError(
                f"source and target are both {self.source!r}; choose two different languages"
            )
        for name, (low, high) in _BOUNDS.items():
            if not low <= getattr(self, name) <= high:
                raise CourseError(
                    f"{name} must be a whole number from {low} to {high}, got {getattr(self, name)}"
                )
        if self.min_words > self.max_words:
            raise CourseError(f"min_words is {self.min_words}, more than max_words")
        if self.world not in _WORLDS:
            raise CourseError(f"unknown world {self.world!r}; choose one of {', '.join(_WORLDS)}")

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "TaskConfig":
        """The reverse of `dataclasses.asdict`, as it stands in a run's config.json.

        Raises:
            CourseError: a setting is missing, unknown or impossible.
        """
        try:
            return fill(cls, values)
        except ValueError as error:
            raise CourseError(str(error)) from None


def split_names(config: TaskConfig) -> tuple[str, str, str]:
    """The names of the training, validation and test split."""
    training, validation, test = SPLITS[config.name][:3]
    return training, validation, test


def sentence_pairs(config: TaskConfig, split: str) -> list[TextPair]:
    """The pairs of one split, in a fixed order: text for Multi30k, words for the mini-world.

    Raises:
        CourseError: there is no such split, or its files cannot be had.
    """
    if split not in SPLITS[config.name]:
        raise CourseError(
            f"{config.name} has no split {split!r}; choose one of {', '.join(SPLITS[config.name])}"
        )
    wanted = config.pairs if split == split_names(config)[0] else config.held_out
    if config.name == "multi30k":
        pairs = multi30k.load(split, config.source, config.target)
        return list(pairs[:wanted] if wanted else pairs)
    sample = grammar.sample(
        split,
        wanted or (30_000 if split == "train" else 500),
        min_words=config.min_words,
        max_words=config.max_words,
        vocabulary=config.world,
    )
    return [sides(pair if config.source == "en" else pair.turned()) for pair in sample]


def make_tokenizers(
    config: TaskConfig, training_pairs: Sequence[TextPair]
) -> tuple[Tokenizer, Tokenizer]:
    """Source and target tokenizer, from the training pairs alone (one and the same for BPE)."""
    if config.name == "multi30k":
        lines = [str(side) for pair in training_pairs for side in pair]
        joint = JointBPE.train(lines, size=config.vocabulary)
        return joint, joint
    sources, targets = zip(*training_pairs, strict=True)
    return WordVocabulary.from_sentences(sources), WordVocabulary.from_sentences(targets)


def make_batches(
    config: TaskConfig,
    pairs: Sequence[TextPair],
    tokenizers: tuple[Tokenizer, Tokenizer],
    tokens_per_batch: int,
    seed: int = 0,
) -> Batches:
    """Encodes the pairs and cuts them into batches of similar length."""
    encoded = encode_pairs(pairs, *tokenizers, max_tokens=config.max_tokens)
    return Batches(encoded, tokens_per_batch=tokens_per_batch, seed=seed)
