"""Exact search: the most probable sentence of all, without enumerating all sentences.

Every token makes a beginning less probable. So no sentence can be more probable than its own
beginning, and a beginning that is no more probable than a finished sentence can be dropped. At each
length at most 1 / p beginnings are more probable than p. So the search is fast for a model that is
sure of its sentence, and slow for one that is not.
"""

from collections.abc import Sequence
from heapq import heappop, heappush

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.data.tokens.tokenizer import PAD, START
from course_lib.decoding.beam import Hypothesis, beam_hypotheses
from course_lib.decoding.generate import SearchLimits, require_probabilities, without_marks
from course_lib.models.protocol import Memory, evaluating, unwrapped

_AT_ONCE = 16
"""How many beginnings of a sentence are decoded side by side."""
Beginning = tuple[float, tuple[int, ...]]
"""Minus the log-probability of the tokens, and the tokens: the smallest is the most probable."""


def most_probable(
    model: nn.Module,
    source: Tensor,
    source_mask: Bool[Tensor, "B S"],
    *,
    patience: int = 2000,
    **limits: int,
) -> list[Hypothesis | None]:
    """The finished sentence with the highest log-probability for each source.

    The most probable beginnings are continued first, by every token, until none is left that is
    more probable than the best sentence so far. Beam search finds a first sentence to beat, as in
    Stahlberg & Byrne 2019 (arXiv:1908.10090), who search depth first.

    Args:
        model: any encoder-decoder; dropout is off, and its parts keep their train or eval mode.
        patience: the search for a source is given up after this many beginnings; it is then None.
        limits: see `SearchLimits`.
    """
    bounds = SearchLimits(**limits)
    first = beam_hypotheses(model, source, source_mask, beams=4, alpha=0.0, **limits)
    best = [next((h for h in hypotheses if h.finished), None) for hypotheses in first]
    opened = [0] * len(source)
    model = unwrapped(model)
    with evaluating(model):
        memory = model.encode(source, source_mask)
        longest = bounds.steps(model, memory) - 1
        waiting: list[list[Beginning]] = [[(0.0, ())] for _ in opened]
        while any(waiting):
            for i, beginnings in enumerate(waiting):
                if opened[i] >= patience and beginnings:
                    best[i] = None
                    beginnings.clear()
            taken = [
                (i, *heappop(beginnings))
                for i, beginnings in enumerate(waiting)
                for _ in range(min(_AT_ONCE, len(beginnings)))
            ]
            if not taken:
                break
            rows = [i for i, _, _ in taken]
            after = _continued(model, memory, rows, [ids for _, _, ids in taken])
            require_probabilities(after)
            # Apple's GPUs have no double precision, and single numbers are asked for below.
            after = without_marks(after).cpu().double()
            for (i, against, ids), more in zip(taken, after, strict=True):
                opened[i] += 1
                total = more - against
                whole = float(total[bounds.end])
                if best[i] is None or whole > best[i].log_probability:
                    best[i] = Hypothesis(list(ids), whole, whole, True, None)
                total[bounds.end] = -torch.inf
                if len(ids) < longest:
                    for token in (total > best[i].log_probability).nonzero()[:, 0].tolist():
                        heappush(waiting[i], (-float(total[token]), (*ids, token)))
            for i, beginnings in enumerate(waiting):
                if beginnings and -beginnings[0][0] <= best[i].log_probability:
                    beginnings.clear()
    return best


def _continued(
    model: nn.Module, memory: Memory, rows: Sequence[int], beginnings: Sequence[tuple[int, ...]]
) -> Float[Tensor, "R V"]:
    """Log-probabilities of what may follow each beginning; the padding after it is not seen."""
    device, longest = memory.mask.device, max(map(len, beginnings))
    lines = [[START, *ids, *[PAD] * (longest - len(ids))] for ids in beginnings]
    last = torch.tensor([len(ids) for ids in beginnings], device=device)
    chosen = memory.select(torch.tensor(rows, device=device))
    logits = model.decode(torch.tensor(lines, device=device), chosen).logits
    newest = logits[torch.arange(len(lines), device=device), last]
    return newest.to(torch.promote_types(newest.dtype, torch.float32)).log_softmax(-1)
