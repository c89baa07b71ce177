"""`attend` beside PyTorch's own scaled dot-product attention: forward and backward.

Run as `make bench`. Both compute the same (tests/parity proves it). PyTorch's is one fused
operator; ours is a few readable lines that also return the weights. The ratio is the price.
"""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from benchmarks._timing import keep, seconds
from course_lib.attention.attend import attend
from course_lib.device import get_device

LENGTHS = (32, 128, 512)
BATCH, HEADS, WIDTH = 16, 8, 64
REPEATS = 20


def ours(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """The library's attention."""
    return attend(query, key, value).context


def there_and_back(attention: Callable[..., Tensor], tensors: list[Tensor]) -> Callable[[], None]:
    """One forward and backward pass."""
    return lambda: attention(*tensors).sum().backward()


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
        attentions = {"pytorch": scaled_dot_product_attention, "attend": ours}
        calls = {name: there_and_back(a, tensors) for name, a in attentions.items()}
        taken = seconds(calls, device, repeats=REPEATS, warm_up=3)
        theirs, own = 1000 * taken["pytorch"], 1000 * taken["attend"]
        print(f"{length:>8} {theirs:>12.2f} {own:>12.2f} {own / theirs:>7.2f}")
        rows.append({"length": length, "pytorch_ms": theirs, "attend_ms": own})
    keep("attention", device, rows)


if __name__ == "__main__":
    main()
