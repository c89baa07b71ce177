"""A sentence's way through a Transformer: every vector and every look, station by station."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from course_lib.data.batch import Batch
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import SPECIALS
from course_lib.experiments.lab import world as shared
from course_lib.experiments.lab.world import Tokenizers
from course_lib.figures.touch.stack import Station
from course_lib.models.transformer import Transformer

GUESSES = 4
"""So many of the likeliest next words are kept."""
_TOLD = {
    "token": "{word} is a number: its row in the table of words.",
    "embedding": "The row of {word}, times √D. It is the same wherever the word stands.",
    "position": "A vector for the place is added. From here on the same word is another vector "
    "at each place.",
    "self": "{word} asks all words of its sentence, with each head in its own way, and adds what "
    "it reads to its vector.",
    "masked": "{word} asks the words written so far, itself among them. Later words are hidden.",
    "cross": "{word} asks the English sentence. Queries come from the German side, keys and "
    "values from the memory.",
    "feed": "A small net changes the vector of {word} by itself. No other word is seen here.",
    "memory": "The last norm. What leaves here for {word} is read by every layer of the decoder.",
    "norm": "The last norm, before the vector of {word} is held against the table of words.",
    "words": "One score for each German word, and the softmax: what comes after {word}?",
}


class WayUp(NamedTuple):
    """What one sentence looks like on its way up.

    Attributes:
        streams: (T, D) by name: what enters the norm before each sub-layer, such as
            "decoder.1.around_cross", and what enters the norm at the end of a stack.
        looks: where the heads look, (H, T, K) a layer, by the names of `Transformer.looks`.
        logits: (T, V).
    """

    streams: dict[str, np.ndarray]
    looks: dict[str, list[np.ndarray]]
    logits: Tensor


def way_of(model: Transformer, batch: Batch) -> WayUp:
    """Follows the one sentence of a batch.

    Raises:
        ValueError: the model's norms do not stand before its sub-layers. Those read the sum of
            all that came before, which is what is followed here.
    """
    if model.config.norm != "pre":
        raise ValueError(f'want a model with norm="pre"; got {model.config.norm!r}')
    streams: dict[str, np.ndarray] = {}
    with torch.inference_mode():
        with _listening(model, streams):
            logits = model(batch.source, batch.source_mask, batch.target_in).logits[0]
        looks = model.looks(batch.source, batch.source_mask, batch.target_in)
    seen = {
        side: [layer[0].numpy() for layer in layers] for side, layers in looks._asdict().items()
    }
    return WayUp(streams, seen, logits)


@contextmanager
def _listening(model: nn.Module, streams: dict[str, np.ndarray]) -> Iterator[None]:
    def listen(name: str, norm: nn.Module) -> RemovableHandle:
        def keep(_: nn.Module, inputs: tuple[Tensor, ...]) -> None:
            streams[name] = inputs[0][0].numpy()

        return norm.register_forward_pre_hook(keep)

    handles = [
        listen(name.removesuffix(".norm"), part)
        for name, part in model.named_modules()
        if isinstance(part, nn.LayerNorm)
    ]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def stations(model: Transformer, tokenizers: Tokenizers, pair: AlignedPair) -> list[Station]:
    """Every place that the words of a pair pass, from the bottom up, source before target."""
    batch = shared.batch_of([pair], tokenizers)
    way = way_of(model, batch)
    source = _below(model, way, "source", batch.source[0], model.source_embed.table.weight)
    target = _below(model, way, "target", batch.target_in[0], model.target_embed.table.weight)
    for n, looks in enumerate(way.looks["encoder"]):
        name, after = f"encoder.{n}", _after(model, "encoder", n)
        source += [
            _at(
                source,
                f"{n + 1} self-attention",
                "self",
                "several-heads",
                way.streams[f"{name}.around_feed_forward"],
                looks,
            ),
            _at(source, f"{n + 1} feed-forward", "feed", "feed-forward", way.streams[after]),
        ]
    for n, (own, cross) in enumerate(zip(way.looks["decoder"], way.looks["cross"], strict=True)):
        name, after = f"decoder.{n}", _after(model, "decoder", n)
        link = "a-layer-of-the-decoder"
        target += [
            _at(
                target,
                f"{n + 1} self-attention",
                "masked",
                link,
                way.streams[f"{name}.around_cross"],
                own,
            ),
            _at(
                target,
                f"{n + 1} cross-attention",
                "cross",
                link,
                way.streams[f"{name}.around_feed_forward"],
                cross,
            )._replace(reads="source"),
            _at(target, f"{n + 1} feed-forward", "feed", "feed-forward", way.streams[after]),
        ]
    link = "around-every-sub-layer"
    source.append(_at(source, "norm: the memory", "memory", link, _normed(model, way, "encoder")))
    target.append(_at(target, "norm", "norm", link, _normed(model, way, "decoder")))
    guessed = _guesses(way.logits, tokenizers)
    shape = f"({len(guessed)}, {way.logits.shape[1]})"
    words = Station("words", "target", shape, _TOLD["words"], "the-whole-model", guesses=guessed)
    return [*source, *target, words]


def _below(model: Transformer, way: WayUp, side: str, ids: Tensor, table: Tensor) -> list[Station]:
    """What comes before the first layer."""
    shape, link = f"({len(ids)}, {table.shape[1]})", "the-whole-model"
    embedded = (math.sqrt(table.shape[1]) * table.detach()[ids]).numpy()
    first = "encoder.0.around_self" if side == "source" else "decoder.0.around_self"
    return [
        Station("token", side, f"({len(ids)},)", _TOLD["token"], link),
        Station("embedding", side, shape, _TOLD["embedding"], link, embedded),
        Station("+ position", side, shape, _TOLD["position"], "positions", way.streams[first]),
    ]


def _at(
    below: list[Station],
    name: str,
    told: str,
    link: str,
    vectors: np.ndarray,
    weights: np.ndarray | None = None,
) -> Station:
    """A station on the same side, with vectors of the same shape as the last one's."""
    side, shape = below[-1].side, below[-1].shape
    return Station(name, side, shape, _TOLD[told], link, vectors, weights, side)


def _after(model: Transformer, stack: str, n: int) -> str:
    """The norm that reads what leaves layer n."""
    last = n + 1 == model.config.layers
    return f"{stack}_norm" if last else f"{stack}.{n + 1}.around_self"


def _normed(model: Transformer, way: WayUp, stack: str) -> np.ndarray:
    with torch.inference_mode():
        return getattr(model, f"{stack}_norm")(torch.tensor(way.streams[f"{stack}_norm"])).numpy()


def _guesses(logits: Tensor, tokenizers: Tokenizers) -> list[list[tuple[str, float]]]:
    best = logits.softmax(-1).topk(GUESSES)
    return [
        [(_word(tokenizers, i), share) for i, share in zip(ids, shares, strict=True)]
        for ids, shares in zip(best.indices.tolist(), best.values.tolist(), strict=True)
    ]


def _word(tokenizers: Tokenizers, i: int) -> str:
    return SPECIALS[i] if i < len(SPECIALS) else tokenizers[1].decode([i])
