"""The library's Transformer beside PyTorch's, in training, and with its cache beside without.

Run as `make bench ARGS=transformer`, or with `training` or `decoding` behind for a part.
Sizes are those of a small translator: width 256, three layers on each side, 8,000 words.

    training    a step of Adam on 64 pairs of at most 20 tokens. `torch.nn.Transformer` gets the
                library's tables, positions and loss, so that the stacks alone differ. No dropout:
                so both compute the same (tests/parity proves it).
    decoding    greedy search, 128 tokens for 16 sentences of 20. Without a cache the decoder reads
                at each step all that it has written. The last token alone is scored, and the
                source is encoded once; its keys and values are kept or, in the last line, made
                anew, as `torch.nn.Transformer` makes them. Once on one thread and once on all:
                a second core helps the large products of the slow way, and hardly those of a
                step that reads one token.
"""

import sys
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from benchmarks._timing import keep, seconds
from course_lab.experiments.decoding.cost import WithoutCache
from course_lab.experiments.lab.world import one_thread
from course_lib.attention.masks import causal_mask
from course_lib.decoding.greedy import greedy
from course_lib.device import cpu_generator, get_device
from course_lib.models.blocks import PositionedEmbedding
from course_lib.models.protocol import Memory, State, Step
from course_lib.models.transformer import Transformer, TransformerConfig

CONFIG = TransformerConfig(8_000, 8_000, width=256, heads=4, layers=3)
PAIRS, LENGTH = 64, 20
SENTENCES, WRITTEN = 16, 128


class PyTorchs(nn.Module):
    """`torch.nn.Transformer` with what it leaves to others: tables, positions, a score of words."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.source = PositionedEmbedding(config.source_vocabulary, config)
        self.target = PositionedEmbedding(config.target_vocabulary, config)
        with warnings.catch_warnings():
            # It says that a short cut of inference is not for norms in front.
            warnings.simplefilter("ignore", UserWarning)
            self.stacks = nn.Transformer(
                config.width,
                config.heads,
                config.layers,
                config.layers,
                4 * config.width,
                dropout=0.0,
                batch_first=True,
                norm_first=True,
            )

    def forward(self, source: Tensor, real: Tensor, target: Tensor) -> Tensor:
        """Logits (B, T, V). Masks are turned round: here True hides."""
        places = torch.arange(target.shape[1], device=target.device)
        x = self.stacks(
            self.source(source, torch.arange(source.shape[1], device=source.device)),
            self.target(target, places),
            tgt_mask=~causal_mask(target.shape[1], device=target.device)[0],
            src_key_padding_mask=~real,
            memory_key_padding_mask=~real,
            tgt_is_causal=True,
        )
        return x @ self.target.table.weight.T


class WithoutAnyCache(WithoutCache):
    """Makes the keys and values of the source anew as well, as `torch.nn.Transformer` does."""

    def step(
        self, token: Tensor, state: State, memory: Memory, *, return_attention: bool = False
    ) -> Step:
        """Reads everything again."""
        layers = self.model.decoder
        anew = tuple(layer.cross_attention.project_kv(memory.encoded) for layer in layers)
        return super().step(
            token, state, replace(memory, caches=anew), return_attention=return_attention
        )


def training(device: torch.device) -> dict[str, float]:
    """Seconds of one step: ours and PyTorch's."""
    generator = cpu_generator(0)
    source, target = (
        torch.randint(4, 8_000, (PAIRS, size), generator=generator).to(device)
        for size in (LENGTH, LENGTH + 1)
    )
    lengths = torch.randint(LENGTH // 2, LENGTH + 1, (PAIRS, 1), generator=generator)
    real = (torch.arange(LENGTH) < lengths).to(device)

    def step_of(model: nn.Module, logits: Callable[[], Tensor]) -> Callable[[], None]:
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)

        def step() -> None:
            optimizer.zero_grad()
            cross_entropy(logits().flatten(0, 1), target[:, 1:].flatten()).backward()
            optimizer.step()

        return step

    ours = Transformer(CONFIG, generator).to(device).train()
    theirs = PyTorchs(CONFIG).to(device).train()
    read = (source, real, target[:, :-1])
    calls = {
        "PyTorch": step_of(theirs, lambda: theirs(*read)),
        "library": step_of(ours, lambda: ours(*read).logits),
    }
    return seconds(calls, device, repeats=11, warm_up=2)


def decoding(device: torch.device) -> dict[str, float]:
    """Seconds for all tokens: with the cache and without."""
    generator = cpu_generator(0)
    model = Transformer(CONFIG, generator).to(device)
    source = torch.randint(4, 8_000, (SENTENCES, LENGTH), generator=generator).to(device)
    real = torch.ones_like(source, dtype=torch.bool)
    models = {
        "with the cache": model,
        "without, source kept": WithoutCache(model),
        "without": WithoutAnyCache(model),
    }
    # No token is -1, so no sentence ends before the last step.
    calls = {
        name: lambda one=one: greedy(one, source, real, end=-1, max_length=WRITTEN - 1)
        for name, one in models.items()
    }
    return seconds(calls, device, repeats=3)


def main(arguments: list[str]) -> None:
    """Time what is asked for, print the tables, write the files."""
    device = get_device()
    entries = {
        "training": (training, nullcontext),
        "decoding": (decoding, nullcontext),
        "decoding_on_one_thread": (decoding, one_thread),
    }
    if unknown := [name for name in arguments if name not in entries]:
        sys.exit(f"error: no entry {unknown[0]!r}; there is: {', '.join(entries)}")
    for name in arguments or entries:
        entry, threads = entries[name]
        with threads():
            taken = entry(device)
            keep(f"transformer_{name}", device, {one: 1000 * t for one, t in taken.items()})
        first = next(iter(taken.values()))
        sizes = f"width {CONFIG.width}, {CONFIG.layers} + {CONFIG.layers} layers"
        print(f"{name.replace('_', ' ')}, {sizes}, on {device}")
        print(f"{'':>22} {'ms':>10} {'ratio':>7}")
        for one, value in taken.items():
            print(f"{one:>22} {1000 * value:>10.1f} {value / first:>7.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
