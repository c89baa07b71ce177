"""Greedy search: at each step the most probable token, never taken back."""

from typing import NamedTuple

import torch
from jaxtyping import Bool
from torch import Tensor

from course_lib.data.tokens.tokenizer import END, PAD, START
from course_lib.models.protocol import EncoderDecoder, evaluating


class Decoded(NamedTuple):
    """What a model wrote, one entry a sentence.

    Attributes:
        ids: the emitted tokens, without START and END.
        weights: (T, S) attention of each emitted token over the real source tokens, padding
            cut off; the step that chose END has no row. None unless asked for, and for a model
            without attention.
        finished: whether END came; otherwise `max_length` cut the sentence off.
    """

    ids: list[list[int]]
    weights: list[Tensor | None]
    finished: list[bool]


def greedy(
    model: EncoderDecoder,
    source: Tensor,
    source_mask: Bool[Tensor, "B S"],
    *,
    start: int = START,
    end: int = END,
    max_length: int,
    weights: bool = False,
) -> Decoded:
    """Translates a batch, dropout off. Stops as soon as every sentence has its END.

    PAD and `start` are no words: their logits are set to minus infinity before the choice, since
    a badly trained model does sometimes prefer them. UNKNOWN may be chosen. Of equally probable
    tokens the one with the smallest id is taken.

    Args:
        model: each of its parts is in the mode afterwards that it was in before.
        source: what the model encodes: token ids padded on the right, or images.
        source_mask: True at real tokens.
        start: the token that the decoder is fed first.
        end: the token that ends a sentence.
        max_length: the most tokens that a sentence may have, END not counted.
        weights: whether attention is wanted.

    Raises:
        ValueError: `max_length` is below 1.
    """
    if max_length < 1:
        raise ValueError(f"wanted a max_length of at least 1, got {max_length}")
    chosen, attention = [], []
    with evaluating(model), torch.inference_mode():
        memory = model.encode(source, source_mask)
        state = model.start(memory)
        token = torch.full((len(source),), start, device=source.device)
        running = torch.ones_like(token, dtype=torch.bool)
        forbidden = torch.tensor(sorted({PAD, start}), device=source.device)
        # One step more than the longest sentence: its END has to be seen.
        for _ in range(max_length + 1):
            step = model.step(token, state, memory, weights=weights)
            state = step.state
            token = step.logits.index_fill(-1, forbidden, -torch.inf).argmax(-1)
            chosen.append(token)
            attention.append(step.weights)
            running &= token != end
            if not running.any():
                break
        rows = torch.stack(chosen, 1).tolist()
    ids = [_until(end, row, max_length) for row in rows]
    finished = [end in row for row in rows]
    if attention[0] is None:
        return Decoded(ids, [None] * len(ids), finished)
    maps = torch.stack(attention, 1)
    cut = [maps[i, : len(ids[i])][:, memory.mask[i]] for i in range(len(ids))]
    return Decoded(ids, cut, finished)


def _until(end: int, row: list[int], most: int) -> list[int]:
    return row[: row.index(end)] if end in row else row[:most]
