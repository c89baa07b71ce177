"""The mini-world of an experiment, and models that are trained on it side by side.

What the experiments of several chapters share: sentence pairs in three splits, the vocabularies of
the training pairs, a pool of processes with one thread each, and weights that travel between them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TypeVar

import numpy as np
import torch
from torch import nn

from course_lib.data.batch import Batch, collate, encode_pairs
from course_lib.data.mini_world import grammar
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.evaluation.length import Bin, exact_match_by_length
from course_lib.evaluation.translate import translate
from course_lib.models.protocol import EncoderDecoder

Tokenizers = tuple[WordVocabulary, WordVocabulary]
Job = TypeVar("Job")
Result = TypeVar("Result")


@dataclass(frozen=True)
class World:
    """The sentences of an experiment.

    Attributes:
        train: training pairs.
        valid: pairs by which settings are chosen. No two splits share a sentence.
        test: pairs that are looked at once, at the end.
        tokenizers: word vocabularies of the training pairs, source and target.
    """

    train: list[AlignedPair]
    valid: list[AlignedPair]
    test: list[AlignedPair]
    tokenizers: Tokenizers


def make_world(
    train: int, held_out: int, *, min_words: int, max_words: int, seed: int = 1
) -> World:
    """English to German in the tiny mini-world.

    Args:
        train: training pairs.
        held_out: validation pairs, and test pairs.
        min_words: fewest English words of a sentence, the full stop among them.
        max_words: most English words.
        seed: decides which sentences are drawn.
    """

    def sample(split: str, count: int) -> list[AlignedPair]:
        return grammar.sample(
            split, count, seed=seed, min_words=min_words, max_words=max_words, vocabulary="tiny"
        )

    pairs = sample("train", train)
    return World(pairs, sample("valid", held_out), sample("test", held_out), vocabularies(pairs))


def vocabularies(pairs: Sequence[AlignedPair]) -> Tokenizers:
    """Word vocabularies of both sides of these pairs."""
    return (
        WordVocabulary.from_sentences([pair.source for pair in pairs]),
        WordVocabulary.from_sentences([pair.target for pair in pairs]),
    )


def vocabulary_sizes(tokenizers: Tokenizers) -> dict[str, int]:
    """The two settings that every model takes from its data."""
    names = ("source_vocabulary", "target_vocabulary")
    return dict(zip(names, map(len, tokenizers), strict=True))


def batch_of(pairs: Sequence[AlignedPair], tokenizers: Tokenizers) -> Batch:
    """A padded batch of just these pairs, in their order."""
    return collate(encode_pairs(pairs, *tokenizers), range(len(pairs)))


def length_bins(
    model: EncoderDecoder,
    pairs: Sequence[AlignedPair],
    tokenizers: Tokenizers,
    edges: Sequence[int],
) -> list[Bin]:
    """Exact match of greedy translations by source length; see `exact_match_by_length`."""
    longest = max(len(pair.target) for pair in pairs)
    translations = translate(
        model, [pair.source for pair in pairs], *tokenizers, max_length=2 * longest
    )
    return exact_match_by_length(
        [len(pair.source) for pair in pairs],
        [translation.target.words for translation in translations],
        [pair.target for pair in pairs],
        edges,
    )


def side_by_side(
    function: Callable[[Job], Result], jobs: Iterable[Job], processes: int = 2
) -> Iterator[Result]:
    """Calls a function of a module on each job, several at a time; results come in order.

    Each process has one thread. The steps of a small model are many and short, so that a second
    thread would not make them faster; and the result does not depend on the number of cores.
    """
    with processes_of_one_thread(processes) as pool:
        yield from pool.map(function, jobs)


def processes_of_one_thread(count: int) -> ProcessPoolExecutor:
    """So many processes for functions of modules, begun afresh, on every system alike."""
    context = get_context("spawn")
    return ProcessPoolExecutor(count, mp_context=context, initializer=_one_thread)


def _one_thread() -> None:
    torch.set_num_threads(1)


@contextmanager
def one_thread() -> Iterator[None]:
    """The same for this process: one thread inside, as many as before afterwards."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def weights_of(model: nn.Module) -> dict[str, np.ndarray]:
    """A model's weights as arrays, which go from one process to another without shared memory."""
    return {name: value.cpu().numpy() for name, value in model.state_dict().items()}


def load_weights(model: nn.Module, weights: dict[str, np.ndarray]) -> None:
    """The reverse of `weights_of`; the model is in eval mode then."""
    model.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    model.eval()
