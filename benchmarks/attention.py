"""`attend` beside PyTorch's own scaled dot-product attention: forward and backward.

Run as `make bench`. Both compute the same (tests/parity proves it). PyTorch's is one fused
operator; ours is a few readable lines that also return the weights. The ratio is the price.
"""

import json
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from course_lib.attention.attend import attend
from course_lib.device import get_device

RESULTS = Path(__file__).parent / "results" / "attention.json"
LENGTHS = (32, 128, 512)
BATCH, HEADS, WIDTH = 16, 8, 64
REPEATS = 20


def ours(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """The library's attention."""
    return attend(query, key, value).context


def milliseconds(attention: Callable[..., Tensor], tensors: list[Tensor]) -> float:
    """Median time of one forward and backward pass."""
    times = []
    for _ in range(REPEATS + 3):
        _wait(tensors[0])
        start = time.perf_counter()
        attention(*tensors).sum().backward()
        _wait(tensors[0])
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times[3:])  # the first ones warm up


def _wait(tensor: Tensor) -> None:
    """A GPU answers before it is done."""
    if tensor.is_cuda:
        torch.cuda.synchronize()


def main() -> None:
    """Time all lengths, print the table, write the file."""
    device = get_device()
    generator = torch.Generator().manual_seed(0)
    print(f"attention, forward and backward, {BATCH} x {HEADS} heads x {WIDTH}, on {device}")
    print(f"{'length':>8} {'PyTorch ms':>12} {'attend ms':>12} {'ratio':>7}")
    rows = []
    for length in LENGTHS:
        shape = (BATCH, HEADS, length, WIDTH)
        tensors = [
            torch.randn(shape, generator=generator).to(device).requires_grad_() for _ in range(3)
        ]
        theirs = milliseconds(scaled_dot_product_attention, tensors)
        own = milliseconds(ours, tensors)
        print(f"{length:>8} {theirs:>12.2f} {own:>12.2f} {own / theirs:>7.2f}")
        rows.append({"length": length, "pytorch_ms": theirs, "attend_ms": own})
    RESULTS.parent.mkdir(exist_ok=True)
    machine = {"torch": torch.__version__, "device": str(device), "cpu": platform.machine()}
    machine["threads"] = torch.get_num_threads()
    RESULTS.write_text(json.dumps({"machine": machine, "rows": rows}, indent=1) + "\n")
    print(f"The numbers are in benchmarks/results/{RESULTS.name}.")


if __name__ == "__main__":
    main()
