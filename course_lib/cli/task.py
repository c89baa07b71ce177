"""A translation task: its sentence pairs, its tokenizers and its batches.

Two data sets have names: "mini", the mini-world that needs no download, and "multi30k", 29,000
image captions in English and German (Elliott et al. 2016). The third, "own", is a file of the
reader's own pairs in any two languages; the run keeps its path and its hash.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from course_lib.cli.limits import MOST_PAIRS, MOST_TOKENS
from course_lib.data import own
from course_lib.data.batch import Batches, encode_pairs
from course_lib.data.corpora import multi30k
from course_lib.data.mini_world import grammar
from course_lib.data.pairs import sides
from course_lib.data.tokens.tokenizer import JointBPE, Tokenizer, WordVocabulary
from course_lib.errors import CourseError
from course_lib.files import fill

TextPair = tuple[str | Sequence[str], str | Sequence[str]]

OWN = "own"
NAMED = {
    "mini": ("train", "valid", "test", "compositional"),
    "multi30k": ("train", "val", "test_2016_flickr", "test_2017_flickr"),
}
SPLITS = NAMED | {OWN: own.SPLITS}
"""Splits of each data set, in the order training, validation, test, further tests."""

_WORLDS = ("full", "small")
_LONGEST_TOKEN = 50
"""Letters; real ones are far shorter."""
_LANGUAGE = re.compile(r"\w[\w.-]{0,39}")
_BOUNDS = {
    "pairs": (0, MOST_PAIRS),
    "held_out": (0, MOST_PAIRS),
    "vocabulary": (1, MOST_PAIRS),
    "max_tokens": (1, MOST_TOKENS),
    "min_words": (grammar.MIN_WORDS, grammar.MAX_WORDS),
    "max_words": (grammar.MIN_WORDS, grammar.MAX_WORDS),
}


@dataclass(frozen=True)
class TaskConfig:
    """Everything that decides which sentences a model sees, and as which tokens.

    Attributes:
        name: "mini", "multi30k" or "own".
        source: language to translate from, "de" or "en"; of own pairs any name.
        target: language to translate into.
        pairs: number of training pairs; 0 for all there are (Multi30k: 29,000).
        held_out: number of validation or test pairs; 0 for all there are.
        vocabulary: size of the joint byte-pair vocabulary (not of the mini-world).
        max_tokens: training pairs with a longer side are left out; so are longer sentences to
            translate refused.
        min_words: shortest mini-world sentence, in English words.
        max_words: longest mini-world sentence, in English words.
        world: "full" or "small" vocabulary of the mini-world.
        file: of own pairs, its absolute path; empty where a run does not say.
        sha256: of that file when the run was trained.
        share: of own pairs, the share of source sentences that is held out.
        swapped: whether own pairs are read from the second column to the first.
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
    file: str = ""
    sha256: str = ""
    share: float = own.SHARE
    swapped: bool = False

    def __post_init__(self) -> None:
        if self.name not in SPLITS:
            raise CourseError(
                f"unknown data {self.name!r}; choose one of {', '.join(NAMED)}, or name a file of "
                "sentence pairs"
            )
        for language in (self.source, self.target):
            if self.name == OWN:
                if not _LANGUAGE.fullmatch(language):
                    raise CourseError(
                        f"want a language's name of up to 40 letters; got {language[:50]!r}"
                    )
            elif language not in ("de", "en"):
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
        if not 0 < self.share < 1:
            raise CourseError(f"share must be above 0 and below 1, got {self.share}")
        if self.world not in _WORLDS:
            raise CourseError(f"unknown world {self.world!r}; choose one of {', '.join(_WORLDS)}")

    @property
    def label(self) -> str:
        """The data in a word: its name, or that of its file."""
        return os.path.basename(self.file) or self.name

    def to_dict(self) -> dict[str, Any]:
        """As it stands in a run's config.json; what only own pairs have is left out of others."""
        values = asdict(self)
        if self.name != OWN:
            for name in ("file", "sha256", "share", "swapped"):
                del values[name]
        return values

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "TaskConfig":
        """The reverse of `to_dict`.

        A run that was trained from Python says of its data what it likes. It translates all the
        same; there is only no file to score it on.

        Raises:
            CourseError: a setting is missing, unknown or impossible.
        """
        if values.get("name") not in SPLITS:
            known = {
                name: value
                for name in ("source", "target")
                if isinstance(value := values.get(name), str) and _LANGUAGE.fullmatch(value)
            }
            if len(set(known.values())) < 2:
                known = {"source": "source", "target": "target"}
            return cls(OWN, **known)
        try:
            return fill(cls, values)
        except ValueError as error:
            raise CourseError(str(error)) from None


def own_task(
    file: str, source: str | None, target: str | None, vocabulary: int | None, **more: Any
) -> tuple[TaskConfig, own.PairFile]:
    """The task of a file of own pairs, and what is in the file.

    A first line that names the columns names the languages too; asked for the other way round,
    the second column is translated into the first.

    Args:
        file: its path.
        source: the language to translate from; None takes the first column.
        target: the language to translate into.
        vocabulary: None takes 6,000 tokens, or more where the text has very many characters.
        more: other settings of the task.

    Raises:
        CourseError: the file is not one of pairs, or a setting is impossible.
    """
    found = own.read_pairs(file, (source, target) if source and target else None)
    heads = found.names or ("source", "target")
    asked = [None if name is None else name.lower() for name in (source, target)]
    turned = [name.lower() for name in reversed(heads)]
    swapped = any(asked) and all(a in (None, t) for a, t in zip(asked, turned, strict=True))
    first, second = reversed(heads) if swapped else heads
    if vocabulary is None:
        # A merged token for each character at least; Chinese and Japanese have thousands.
        letters = {letter for pair in found.pairs for side in pair for letter in side}
        vocabulary = max(TaskConfig.vocabulary, 2 * len(letters))
    names = (first if source is None else source, second if target is None else target)
    task = TaskConfig(
        OWN,
        *names,
        vocabulary=vocabulary,
        file=os.path.abspath(file),
        sha256=found.sha256,
        swapped=swapped,
        **more,
    )
    return task, found


def split_names(config: TaskConfig) -> tuple[str, str, str]:
    """The names of the training, validation and test split."""
    training, validation, test = SPLITS[config.name][:3]
    return training, validation, test


def sentence_pairs(config: TaskConfig, split: str) -> list[TextPair]:
    """The pairs of one split, in a fixed order: words for the mini-world, else text.

    Raises:
        CourseError: there is no such split, or its files cannot be had, or a file of own pairs is
            not the one that the run was trained on.
    """
    if split not in SPLITS[config.name]:
        raise CourseError(
            f"{config.label} has no split {split!r}; choose one of {', '.join(SPLITS[config.name])}"
        )
    wanted = config.pairs if split == split_names(config)[0] else config.held_out
    if config.name == OWN:
        pairs = _own_pairs(config, split)
        return pairs[:wanted] if wanted else pairs
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


def _own_pairs(config: TaskConfig, split: str) -> list[TextPair]:
    if not config.file:
        raise CourseError(
            "this run does not say which file it was trained on; score it on every pair of one "
            "with --data FILE --split all"
        )
    if not os.path.exists(config.file):
        raise CourseError(
            f"there is no {config.file} any more; say where it is now with --data FILE"
        )
    found = own.read_pairs(config.file, (config.source, config.target))
    # Of another file nobody knows what was trained on, so there is no held-out part in it.
    if split != "all" and not config.sha256:
        raise CourseError(
            f"this run was not trained on {config.file}, so no part of it is held out; score every "
            "pair of it with --split all"
        )
    if split != "all" and found.sha256 != config.sha256:
        raise CourseError(
            f"{config.file} is not the file that this run was trained on: its SHA-256 is "
            f"{found.sha256[:12]}..., wanted {config.sha256[:12]}...; restore it, or score every "
            "pair of this one with --split all"
        )
    pairs = found.pairs
    if config.swapped:
        pairs = [(target, source) for source, target in pairs]
    return pairs if split == "all" else own.split(pairs, config.share)[split]


def make_tokenizers(
    config: TaskConfig, training_pairs: Sequence[TextPair], *, lowercase: bool = False
) -> tuple[Tokenizer, Tokenizer]:
    """Source and target tokenizer, from the training pairs alone (one and the same for BPE)."""
    if config.name != "mini":
        lines = [str(side) for pair in training_pairs for side in pair]
        # No model reads a book on one line, and its words would fill the vocabulary.
        lines = [line for line in lines if len(line) <= _LONGEST_TOKEN * config.max_tokens]
        joint = JointBPE.train(lines, config.vocabulary, lowercase=lowercase)
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
