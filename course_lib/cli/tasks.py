"""What a model is trained on: translation or inference pairs, their tokenizers and batches.

For translators two data sets have names: "mini", the mini-world that needs no download, and
"multi30k", 29,000 image captions in English and German (Elliott et al. 2016). The third, "own", is
a file of the reader's own pairs in any two languages; the run keeps its path and its hash.
Classifiers of sentence pairs have "mini", the mini-world's inference pairs; "sick" (Marelli et al.
2014); and "snli" (Bowman et al. 2015), whose archive is 94 MB.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, ClassVar

from torch import nn

from course_lib.cli.recipes import Recipe
from course_lib.data import own
from course_lib.data.batch import Batches, encode_pairs
from course_lib.data.corpora import multi30k, sick, snli
from course_lib.data.inference_pairs import InferencePair
from course_lib.data.labelled import LabelledBatches
from course_lib.data.mini_world import grammar, inference
from course_lib.data.pairs import sides
from course_lib.data.tokens.hashed import hashing_vocabulary
from course_lib.data.tokens.tokenizer import JointBPE, Tokenizer, WordVocabulary
from course_lib.device import get_device
from course_lib.errors import CourseError
from course_lib.evaluation.accuracy import accuracy
from course_lib.evaluation.greedy_bleu import greedy_bleu
from course_lib.models.registry import CLASSIFIERS, build
from course_lib.training.objective import Objective, classification_loss, translation_loss

Tokenizers = tuple[Tokenizer, Tokenizer]
Metric = Callable[[nn.Module], float]
TextPair = tuple[str | Sequence[str], str | Sequence[str]]

OWN = "own"
_LONGEST_TOKEN = 50
"""Letters; real ones are far shorter."""


@dataclass(frozen=True)
class TranslationTask:
    """Everything that decides which sentences a translator sees, and as which tokens.

    Attributes:
        name: "mini", "multi30k" or "own".
        source: language to translate from, "de" or "en"; of own pairs any name.
        target: language to translate into.
        pairs: number of training pairs; 0 for all there are (Multi30k: 29,000).
        held_out: number of validation or test pairs; 0 for all there are.
        vocabulary: size of the joint byte-pair vocabulary (not of the mini-world).
        max_tokens: training pairs with a longer side are left out, and longer sentences are not
            translated.
        file: of own pairs, its absolute path.
        sha256: of that file when the run was trained.
        share: of own pairs, the share of source sentences that is held out.
        swapped: whether own pairs are read from the second column to the first.
    """

    SPLITS: ClassVar = {
        "mini": ("train", "valid", "test", "compositional"),
        "multi30k": ("train", "val", "test_2016_flickr", "test_2017_flickr"),
        OWN: own.SPLITS,
    }
    """Splits of each data set, in the order training, validation, test, further tests."""
    SIZE: ClassVar = "tokens_per_batch"
    objective: ClassVar[Objective] = staticmethod(translation_loss)
    build: ClassVar = staticmethod(build)

    name: str
    source: str = "de"
    target: str = "en"
    pairs: int = 0
    held_out: int = 0
    vocabulary: int = 6000
    max_tokens: int = 100
    file: str = ""
    sha256: str = ""
    share: float = own.SHARE
    swapped: bool = False

    def __post_init__(self) -> None:
        if self.name not in self.SPLITS:
            raise CourseError(
                f"unknown data {self.name!r}; choose one of mini, multi30k, or name a file of "
                "sentence pairs"
            )
        if self.name != OWN and not {self.source, self.target} <= {"de", "en"}:
            raise CourseError(
                f"{self.name} has the languages de and en; got {self.source!r} and {self.target!r}"
            )
        if self.source == self.target:
            raise CourseError(
                f"source and target are both {self.source!r}; choose two different languages"
            )
        if not 0 < self.share < 1:
            raise CourseError(f"want a share above 0 and below 1; got {self.share}")

    @property
    def label(self) -> str:
        """The data in a word: its name, or that of its file."""
        return os.path.basename(self.file) or self.name

    @property
    def direction(self) -> str:
        """Such as "de-en"."""
        return f"{self.source}-{self.target}"

    def load(self, split: str) -> list[TextPair]:
        """The pairs of one split, in a fixed order: words for the mini-world, else text."""
        _require_split(self, split)
        count = self.pairs if split == "train" else self.held_out
        if self.name == "mini":
            count = count or (30_000 if split == "train" else 500)
            sample = grammar.sample(split, count)
            return [sides(pair if self.source == "en" else pair.turned()) for pair in sample]
        pairs = self._own(split) if self.name == OWN else None
        if pairs is None:
            pairs = list(multi30k.load(split, self.source, self.target))
        return pairs[:count] if count else pairs

    def _own(self, split: str) -> list[TextPair]:
        if not self.file:
            raise CourseError(
                "this run does not say which file it was trained on; score it on every pair of one "
                "with --data FILE --split all"
            )
        if not os.path.exists(self.file):
            raise CourseError(f"there is no {self.file} any more; give its new path with --data")
        file = own.read_pairs(self.file, (self.source, self.target))
        if split != "all" and file.sha256 != self.sha256:
            raise CourseError(
                f"{self.file} is not the file that this run was trained on, so no part of it is "
                "held out; restore it, or score every pair of this one with --split all"
            )
        pairs = [pair[::-1] for pair in file.pairs] if self.swapped else file.pairs
        return pairs if split == "all" else own.split(pairs, self.share)[split]

    def make_tokenizers(self, pairs: Sequence[TextPair], recipe: Recipe) -> Tokenizers:
        """Source and target tokenizer, from the training pairs alone (one and the same for BPE)."""
        if self.name == "mini":
            sources, targets = zip(*pairs, strict=True)
            return WordVocabulary.from_sentences(sources), WordVocabulary.from_sentences(targets)
        lines = [str(side) for pair in pairs for side in pair]
        # No model reads a book on one line, and its words would fill the vocabulary.
        lines = [line for line in lines if len(line) <= _LONGEST_TOKEN * self.max_tokens]
        joint = JointBPE.train(lines, self.vocabulary, lowercase=recipe.lowercase)
        return joint, joint

    def batches(
        self, pairs: Sequence[TextPair], tokenizers: Tokenizers, size: int, seed: int = 0
    ) -> Batches:
        """The pairs in batches of similar length, of `size` tokens each."""
        encoded = encode_pairs(pairs, *tokenizers, max_tokens=self.max_tokens)
        return Batches(encoded, tokens_per_batch=size, seed=seed)

    def vocabularies(self, tokenizers: Tokenizers) -> dict[str, int]:
        """The model's settings that depend on the tokenizers."""
        source, target = map(len, tokenizers)
        return {"source_vocabulary": source, "target_vocabulary": target}

    def metric(self, pairs: Any, batches: Batches, tokenizers: Tokenizers) -> Metric | None:
        """By what the best weights are chosen: the loss, or greedy BLEU for Multi30k."""
        if self.name != "multi30k":
            return None
        return partial(greedy_bleu, pairs=pairs, tokenizers=tokenizers)


@dataclass(frozen=True)
class ClassifierTask:
    """Everything that decides which pairs a classifier sees.

    Attributes:
        name: "mini", "sick" or "snli".
        pairs: number of training pairs; 0 for all there are (mini-world: 4,000).
        held_out: number of validation or test pairs; 0 for all there are (mini-world: 500).
        premise: whether it sees the premise; without, a full stop stands in its place.
    """

    SPLITS: ClassVar = {"mini": inference.SPLITS, "sick": sick.SPLITS, "snli": snli.SPLITS}
    SIZE: ClassVar = "pairs_per_batch"
    objective: ClassVar[Objective] = staticmethod(classification_loss)
    build: ClassVar = staticmethod(build)
    direction: ClassVar = ""

    name: str
    pairs: int = 0
    held_out: int = 0
    premise: bool = True

    def __post_init__(self) -> None:
        if self.name not in self.SPLITS:
            names = ", ".join(self.SPLITS)
            raise CourseError(
                f"unknown data {self.name!r} for sentence pairs; choose one of {names}"
            )

    @property
    def label(self) -> str:
        """The data in a word."""
        return self.name

    def load(self, split: str) -> list[InferencePair]:
        """The pairs of one split, in a fixed order."""
        _require_split(self, split)
        count = self.pairs if split == "train" else self.held_out
        if self.name == "mini":
            sample = inference.sample(split, count or (4000 if split == "train" else 500))
            pairs = [
                p._replace(premise=" ".join(p.premise), hypothesis=" ".join(p.hypothesis))
                for p in sample
            ]
        else:
            pairs = (sick if self.name == "sick" else snli).load(split)
            pairs = pairs[:count] if count else pairs
        return pairs if self.premise else [pair._replace(premise=".") for pair in pairs]

    def make_tokenizers(self, pairs: Sequence[InferencePair], recipe: Recipe) -> Tokenizers:
        """The same tokenizer twice, from the training pairs alone."""
        texts = (text for pair in pairs for text in pair[:2])
        tokenizer = hashing_vocabulary(texts, minimum=recipe.minimum)
        return tokenizer, tokenizer

    def batches(
        self, pairs: Sequence[InferencePair], tokenizers: Tokenizers, size: int, seed: int = 0
    ) -> LabelledBatches:
        """The pairs in batches of similar length, of `size` pairs each."""
        return LabelledBatches(pairs, tokenizers[0], pairs_per_batch=size, seed=seed)

    def vocabularies(self, tokenizers: Tokenizers) -> dict[str, int]:
        """The model's settings that depend on the tokenizers."""
        return {"vocabulary": len(tokenizers[0])}

    def metric(self, pairs: Any, batches: LabelledBatches, tokenizers: Tokenizers) -> Metric:
        """By what the best weights are chosen: accuracy."""
        return lambda model: accuracy(model, batches.sequential(), get_device())


Task = TranslationTask | ClassifierTask


def task_kind(model: str) -> type[Task]:
    """The kind of task that a model of this name is trained for."""
    return ClassifierTask if model in CLASSIFIERS else TranslationTask


def task_of(config: dict[str, Any]) -> Task:
    """The task of a run, from its config.json.

    A run that was trained from Python may describe its data in any way. It translates all the same;
    there is only no file to score it on.
    """
    kind, data = task_kind(config["model"]), config["data"]
    if kind is TranslationTask and str(data.get("name")) not in kind.SPLITS:
        return TranslationTask(OWN, data.get("source", "source"), data.get("target", "target"))
    for field in fields(kind):
        if field.name in data and not isinstance(data[field.name], field.type):
            raise CourseError(f"want {field.type.__name__} as {field.name} in config.json's data")
    try:
        return kind(**data)
    except TypeError as error:
        raise CourseError(f"want the data of a run in config.json; {error}") from None


def own_task(
    file: str,
    source: str | None = None,
    target: str | None = None,
    vocabulary: int | None = None,
    **others: Any,
) -> tuple[TranslationTask, own.PairFile]:
    """The task of a file of own pairs, and what is in the file.

    A first line that names the columns names the languages too. If they are asked for in the
    opposite order, the second column is translated into the first. Without `vocabulary` it is 6,000
    tokens, or more where the text has very many characters. `others` are settings of the task.
    """
    content = own.read_pairs(file, (source, target) if source and target else None)
    first, second = content.names or ("source", "target")
    swapped = second.lower() == (source or "").lower() or first.lower() == (target or "").lower()
    if swapped:
        first, second = second, first
    if vocabulary is None:
        # A merged token for each character at least; Chinese and Japanese have thousands.
        letters = {letter for pair in content.pairs for side in pair for letter in side}
        vocabulary = max(TranslationTask.vocabulary, 2 * len(letters))
    task = TranslationTask(
        OWN,
        source or first,
        target or second,
        vocabulary=vocabulary,
        file=os.path.abspath(file),
        sha256=content.sha256,
        swapped=swapped,
        **others,
    )
    return task, content


def _require_split(task: Task, split: str) -> None:
    if split not in task.SPLITS[task.name]:
        names = ", ".join(task.SPLITS[task.name])
        raise CourseError(f"{task.label} has no split {split!r}; choose one of {names}")
