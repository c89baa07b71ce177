"""Chapter 12: points under a roofline, each with its counted intensity and its measured rate."""

from collections.abc import Callable

import torch
from torch import nn

from course_lab.experiments.at_scale.counts import NUMBER, WIDTH, core_cost, layer_cost
from course_lab.experiments.at_scale.speed import cores
from course_lib.attention.attend import attend

WORDS, STEPS, CACHED = 1024, 64, 2**15


def points(
    fastest: Callable[[Callable[[], object]], float], device: torch.device
) -> dict[str, tuple[float, float]]:
    """Operations a byte, and operations a second, of five pieces of work.

    Args:
        fastest: the seconds of a call.
        device: where the work is done.
    """
    found = {}
    with torch.inference_mode():
        q, k, v = (torch.randn(1, WORDS, WIDTH, device=device) for _ in range(3))
        for name in ("attention", "blockwise"):
            cost = core_cost(name, WORDS)
            core = cores()[name]
            taken = fastest(lambda core=core: core(q, k, v))
            found[name] = (cost.intensity, cost.operations / taken)
        layer = nn.GRU(WIDTH, WIDTH, batch_first=True).to(device)
        for batch in (1, 64):
            x = torch.randn(batch, STEPS, WIDTH, device=device)
            cost = layer_cost("recurrent", STEPS, batch=batch)
            taken = fastest(lambda x=x: layer(x))
            name = "GRU, 1 sentence" if batch == 1 else f"GRU, {batch} sentences"
            found[name] = (cost.intensity, cost.operations / taken)
        kept = torch.randn(1, CACHED, WIDTH, device=device)
        other = kept.clone()
        taken = fastest(lambda: attend(q[:, :1], kept, other))
        found["step with a cache"] = (2 / NUMBER, 4 * kept.numel() / taken)
    return found
