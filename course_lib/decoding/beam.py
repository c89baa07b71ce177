"""Beam search: several beginnings of a sentence side by side, the best whole one in the end.

Letters: N sentences still searched, K beams, V vocabulary, T tokens so far, S source length.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.data.tokens.tokenizer import END, START
from course_lib.decoding.writing import (
    Decoded,
    no_words,
    require_an_end,
    require_probabilities,
)
from course_lib.models.protocol import evaluating, unwrapped

ALPHA = 0.6
"""How strongly length is made up for, unless somebody says otherwise."""


class Hypothesis(NamedTuple):
    """A sentence that the search has found.

    Attributes:
        ids: its tokens, without START and END.
        log_probability: of the tokens and, if it is finished, of END, given the source.
        score: log-probability over `length_penalty`; by it sentences of different length compare.
        finished: whether END came.
        weights: (T, S) attention of each token over the real source tokens, or None.
    """

    ids: list[int]
    log_probability: float
    score: float
    finished: bool
    weights: Tensor | None


class BeamStep(NamedTuple):
    """What one step of the search chose, for the N sentences that are still searched.

    Attributes:
        sentence: which source each of the N is.
        parent: the beam of the step before that each of the K continues.
        token: what it is continued by.
        log_probability: of all its tokens, this one among them; minus infinity where no
            hypothesis stands, since one that has ended keeps the place.
        ended: whether the token is END; such a hypothesis is found, and not continued.
    """

    sentence: list[int]
    parent: Int[Tensor, "N K"]
    token: Int[Tensor, "N K"]
    log_probability: Float[Tensor, "N K"]
    ended: Bool[Tensor, "N K"]


def length_penalty(length: int, alpha: float) -> float:
    """lp(Y) = ((5 + |Y|) / (5 + 1))^α (Wu et al. 2016, arXiv:1609.08144, equation 14).

    Every token makes a sentence less probable, so that without it short ones win. |Y| counts END.
    """
    return ((5 + length) / 6) ** alpha


def beam(
    model: nn.Module,
    source: Tensor,
    source_mask: Bool[Tensor, "B S"],
    *,
    beams: int = 4,
    alpha: float = ALPHA,
    start: int = START,
    end: int = END,
    max_length: int,
    return_attention: bool = False,
) -> Decoded:
    """The best sentence of `beam_hypotheses` for each source, as greedy search would give it."""
    found = beam_hypotheses(
        model,
        source,
        source_mask,
        beams=beams,
        alpha=alpha,
        start=start,
        end=end,
        max_length=max_length,
        return_attention=return_attention,
    )
    best = [hypotheses[0] for hypotheses in found]
    return Decoded([b.ids for b in best], [b.weights for b in best], [b.finished for b in best])


def beam_hypotheses(
    model: nn.Module,
    source: Tensor,
    source_mask: Bool[Tensor, "B S"],
    *,
    beams: int = 4,
    alpha: float = ALPHA,
    start: int = START,
    end: int = END,
    max_length: int,
    return_attention: bool = False,
    watch: Callable[[BeamStep], None] | None = None,
) -> list[list[Hypothesis]]:
    """What beam search finds for each source, the best first.

    At each step every live hypothesis is continued by every token, and the most probable are
    kept: as many as there are beams, less one for each that has ended, for it keeps its place. So
    one beam is greedy search. A sentence leaves the batch when no live hypothesis can become
    better than the best finished one: log-probabilities only fall, and the penalty is at most
    that of `max_length`. One that never ended is given, cut off, only where none did.

    Args:
        model: any encoder-decoder; dropout is off, and its parts are left in the mode they were in.
        source: what the model encodes.
        source_mask: True at real tokens.
        beams: K.
        alpha: of `length_penalty`; 0 compares plain log-probabilities.
        start: the token that the decoder is fed first; like PAD it is never written.
        end: the token that ends a sentence.
        max_length: the most tokens that a sentence may have, END not counted.
        return_attention: whether the attention weights are wanted.
        watch: called after each step with what was chosen, to draw the search.

    Raises:
        ValueError: no beams, an alpha that is not 0 or more and finite, a `max_length` below 1, an
            `end` that is never written, or a model whose logits are not numbers.
    """
    require_an_end(start, end, max_length)
    if beams < 1 or not 0 <= alpha < math.inf:
        raise ValueError(f"want a beam or more and alpha of 0 or more; got {beams} and {alpha}")
    found: list[list[Hypothesis]] = [[] for _ in range(len(source))]
    model = unwrapped(model)
    with evaluating(model):
        memory = model.encode(source, source_mask)
        real, state, device = memory.mask, model.start(memory), source.device
        rows = torch.arange(len(source), device=device).repeat_interleave(beams)
        memory, state = memory.select(rows), state.select(rows)
        sentence = list(range(len(source)))  # which source each of the N is
        log_p = torch.full((len(source), beams), -torch.inf, device=device)
        log_p[:, 0] = 0.0  # one beginning alone, or all beams would be the same
        places = torch.full((len(source), 1), beams, device=device)  # that no ended one has taken
        written = torch.full((len(source), beams, 1), start, device=device)
        looks, cut, barred = None, None, no_words(start, device)
        for length in range(1, max_length + 2):
            step = model.step(
                written[..., -1].flatten(), state, memory, return_attention=return_attention
            )
            require_probabilities(step.logits, barred, end, (log_p > -torch.inf).flatten())
            before, unended = log_p, written
            log_p, parent, token = _best(step.logits, log_p, barred)
            log_p = log_p.masked_fill(torch.arange(beams, device=device) >= places, -torch.inf)
            if step.attention is not None:
                newest = step.attention.unflatten(0, (-1, beams)).unsqueeze(2)
                cut, looks = looks, newest if looks is None else torch.cat([looks, newest], 2)
                looks = _pick(looks, parent)
            written = torch.cat([_pick(written, parent), token.unsqueeze(-1)], dim=-1)
            ended = (token == end) & (log_p > -torch.inf)
            if watch is not None:
                watch(BeamStep(list(sentence), parent, token, log_p, ended))
            # Read from the device together: each reading waits for all that was asked of it.
            where = ended.nonzero(as_tuple=True)
            lines, chances = written[..., 1:-1][where].tolist(), log_p[where].tolist()
            i_and_j = zip(*(part.tolist() for part in where), strict=True)
            for (i, j), ids, p in zip(i_and_j, lines, chances, strict=True):
                seen = None if looks is None else looks[i, j, :-1][:, real[sentence[i]]]
                score = p / length_penalty(length, alpha)
                found[sentence[i]].append(Hypothesis(ids, p, score, True, seen))
            places = places - ended.sum(1, keepdim=True)
            log_p = log_p.masked_fill(ended, -torch.inf)
            if length > max_length:
                _cut_off(found, sentence, unended, before, cut, real, alpha)
                break
            most = log_p.amax(1) / length_penalty(max_length + 1, alpha)
            best = [max((h.score for h in found[i]), default=-torch.inf) for i in sentence]
            going = (most > torch.tensor(best, device=device)).nonzero()[:, 0]
            if not len(going):
                break
            # Each beam goes on from the state of its parent, in the sentences that go on at all.
            rows = (going.unsqueeze(1) * beams + parent[going]).flatten()
            state, memory = step.state.select(rows), memory.select(rows)
            log_p, places, written = log_p[going], places[going], written[going]
            looks = None if looks is None else looks[going]
            sentence = [sentence[i] for i in going.tolist()]
    if not all(found):  # their sum fell to minus infinity
        raise ValueError(
            "want probabilities above zero; each sentence that the model gave has zero"
        )
    return [sorted(hypotheses, key=lambda h: -h.score) for hypotheses in found]


def _best(
    logits: Float[Tensor, "NK V"], log_p: Float[Tensor, "N K"], barred: Int[Tensor, " _"]
) -> tuple[Float[Tensor, "N K"], Int[Tensor, "N K"], Int[Tensor, "N K"]]:
    """The K best continuations: log-probability, the beam that is continued, the token."""
    single = torch.promote_types(logits.dtype, torch.float32)
    step = logits.to(single).log_softmax(-1).index_fill(-1, barred, -torch.inf)
    total = log_p.unsqueeze(-1) + step.unflatten(0, log_p.shape)
    # Behind what has no probability there is nothing; its step may be nan.
    total = total.masked_fill_((log_p == -torch.inf).unsqueeze(-1), -torch.inf)
    best, where = total.flatten(1).topk(log_p.shape[1], dim=1)
    return best, where // step.shape[-1], where % step.shape[-1]


def _pick(values: Tensor, parent: Int[Tensor, "N K"]) -> Tensor:
    """Of values (N, K, ...) those of the parents."""
    return values[torch.arange(len(parent), device=parent.device).unsqueeze(1), parent]


def _cut_off(
    found: list[list[Hypothesis]],
    sentence: list[int],
    written: Int[Tensor, "N K T"],
    log_p: Float[Tensor, "N K"],
    looks: Float[Tensor, "N K _ S"] | None,
    real: Bool[Tensor, "B S"],
    alpha: float,
) -> None:
    """Gives those that never ended to the sentences that have no other."""
    penalty = length_penalty(written.shape[-1] - 1, alpha)
    for i, number in enumerate(sentence):
        if found[number]:
            continue
        for j in (log_p[i] > -torch.inf).nonzero()[:, 0].tolist():
            p, seen = float(log_p[i, j]), None if looks is None else looks[i, j][:, real[number]]
            ids = written[i, j, 1:].tolist()
            found[number].append(Hypothesis(ids, p, p / penalty, False, seen))
