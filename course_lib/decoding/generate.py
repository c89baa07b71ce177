"""Generating a batch token by token; greedy search and sampling differ in how a token is chosen."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.data.tokens.tokenizer import END, PAD, START
from course_lib.models.protocol import EncoderDecoder, Memory, evaluating, unwrapped

Choice = Callable[[Float[Tensor, "R V"], Int[Tensor, " R"]], Int[Tensor, " R"]]
"""From logits, and the numbers of the sentences they belong to, to one token for each of these."""

NEVER = -1
"""An `end` that is no token: with it every sentence gets the length that is asked for."""


@dataclass(frozen=True)
class SearchLimits:
    """Where a sentence begins and ends.

    Attributes:
        max_length: the most tokens that a sentence may have, END not counted. A model with learned
            positions may end it earlier; see `EncoderDecoder.max_steps`.
        end: the token that ends a sentence, or `NEVER`.
    """

    max_length: int
    end: int = END

    def steps(self, model: EncoderDecoder, memory: Memory) -> int:
        """The number of decoder steps: one for each token, and one in which END is seen."""
        steps = self.max_length + (self.end != NEVER)
        most = model.max_steps(memory)
        return steps if most is None else min(steps, most)


def without_marks(logits: Float[Tensor, "*B V"]) -> Float[Tensor, "*B V"]:
    """The logits without PAD and START, which a badly trained model may prefer."""
    return logits.index_fill(-1, torch.tensor([PAD, START], device=logits.device), -torch.inf)


class Decoded(NamedTuple):
    """The sentences that a model wrote.

    Attributes:
        ids: the written tokens, without START and END.
        weights: (T, S) attention of each written token over the real source tokens; the step that
            chose END has no row. None unless asked for, and for a model without attention.
        finished: whether END came; otherwise `max_length` cut the sentence off.
    """

    ids: list[list[int]]
    weights: list[Tensor | None]
    finished: list[bool]


def generate(
    model: nn.Module,
    source: Tensor,
    source_mask: Bool[Tensor, "B S"],
    choose: Choice,
    limits: SearchLimits,
    *,
    return_attention: bool = False,
) -> Decoded:
    """Write one sentence for each source, with dropout off; no token is ever taken back.

    A sentence that has its END leaves the batch. For `source` and `source_mask` see `encode`;
    `choose` gives the next tokens, from logits that are minus infinity where nothing is written.
    """
    count, steps, model = len(source), [], unwrapped(model)
    end = limits.end
    with evaluating(model):
        memory = model.encode(source, source_mask)
        mask, state = memory.mask, model.start(memory)
        token = torch.full((count,), START, device=source.device)
        rows = torch.arange(count, device=source.device)
        for _ in range(limits.steps(model, memory)):
            step = model.step(token, state, memory, return_attention=return_attention)
            require_probabilities(step.logits)
            token, state = choose(without_marks(step.logits), rows), step.state
            steps.append((rows, token, step.attention))
            unfinished = token != end
            if not unfinished.all():
                kept = unfinished.nonzero()[:, 0]
                if not len(kept):
                    break
                rows, token = rows[kept], token[kept]
                state, memory = state.select(kept), memory.select(kept)
        # A sentence that left had written END, and END fills the rest of its line.
        written = torch.full((count, len(steps)), end, device=source.device)
        for t, (rows, token, _) in enumerate(steps):
            written[rows, t] = token
    lines = written.tolist()
    ids = [line[: line.index(end)] if end in line else line[: limits.max_length] for line in lines]
    finished = [end in line for line in lines]
    if steps[0][2] is None:
        return Decoded(ids, [None] * count, finished)
    maps = steps[0][2].new_zeros(count, len(steps), mask.shape[1])
    for t, (rows, _, attention) in enumerate(steps):
        maps[rows, t] = attention
    return Decoded(ids, [maps[i, : len(ids[i])][:, mask[i]] for i in range(count)], finished)


def require_probabilities(
    logits: Float[Tensor, "R V"], rows: Bool[Tensor, " R"] | None = None
) -> None:
    """Check that the logits, those of `rows`, give probabilities to what may be written.

    ValueError otherwise.
    """
    # The maximum of a row is nan if any of its logits is.
    good = logits.amax(-1).isfinite() & without_marks(logits).amax(-1).isfinite()
    if not (good if rows is None else good | ~rows).all():
        raise ValueError(
            "want logits of which at least one is finite and none is nan or infinity; got some "
            "that have no probabilities: are the model's weights finite?"
        )
