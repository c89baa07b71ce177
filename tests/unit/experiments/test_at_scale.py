"""Chapter 12: the closed forms of the costs are what PyTorch counts; memory of both ways."""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from course_lab.experiments.at_scale import speed
from course_lab.experiments.at_scale.counts import cache_bytes, core_cost, layer_cost

CPU = torch.device("cpu")


@pytest.mark.parametrize("mechanism", ["attention", "blockwise", "window"])
@pytest.mark.parametrize(("n", "d", "batch"), [(48, 32, 1), (700, 16, 2)])
def test_operations_are_those_that_pytorch_counts(mechanism, n, d, batch):
    layer = speed.layers(d, CPU)[mechanism]
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        layer(torch.randn(batch, n, d))
    assert layer_cost(mechanism, n, d, batch=batch).operations == counter.get_total_flops()


def test_attention_and_a_gru_cost_the_same_at_one_and_a_half_widths():
    for d in (4, 64, 256):
        costs = {layer_cost(m, 3 * d // 2, d).operations for m in ("attention", "recurrent")}
        assert len(costs) == 1


def test_bytes_by_hand():
    """n = 6, d = 4: three products 144 numbers, 4 n² + 4 n d more; GRU 48 + 20 a word."""
    assert layer_cost("attention", 6, 4).moved == 4 * (144 + 240)
    assert layer_cost("recurrent", 6, 4).moved == 4 * (144 + 6 * (48 + 20))
    assert core_cost("blockwise", 6, 4).moved == 4 * (2 * 24 + 2 * 24)
    # Two blocks of queries read all keys and values twice.
    assert core_cost("blockwise", 1024, 4).moved == 4 * (2 * 4096 + 2 * 2 * 4096)
    # A key and a value for each of 3 words.
    assert cache_bytes(3, layers=2, key_heads=4, width=8, number=2) == 3 * 2 * 4 * 8 * 2 * 2


def test_blockwise_needs_a_tenth_of_the_memory_or_less_forward_and_backward():
    peaks = {}
    for name in ("attention", "blockwise"):
        core = speed.cores()[name]

        def both(core=core):
            leaves = [torch.randn(1, 4096, 16, requires_grad=True) for _ in range(3)]
            core(*leaves).sum().backward()

        peaks[name] = speed.peak_bytes(both, CPU)
    assert peaks["blockwise"] < peaks["attention"] / 10
    assert peaks["attention"] > 2 * 4 * 4096**2
