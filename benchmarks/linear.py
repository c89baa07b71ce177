"""The next token of a GPT after a long text: softmax with its cache beside a linear state.

Two layers of width 256, one thread. Both read one token and score the next; what they kept of the
text before is drawn at random. `kept` is its bytes, all layers together.
"""

from contextlib import nullcontext
from functools import partial

import torch
from torch import Tensor

from benchmarks._timing import Row, compared, run
from course_lab.experiments.lab.world import one_thread
from course_lib.attention.cache import KeyValueCache
from course_lib.attention.linear import LinearState
from course_lib.device import cpu_generator
from course_lib.models.linear_gpt import LayerState, LinearGPT, LinearGPTConfig

LENGTHS = (1_000, 4_000, 16_000, 64_000)
WORDS, WIDTH, HEADS, LAYERS = 1_000, 256, 4, 2
NAMES = {"linear": "linear state", "softmax": "softmax with the cache"}


def past(mixer: str, tokens: int, device: torch.device) -> tuple[LayerState, ...]:
    """What each layer keeps of so many tokens."""
    generator, head = cpu_generator(0), WIDTH // HEADS
    layers = []
    for _ in range(LAYERS):
        if mixer == "softmax":
            drawn = torch.randn(2, 1, HEADS, tokens, head, generator=generator).to(device)
            visible = torch.ones(1, tokens, dtype=torch.bool, device=device)
            layers.append(LayerState(cache=KeyValueCache(*drawn), visible=visible))
        else:
            memory = torch.randn(1, HEADS, head, head, generator=generator).to(device)
            keys = torch.rand(1, HEADS, head, generator=generator).to(device)
            layers.append(LayerState(memory=LinearState(memory, keys)))
    return tuple(layers)


def kept(states: tuple[LayerState, ...]) -> int:
    """Bytes of what all layers keep."""
    return sum(part.nbytes for layer in states for part in layer.cache or layer.memory)


def next_token(model: LinearGPT, states: tuple[LayerState, ...], tokens: int) -> Tensor:
    """Logits after one token more."""
    token = torch.full((1, 1), 7, device=next(model.parameters()).device)
    x, _ = model.extend(token, torch.full_like(token, tokens), token > 0, states)
    return model.lm_head(x)


@torch.inference_mode()
def measure(device: torch.device, quick: bool, limits: dict[str, float]) -> list[Row]:
    """A case for each length."""
    models = {
        mixer: LinearGPT(
            LinearGPTConfig(WORDS, mixer=mixer, width=WIDTH, heads=HEADS, layers=LAYERS),
            cpu_generator(0),
        )
        .to(device)
        .eval()
        for mixer in NAMES
    }
    rows = []
    for tokens in LENGTHS[:2] if quick else LENGTHS:
        calls, bound, size = {}, {}, {}
        for mixer, model in models.items():
            states, name = past(mixer, tokens, device), NAMES[mixer]
            calls[name] = partial(next_token, model, states, tokens)
            size[name] = kept(states)
            weights = sum(weight.nbytes for weight in model.parameters())
            # The rate of a copy counts what is read and what is written; here all is read.
            bound[name] = (size[name] + weights) / limits["copy"]
        with one_thread() if device.type == "cpu" else nullcontext():
            found = compared(
                f"a token after {tokens:,}", calls, device, repeats=5 if quick else 21, bound=bound
            )
        rows += [row | {"kept": size[row["name"]]} for row in found]
    return rows


if __name__ == "__main__":
    run("linear", measure)
