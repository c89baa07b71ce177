"""Beam search: several beginnings of each sentence side by side; in the end the best sentence.

Letters: N sentences still searched, K beams, V vocabulary, T tokens so far, S source length.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.data.tokens.tokenizer import START
from course_lib.decoding.generate import Decoded, SearchLimits, require_probabilities, without_marks
from course_lib.models.protocol import Step, evaluating, unwrapped

ALPHA = 0.6
"""The default exponent of the length penalty."""


class Hypothesis(NamedTuple):
    """A sentence of the search.

    Attributes:
        ids: its tokens, without START and END.
        log_probability: of the tokens and, if it is finished, of END, given the source.
        normalised: the log-probability divided by `length_penalty`.
        finished: whether END came.
        weights: (T, S) attention of each token over the real source tokens, or None.
    """

    ids: list[int]
    log_probability: float
    normalised: float
    finished: bool
    weights: Tensor | None


class Beams(NamedTuple):
    """The K beginnings of each of the N sentences that are still searched.

    Attributes:
        sentence: which source each of the N is.
        log_p: of all tokens; minus infinity where there is no hypothesis.
        tokens: START and what was written.
        free: how many of the K beams no ended hypothesis has taken.
        parent: the beam of the step before that each continues.
        maps: attention of each token over the source, or None.
    """

    sentence: list[int]
    log_p: Float[Tensor, "N K"]
    tokens: Int[Tensor, "N K T"]
    free: Int[Tensor, "N 1"]
    parent: Int[Tensor, "N K"] | None = None
    maps: Float[Tensor, "N K _ S"] | None = None

    @property
    def newest(self) -> Int[Tensor, "N K"]:
        """The last token of each beginning."""
        return self.tokens[..., -1]

    @property
    def exists(self) -> Bool[Tensor, "N K"]:
        """Where there is a hypothesis."""
        return self.log_p > -torch.inf

    def without(self, ended: Bool[Tensor, "N K"]) -> "Beams":
        """Hypotheses that have ended are not continued, and keep their beams."""
        free = self.free - ended.sum(1, keepdim=True)
        return self._replace(free=free, log_p=self.log_p.masked_fill(ended, -torch.inf))

    def select(self, chosen: Int[Tensor, " M"]) -> "Beams":
        """Some of the N sentences."""
        sentence = [self.sentence[i] for i in chosen.tolist()]
        return Beams(sentence, *(None if part is None else part[chosen] for part in self[1:]))


def length_penalty(length: int, alpha: float) -> float:
    """lp(Y) = ((5 + |Y|) / (5 + 1))^α (Wu et al. 2016, arXiv:1609.08144, equation 14), with END."""
    return ((5 + length) / 6) ** alpha


def beam(
    model: nn.Module,
    source: Tensor,
    source_mask: Bool[Tensor, "B S"],
    *,
    beams: int = 4,
    alpha: float = ALPHA,
    return_attention: bool = False,
    **limits: int,
) -> Decoded:
    """The best sentence of `beam_hypotheses` for each source, in the form of greedy search."""
    how = {"beams": beams, "alpha": alpha, "return_attention": return_attention}
    best = [h[0] for h in beam_hypotheses(model, source, source_mask, **how, **limits)]
    return Decoded([b.ids for b in best], [b.weights for b in best], [b.finished for b in best])


def beam_hypotheses(
    model: nn.Module,
    source: Tensor,
    source_mask: Bool[Tensor, "B S"],
    *,
    beams: int = 4,
    alpha: float = ALPHA,
    return_attention: bool = False,
    watch: Callable[[Beams], None] | None = None,
    **limits: int,
) -> list[list[Hypothesis]]:
    """All hypotheses that beam search finds for each source, the best first.

    At each step every live hypothesis is continued by every token, and the most probable
    continuations are kept: as many as there are beams, less one for each hypothesis that has
    ended. So one beam is greedy search. A sentence leaves the batch when no live hypothesis can
    become better than the best finished one. A hypothesis that never ended is returned, cut off,
    only if no other of its sentence ended.

    Args:
        model: any encoder-decoder; dropout is off, and its parts keep their train or eval mode.
        beams: K.
        alpha: of `length_penalty`; 0 compares plain log-probabilities, below is a ValueError.
        watch: called after each step, for example to draw the search; what has ended then has END.
        limits: see `SearchLimits`.
    """
    limits = SearchLimits(**limits)
    if not 0 <= alpha < math.inf:
        raise ValueError(f"want an alpha of 0 or more; got {alpha}")
    finished: list[list[Hypothesis]] = [[] for _ in range(len(source))]
    longest = length_penalty(limits.max_length + 1, alpha)
    model = unwrapped(model)
    with evaluating(model):
        memory = model.encode(source, source_mask)
        mask, state = memory.mask, model.start(memory)
        steps = limits.steps(model, memory)
        rows = torch.arange(len(source), device=source.device).repeat_interleave(beams)
        memory, state = memory.select(rows), state.select(rows)
        live = _first(len(source), beams, source.device)
        for length in range(1, steps + 1):
            step = model.step(
                live.newest.flatten(), state, memory, return_attention=return_attention
            )
            require_probabilities(step.logits, live.exists.flatten())
            before, live = live, _extended(live, step)
            ended = (live.newest == limits.end) & live.exists
            if watch is not None:
                watch(live)
            _collect(finished, live, ended, mask, length_penalty(length, alpha), ended=True)
            live = live.without(ended)
            if length == steps:
                # In the step after the longest sentence only END counts.
                cut = before if length > limits.max_length else live
                penalty = length_penalty(min(length, limits.max_length), alpha)
                none = [not finished[number] for number in cut.sentence]
                chosen = cut.exists & torch.tensor(none, device=mask.device).unsqueeze(1)
                _collect(finished, cut, chosen, mask, penalty, ended=False)
                break
            improving = _improving(live, finished, longest)
            if not len(improving):
                break
            # Each beam continues from the state of its parent.
            rows = (improving.unsqueeze(1) * beams + live.parent[improving]).flatten()
            state, memory = step.state.select(rows), memory.select(rows)
            live = live.select(improving)
    return [sorted(of_sentence, key=lambda h: -h.normalised) for of_sentence in finished]


def _first(sentences: int, beams: int, device: torch.device) -> Beams:
    """START in every beam, but only one hypothesis: otherwise all beams would be the same."""
    log_p = torch.full((sentences, beams), -torch.inf, device=device)
    log_p[:, 0] = 0.0
    tokens = torch.full((sentences, beams, 1), START, device=device)
    free = torch.full((sentences, 1), beams, device=device)
    return Beams(list(range(sentences)), log_p, tokens, free)


def _extended(live: Beams, step: Step) -> Beams:
    """The most probable continuations, as many as beams are free."""
    beams = live.log_p.shape[1]
    log_p, parent, token = _best(step.logits, live.log_p)
    taken = torch.arange(beams, device=log_p.device) >= live.free
    tokens = torch.cat([_pick(live.tokens, parent), token.unsqueeze(-1)], dim=-1)
    maps = None
    if step.attention is not None:
        newest = step.attention.unflatten(0, (-1, beams)).unsqueeze(2)
        maps = _pick(newest if live.maps is None else torch.cat([live.maps, newest], 2), parent)
    log_p = log_p.masked_fill(taken, -torch.inf)
    return Beams(live.sentence, log_p, tokens, live.free, parent, maps)


def _best(
    logits: Float[Tensor, "NK V"], log_p: Float[Tensor, "N K"]
) -> tuple[Float[Tensor, "N K"], Int[Tensor, "N K"], Int[Tensor, "N K"]]:
    """The K best continuations: log-probability, the beam that is continued, the token.

    Of equally probable ones the first beam and the smallest id come first, as in greedy search.
    """
    single = torch.promote_types(logits.dtype, torch.float32)
    step = without_marks(logits.to(single).log_softmax(-1))
    total = log_p.unsqueeze(-1) + step.unflatten(0, log_p.shape)
    # Nothing continues what has no probability; its step may be nan.
    total = total.masked_fill_((log_p == -torch.inf).unsqueeze(-1), -torch.inf)
    total, beams = total.flatten(1), log_p.shape[1]
    best, where = total.topk(min(beams + 1, total.shape[1]), dim=1)
    if ((best[:, 1:] == best[:, :-1]) & best[:, 1:].isfinite()).any():
        # `topk` takes any of several equal numbers. A stable sort is right, and slow.
        best, where = total.sort(dim=1, descending=True, stable=True)
    best, where = best[:, :beams], where[:, :beams]
    return best, where // step.shape[-1], where % step.shape[-1]


def _pick(values: Tensor, parent: Int[Tensor, "N K"]) -> Tensor:
    """From values (N, K, ...) those of the parents."""
    return values[torch.arange(len(parent), device=parent.device).unsqueeze(1), parent]


def _collect(
    finished: list[list[Hypothesis]],
    live: Beams,
    chosen: Bool[Tensor, "N K"],
    mask: Bool[Tensor, "B S"],
    penalty: float,
    *,
    ended: bool,
) -> None:
    """Add these hypotheses to those of their sentences; END is not one of their tokens."""
    # Read from the device together: each reading waits for everything queued on it.
    where, length = chosen.nonzero(as_tuple=True), live.tokens.shape[-1] - 1 - ended
    lines, log_p = live.tokens[..., 1 : 1 + length][where].tolist(), live.log_p[where].tolist()
    for i, j, ids, p in zip(*(part.tolist() for part in where), lines, log_p, strict=True):
        number = live.sentence[i]
        attention = None if live.maps is None else live.maps[i, j, :length][:, mask[number]]
        finished[number].append(Hypothesis(ids, p, p / penalty, ended, attention))


def _improving(live: Beams, finished: list[list[Hypothesis]], penalty: float) -> Int[Tensor, " M"]:
    """The sentences in which a live hypothesis may become better than the best that has ended."""
    bound = live.log_p.amax(1) / penalty
    best = [max((h.normalised for h in finished[i]), default=-torch.inf) for i in live.sentence]
    return (bound > torch.tensor(best, device=bound.device)).nonzero()[:, 0]
