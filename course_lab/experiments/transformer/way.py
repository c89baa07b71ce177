"""A sentence's way through a Transformer: every vector and every look, station by station."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from course_lab.experiments.lab import world as shared
from course_lab.experiments.lab.world import Tokenizers
from course_lab.figures.touch.stack import Heads, Station, Strip
from course_lib.data.batch import Batch
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import END, SPECIALS
from course_lib.models.transformer import Transformer

GUESSES = 4
"""So many of the likeliest next words are kept."""
_TOLD = {
    "embedding": "{word} is number {number} of the vocabulary: row {number} of the table of words, "
    "times √D. It is the same wherever the word stands.",
    "position": "A vector for the place is added. From here on the same word is another vector "
    "at each place.",
    "self": "{word} has attended to all words of its sentence. What its heads read goes through "
    "one matrix and is added to the vector that came in.",
    "masked": "{word} has attended to itself and to the words before it. Later words are hidden.",
    "cross": "{word} has attended to the English sentence: the queries come from the German side, "
    "the keys and values from the encoder's output.",
    "feed": "A small network transforms the vector of {word} on its own, and the result is added. "
    "It sees no other word.",
    "memory": "The encoder's last norm. Every layer of the decoder reads the vector of {word} that "
    "leaves here.",
    "norm": "The decoder's last norm, before the vector of {word} is compared with the table of "
    "words.",
    "words": "A dot product with each row of the table, then the softmax: which word follows "
    "{word}?",
}


class WayUp(NamedTuple):
    """What one sentence looks like on its way up.

    Attributes:
        entered: (T, n) by name: what enters each norm and each linear layer, such as
            "decoder.1.around_cross.norm".
        left: (T, n) by name: what leaves it.
        looks: where the heads look, (H, T, K) a layer, by the names of `AttentionMaps`.
        logits: (T, V).
    """

    entered: dict[str, np.ndarray]
    left: dict[str, np.ndarray]
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
    entered: dict[str, np.ndarray] = {}
    left: dict[str, np.ndarray] = {}
    with torch.inference_mode():
        with _listening(model, entered, left):
            logits = model(batch.source, batch.source_mask, batch.target_in).logits[0]
        looks = model.attention_maps(batch.source, batch.source_mask, batch.target_in)
    seen = {
        side: [layer[0].numpy() for layer in layers] for side, layers in looks._asdict().items()
    }
    return WayUp(entered, left, seen, logits)


@contextmanager
def _listening(
    model: nn.Module, entered: dict[str, np.ndarray], left: dict[str, np.ndarray]
) -> Iterator[None]:
    def listen(name: str, part: nn.Module) -> RemovableHandle:
        def keep(_: nn.Module, inputs: tuple[Tensor, ...], out: Tensor) -> None:
            entered[name], left[name] = inputs[0][0].numpy(), out[0].numpy()

        return part.register_forward_hook(keep)

    handles = [
        listen(name, part)
        for name, part in model.named_modules()
        if isinstance(part, nn.LayerNorm | nn.Linear)
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
    source = _below(way, "source", batch.source[0], model.source_embed.table.weight)
    target = _below(way, "target", batch.target_in[0], model.target_embed.table.weight)
    for n in range(model.config.layers):
        heads = _heads(way, f"encoder.{n}.self_attention", way.looks["encoder"][n], "source")
        source += [
            _attention(way, "source", f"encoder.{n}", "self", heads),
            _feed_forward(way, "source", f"encoder.{n}"),
        ]
        own = _heads(way, f"decoder.{n}.self_attention", way.looks["decoder"][n], "target")
        cross = _heads(way, f"decoder.{n}.cross_attention", way.looks["cross"][n], "source")
        target += [
            _attention(way, "target", f"decoder.{n}", "self", own._replace(hides=True)),
            _attention(way, "target", f"decoder.{n}", "cross", cross),
            _feed_forward(way, "target", f"decoder.{n}"),
        ]
    source.append(_last_norm(way, "source", "norm: the memory", "memory"))
    target.append(_last_norm(way, "target", "norm", "norm"))
    words = Station(
        "words",
        "target",
        f"{way.logits.shape[1]} scores",
        _TOLD["words"],
        "the-whole-model",
        target[-1].leaving,
        guesses=_guesses(way.logits, tokenizers),
    )
    return [*source, *target, words]


_STACKS = {"source": "encoder", "target": "decoder"}


def _shape(vectors: np.ndarray) -> str:
    return f"{vectors.shape[1]} numbers"


def _below(way: WayUp, side: str, ids: Tensor, table: Tensor) -> list[Station]:
    """What comes before the first layer."""
    row = (math.sqrt(table.shape[1]) * table.detach()[ids]).numpy()
    stream = way.entered[f"{_STACKS[side]}.0.around_self.norm"]
    shape = _shape(stream)
    return [
        Station(
            "embedding",
            side,
            shape,
            _TOLD["embedding"],
            "the-whole-model",
            inside=[Strip("its row of the table, times √D", row)],
            numbers=ids.tolist(),
        ),
        Station(
            "+ position",
            side,
            shape,
            _TOLD["position"],
            "the-whole-model",
            row,
            [Strip("+ sines and cosines of its place", stream - row)],
            adds=True,
        ),
    ]


def _heads(way: WayUp, part: str, weights: np.ndarray, reads: str) -> Heads:
    """The four sides of an attention, cut apart by heads."""

    def cut(vectors: np.ndarray) -> np.ndarray:
        return vectors.reshape(len(vectors), len(weights), -1).transpose(1, 0, 2)

    queries, keys = cut(way.left[f"{part}.queries"]), cut(way.left[f"{part}.keys"])
    return Heads(
        queries,
        keys,
        queries @ keys.transpose(0, 2, 1) / math.sqrt(keys.shape[-1]),
        weights,
        cut(way.left[f"{part}.values"]),
        cut(way.entered[f"{part}.output"]),
        reads,
    )


def _attention(way: WayUp, side: str, layer: str, kind: str, heads: Heads) -> Station:
    norm, number = f"{layer}.around_{kind}.norm", int(layer.split(".")[1]) + 1
    mixed = way.left[f"{layer}.{kind}_attention.output"]
    return Station(
        f"{number} {kind}-attention",
        side,
        _shape(mixed),
        _TOLD["masked" if heads.hides else kind],
        "build-it" if side == "source" else "a-layer-of-the-decoder",
        way.entered[norm],
        [
            Strip("after its norm, in a scale of its own", way.left[norm]),
            Strip("+ through the output matrix", mixed),
        ],
        adds=True,
        heads=heads,
    )


def _feed_forward(way: WayUp, side: str, layer: str) -> Station:
    norm, net = f"{layer}.around_feed_forward.norm", f"{layer}.feed_forward"
    outer = way.left[f"{net}.outer"]
    return Station(
        f"{int(layer.split('.')[1]) + 1} feed-forward",
        side,
        _shape(outer),
        _TOLD["feed"],
        "feed-forward",
        way.entered[norm],
        [
            Strip("after its norm, in a scale of its own", way.left[norm]),
            Strip("first matrix, nothing below zero", way.entered[f"{net}.outer"]),
            Strip("+ through the second matrix", outer),
        ],
        adds=True,
    )


def _last_norm(way: WayUp, side: str, name: str, text: str) -> Station:
    norm = f"{_STACKS[side]}_norm"
    return Station(
        name,
        side,
        _shape(way.left[norm]),
        _TOLD[text],
        "around-every-sub-layer",
        way.entered[norm],
        [Strip("after the norm", way.left[norm])],
    )


def _guesses(logits: Tensor, tokenizers: Tokenizers) -> list[list[tuple[str, float, float]]]:
    best = logits.topk(GUESSES)
    shares = logits.softmax(-1).gather(-1, best.indices)
    return [
        [(_word(tokenizers, i), score, share) for i, score, share in zip(*row, strict=True)]
        for row in zip(best.indices.tolist(), best.values.tolist(), shares.tolist(), strict=True)
    ]


def _word(tokenizers: Tokenizers, i: int) -> str:
    if i == END:
        return "end"
    return SPECIALS[i] if i < len(SPECIALS) else tokenizers[1].decode([i])
