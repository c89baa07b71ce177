"""Sampling: the next token is drawn by its probability, with or without the improbable tokens."""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.decoding.generate import Decoded, SearchLimits, generate


def sample(
    model: nn.Module,
    source: Tensor,
    source_mask: Bool[Tensor, "B S"],
    *,
    generator: torch.Generator,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    return_attention: bool = False,
    **limits: int,
) -> Decoded:
    """Write a batch by drawing each token from `kept_probabilities` of the model's logits.

    At every step one number is drawn for each sentence of the batch, also for those that have
    left it, so a sentence does not depend on when the others end. The generator is on the CPU. For
    `limits` see `SearchLimits`, for the others `generate`.
    """
    count = len(source)

    def draw(logits: Tensor, rows: Tensor) -> Tensor:
        share = kept_probabilities(logits, temperature=temperature, top_k=top_k, top_p=top_p)
        point = torch.rand(count, generator=generator, dtype=torch.float32, device=generator.device)
        point = point.to(share.device)[rows]
        # The first token at which the cumulative probability exceeds the point.
        cumulative = share.cumsum(-1)
        return (cumulative <= (point * cumulative[:, -1])[:, None]).sum(-1)

    bounds = SearchLimits(**limits)
    return generate(model, source, source_mask, draw, bounds, return_attention=return_attention)


def kept_probabilities(
    logits: Float[Tensor, "*B V"],
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Float[Tensor, "*B V"]:
    """Probabilities to draw from: sharpened or flattened, then cut, then normalised again.

    Args:
        logits: unnormalised log-probabilities; ValueError if they give no probabilities.
        temperature: τ in softmax(logits / τ). Below 1 probable tokens gain; near 0 it is greedy.
        top_k: keep the k most probable tokens (Fan et al. 2018).
        top_p: of those keep the fewest tokens, most probable first, that hold this probability mass
            (the nucleus of Holtzman et al. 2020). The most probable token is always kept.
    """
    if not 0 < temperature < math.inf:
        raise ValueError(f"want a finite temperature above 0; got {temperature}")
    if top_k is not None and top_k < 1:
        raise ValueError(f"want a top_k of 1 or more; got {top_k}")
    if top_p is not None and not 0 < top_p <= 1:
        raise ValueError(f"want a top_p above 0 and at most 1; got {top_p}")
    share = (logits.float() / temperature).softmax(-1)
    if share.isnan().any():
        raise ValueError(
            "want logits of which at least one is finite and none is nan or infinity, also after "
            f"division by the temperature, {temperature}; got some that have no probabilities"
        )
    if top_k is None and top_p is None:
        return share
    falling, order = share.sort(dim=-1, descending=True, stable=True)
    if top_k is not None:
        falling[..., top_k:] = 0.0
        falling = falling / falling.sum(-1, keepdim=True)
    if top_p is not None and top_p < 1:  # rounded sums may reach 1 too early
        # A token is cut if those before it hold enough mass; before the first there is none. A sum
        # that rounding alone keeps below top_p is enough.
        before = falling.cumsum(-1) - falling
        falling = falling.masked_fill((before > 0) & (before > top_p - 1e-6), 0.0)
        falling = falling / falling.sum(-1, keepdim=True)
    return torch.zeros_like(share).scatter(-1, order, falling)
