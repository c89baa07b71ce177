"""What a model is trained on: translation or inference pairs, their tokenizers and batches.

For translators two data sets have names: "mini", the mini-world that needs no download, and
"multi30k", 29,000 image captions in English and German (Elliott et al. 2016). The third, "own", is
a file of the reader's own pairs in any two languages; the run keeps its path and its hash.
Classifiers have "sick" (Marelli et al. 2014) and "snli" (Bowman et al. 2015).
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from torch import nn

from course_lib.cli.recipes import Recipe
from course_lib.data import own
from course_lib.data.batch import Batches, encode_pairs
from course_lib.data.corpora import multi30k, sick, snli
from course_lib.data.inference_pairs import InferencePair
from course_lib.data.labelled import LabelledBatches
from course_lib.data.mini_world import grammar
from course_lib.data.pairs import sides
from course_lib.data.tokens.hashed import hashing_vocabulary
from course_lib.data.tokens.tokenizer import JointBPE, Tokenizer, WordVocabulary
from course_lib.device import cpu_generator
from course_lib.errors import CourseError, one_line
from course_lib.models.registry import CLASSIFIERS, build
from course_lib.training.objective import Objective, classification_loss, translation_loss

Tokenizers = tuple[Tokenizer, Tokenizer]

OWN = "own"


class Task:
    """Everything that decides which sentences a model sees; its fields go into config.json.

    `SPLITS` has those of each data set: training, validation, test, further tests. `SIZE` is how
    batches are measured, `VOCABULARIES` are the model's settings that depend on the tokenizers.
    """

    SPLITS: ClassVar[dict[str, Sequence[str]]]

    def __post_init__(self) -> None:
        if self.name not in self.SPLITS:
            raise CourseError(f"unknown data {self.name!r}; choose one of {', '.join(self.SPLITS)}")

    @property
    def label(self) -> str:
        """The data in a word."""
        return self.name

    def load(self, split: str) -> list[Any]:
        """The pairs of one split, in a fixed order."""
        if split not in self.SPLITS[self.name]:
            names = ", ".join(self.SPLITS[self.name])
            raise CourseError(f"{self.label} has no split {split!r}; choose one of {names}")
        count = self.pairs if split == "train" else self.held_out
        pairs = self.read(split, count)
        return pairs[:count] if count else pairs


@dataclass(frozen=True)
class TranslationTask(Task):
    """What a translator is trained on.

    Attributes:
        name: "mini", "multi30k" or "own".
        source, target: languages, "de" and "en"; of own pairs any names.
        pairs, held_out: number of training and of other pairs; 0 for all there are.
        vocabulary: size of the joint byte-pair vocabulary (not of the mini-world).
        max_tokens: training pairs with a longer side are left out, and longer sentences are not
            translated.
        file: of own pairs, its absolute path.
        sha256: of that file when the run was trained.
    """

    SPLITS: ClassVar = {
        "mini": ("train", "valid", "test", "compositional"),
        "multi30k": ("train", "val", "test_2016_flickr", "test_2017_flickr"),
        OWN: own.SPLITS,
    }
    SIZE: ClassVar = "tokens_per_batch"
    VOCABULARIES: ClassVar = ("source_vocabulary", "target_vocabulary")
    objective: ClassVar[Objective] = staticmethod(translation_loss)

    name: str
    source: str = "de"
    target: str = "en"
    pairs: int = 0
    held_out: int = 0
    vocabulary: int = 6000
    max_tokens: int = 100
    file: str = ""
    sha256: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.name != OWN and {self.source, self.target} != {"de", "en"}:
            raise CourseError(
                f"{self.name} has the languages de and en; got {self.source!r} and {self.target!r}"
            )

    @property
    def label(self) -> str:
        """The data in a word: its name, or that of its file."""
        return os.path.basename(self.file) or self.name

    @property
    def direction(self) -> str:
        """Such as "de-en"."""
        return f"{self.source}-{self.target}"

    def with_file(self, file: str) -> "TranslationTask":
        """The same on another file, or on a file that has moved."""
        task = self if self.name == OWN else replace(self, name=OWN, sha256="")
        return replace(task, file=os.path.abspath(file))

    def read(self, split: str, count: int) -> list[tuple[Any, Any]]:
        """A split of at least `count` pairs: words for the mini-world, else text."""
        if self.name == "mini":
            sample = grammar.sample(split, count or (30_000 if split == "train" else 500))
            return [sides(pair if self.source == "en" else pair.turned()) for pair in sample]
        if self.name == "multi30k":
            return list(multi30k.load(split, self.source, self.target))
        if not self.file:
            raise CourseError(
                "this run does not say which file it was trained on; score it on every pair of one "
                "with --data FILE --split all"
            )
        file = own.read_pairs(self.file, (self.source, self.target))
        if split == "all":
            return file.pairs
        if file.sha256 != self.sha256:
            raise CourseError(
                f"{self.file} is not the file that this run was trained on, so no part of it is "
                "held out; restore it, or score every pair of this one with --split all"
            )
        return own.split(file.pairs)[split]

    def make_tokenizers(self, pairs: Sequence[tuple[Any, Any]], recipe: Recipe) -> Tokenizers:
        """Source and target tokenizer, from the training pairs alone (one and the same for BPE)."""
        if self.name == "mini":
            sources, targets = zip(*pairs, strict=True)
            return WordVocabulary.from_sentences(sources), WordVocabulary.from_sentences(targets)
        lines = [str(side) for pair in pairs for side in pair]
        joint = JointBPE.train(lines, self.vocabulary, lowercase=recipe.lowercase)
        return joint, joint

    def batches(
        self, pairs: Sequence[tuple[Any, Any]], tokenizers: Tokenizers, size: int, seed: int = 0
    ) -> Batches:
        """The pairs in batches of similar length, of `size` tokens each."""
        encoded = encode_pairs(pairs, *tokenizers, max_tokens=self.max_tokens)
        return Batches(encoded, tokens_per_batch=size, seed=seed)


@dataclass(frozen=True)
class ClassifierTask(Task):
    """What a classifier is trained on; without `premise` a full stop stands in its place."""

    SPLITS: ClassVar = {"sick": sick.SPLITS, "snli": snli.SPLITS}
    SIZE: ClassVar = "pairs_per_batch"
    VOCABULARIES: ClassVar = ("vocabulary",)
    objective: ClassVar[Objective] = staticmethod(classification_loss)
    direction: ClassVar = ""

    name: str
    pairs: int = 0
    held_out: int = 0
    premise: bool = True

    def read(self, split: str, count: int) -> list[InferencePair]:
        """All pairs of a split."""
        pairs = (sick if self.name == "sick" else snli).load(split)
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


def make_task(model: str, **settings: Any) -> TranslationTask | ClassifierTask:
    """The task of a model of this name; CourseError for a setting that it does not have."""
    try:
        return (ClassifierTask if model in CLASSIFIERS else TranslationTask)(**settings)
    except TypeError as error:
        raise CourseError(f"the data of this model has other settings: {error}") from None


def task_of(config: dict[str, Any]) -> TranslationTask | ClassifierTask:
    """The task of a run, from its config.json.

    A run that was trained from Python may describe its data in any way. It translates all the same.
    """
    model, data = config["model"], config["data"]
    if model not in CLASSIFIERS and data.get("name") not in TranslationTask.SPLITS:
        return TranslationTask(OWN, data.get("source", "source"), data.get("target", "target"))
    return make_task(model, **data)


def own_task(file: str, **settings: Any) -> TranslationTask:
    """The task of a file of own pairs, whose first column is translated into the second.

    The vocabulary has 6,000 tokens by default, or more where the text has very many characters.
    """
    given = settings.get("source", ""), settings.get("target", "")
    content = own.read_pairs(file, given)
    first, second = content.names or ("source", "target")
    if content.names:
        print(f"the first line names the columns: {one_line(f'{first} and {second}')}")
        if given[0].lower() == second.lower() or given[1].lower() == first.lower():
            raise CourseError(f"{file} has {first} in its first column; exchange the columns")
    # A merged token for each character at least; Chinese and Japanese have thousands.
    letters = {letter for pair in content.pairs for side in pair for letter in side}
    usual = {"source": first, "target": second, "vocabulary": max(6000, 2 * len(letters))}
    path = {"file": os.path.abspath(file), "sha256": content.sha256}
    return make_task("", name=OWN, **(usual | settings | path))


def build_model(name: str, settings: dict[str, Any], seed: int = 0) -> nn.Module:
    """A translator or a classifier by its name, its first weights drawn from a seed."""
    try:
        return build(name, settings, cpu_generator(seed))
    except (ValueError, RuntimeError, TypeError, OverflowError) as error:
        raise CourseError(f"cannot make this {name}: {str(error).splitlines()[0]}") from error
