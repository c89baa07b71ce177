"""Writing a batch token by token; how the next token is chosen is another's affair."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.data.tokens.tokenizer import PAD
from course_lib.models.protocol import evaluating, unwrapped

Choice = Callable[[Float[Tensor, "R V"], Int[Tensor, " R"]], Int[Tensor, " R"]]
"""From logits, and the numbers of the sentences that they belong to, to one token for each."""

NEVER = -1
"""An end that no token is: with it every sentence has the length that is asked for."""


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


def write(
    model: nn.Module,
    source: Tensor,
    source_mask: Bool[Tensor, "B S"],
    choose: Choice,
    *,
    start: int,
    end: int,
    max_length: int,
    return_attention: bool = False,
) -> Decoded:
    """Writes one sentence for each source, dropout off, none of them ever taken back.

    A sentence that has its END leaves the batch: its rows of memory and state are dropped, and the
    steps that are left are made for the others alone.

    Args:
        model: each of its parts is in the mode afterwards that it was in before.
        source: what the model encodes: token ids padded on the right, or images.
        source_mask: True at real tokens.
        choose: what comes next; PAD and `start`, which are no words, have logits of minus infinity.
        start: the token that the decoder is fed first.
        end: the token that ends a sentence.
        max_length: the most tokens that a sentence may have, END not counted.
        return_attention: whether the attention weights are wanted.

    Raises:
        ValueError: `max_length` is below 1, `end` is a token that is never written, or logits
            are no numbers.
    """
    require_an_end(start, end, max_length)
    count, steps, model = len(source), [], unwrapped(model)
    with evaluating(model):
        memory = model.encode(source, source_mask)
        real, state = memory.mask, model.start(memory)
        token = torch.full((count,), start, device=source.device)
        rows = torch.arange(count, device=source.device)
        barred = no_words(start, source.device)
        # One step more than the longest sentence: its END has to be seen.
        for _ in range(max_length + 1):
            step = model.step(token, state, memory, return_attention=return_attention)
            require_probabilities(step.logits, barred, end)
            token, state = choose(step.logits.index_fill(-1, barred, -torch.inf), rows), step.state
            steps.append((rows, token, step.attention))
            going = token != end
            if not going.all():
                kept = going.nonzero()[:, 0]
                if not len(kept):
                    break
                rows, token = rows[kept], token[kept]
                state, memory = state.select(kept), memory.select(kept)
        # Whoever left had written END, and that is what stands behind it.
        written = torch.full((count, len(steps)), end, device=source.device)
        for t, (those, chosen, _) in enumerate(steps):
            written[those, t] = chosen
    lines = written.tolist()
    ids = [line[: line.index(end)] if end in line else line[:max_length] for line in lines]
    finished = [end in line for line in lines]
    if steps[0][2] is None:
        return Decoded(ids, [None] * count, finished)
    maps = steps[0][2].new_zeros(count, len(steps), real.shape[1])
    for t, (those, _, looks) in enumerate(steps):
        maps[those, t] = looks
    return Decoded(ids, [maps[i, : len(ids[i])][:, real[i]] for i in range(count)], finished)


def no_words(start: int, device: torch.device) -> Int[Tensor, " N"]:
    """Tokens that are never written, though a badly trained model does sometimes prefer them."""
    return torch.tensor(sorted({PAD, start}), device=device)


def require_probabilities(
    logits: Float[Tensor, "R V"],
    barred: Int[Tensor, " N"],
    end: int,
    rows: Bool[Tensor, " R"] | None = None,
) -> None:
    """An error, unless each row gives probabilities, and some token that may be written has one.

    Of the rows only those are looked at where `rows` is True; None looks at all.

    Raises:
        ValueError: a logit is nan or infinity, or all but those of the tokens that are never
            written are minus infinity; or no logit is that of `end`, and it is not `NEVER`.
    """
    if end != NEVER and not 0 <= end < logits.shape[-1]:
        raise ValueError(f"want an end among the {logits.shape[-1]} tokens; got {end}")
    # The largest of a row is nan if one of them is.
    may_be_written = logits.index_fill(-1, barred, -torch.inf)
    good = logits.amax(-1).isfinite() & may_be_written.amax(-1).isfinite()
    if not (good if rows is None else good | ~rows).all():
        raise ValueError(
            "want logits of which one at least is finite and none is nan or infinity; got some "
            "that have no probabilities: are the model's weights finite?"
        )


def require_an_end(start: int, end: int, max_length: int) -> None:
    """An error, unless a sentence may have a token and can end."""
    if end in (PAD, start):
        raise ValueError(f"want an end that can be written; got {end}, which is PAD or the start")
    if max_length < 1:
        raise ValueError(f"wanted a max_length of at least 1, got {max_length}")
