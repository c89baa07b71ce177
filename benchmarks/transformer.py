"""The library's Transformer beside PyTorch's in training, and what its cache and beams cost.

Three layers on each side, 8,000 words.

    training    a step of Adam on sentences of 20 tokens. `torch.nn.Transformer` gets the library's
                tables, positions and loss, so that the stacks alone differ. No dropout: so both
                compute the same (tests/parity proves it). bf16 is autocast.
    decoding    128 tokens for 16 sentences of 20, width 256. Without a cache the decoder reads at
                each step all that it has written. The source is encoded once; its keys and values
                are kept or, in the last row, made anew, as `torch.nn.Transformer` makes them. Once
                on one thread and once on all.
    searching   beam 5 beside greedy decoding, both with the cache.
"""

import warnings
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from benchmarks._timing import Row, compared, not_measured, operations, run
from course_lab.experiments.decoding.cost import WithoutCache
from course_lab.experiments.lab.world import one_thread
from course_lib.attention.masks import causal_mask, padding_mask
from course_lib.decoding.beam import beam
from course_lib.decoding.greedy import greedy
from course_lib.device import cpu_generator
from course_lib.models.blocks import PositionedEmbedding
from course_lib.models.protocol import Memory, State, Step
from course_lib.models.transformer import Transformer, TransformerConfig

WORDS, LENGTH, HEAD = 8_000, 20, 64
WIDTHS, TOKENS = (128, 256, 512), (1_000, 2_000, 4_000)
SENTENCES, WRITTEN, BEAMS = 16, 128, 5
SLOWEST = 0.25
"""Of the rate in float32: a processor that multiplies half precision still more slowly has no unit
for it, and its rows would take hours and say nothing else."""


def config(width: int) -> TransformerConfig:
    """Sizes of a small translator."""
    return TransformerConfig(WORDS, WORDS, width=width, heads=width // HEAD, layers=3)


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


def steps(device: torch.device, width: int, tokens: int, half: bool) -> dict[str, Callable]:
    """A training step of each."""
    generator, pairs = cpu_generator(0), tokens // LENGTH
    source, target = (
        torch.randint(4, WORDS, (pairs, size), generator=generator).to(device)
        for size in (LENGTH, LENGTH + 1)
    )
    lengths = torch.randint(LENGTH // 2, LENGTH + 1, (pairs,), generator=generator)
    real = padding_mask(lengths, LENGTH).to(device)

    def step_of(model: nn.Module, logits: Callable[[], Tensor]) -> Callable[[], None]:
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)

        def step() -> None:
            optimizer.zero_grad()
            with torch.autocast(device.type, torch.bfloat16, enabled=half):
                loss = cross_entropy(logits().flatten(0, 1), target[:, 1:].flatten())
            loss.backward()
            optimizer.step()

        return step

    ours = Transformer(config(width), generator).to(device).train()
    theirs = PyTorchs(config(width)).to(device).train()
    read = (source, real, target[:, :-1])
    return {
        "torch.nn.Transformer": step_of(theirs, lambda: theirs(*read)),
        "library": step_of(ours, lambda: ours(*read).logits),
    }


def training(device: torch.device, quick: bool, limits: dict[str, float]) -> list[Row]:
    """Every width, batch and precision."""
    rows = []
    for width in WIDTHS[:1] if quick else WIDTHS:
        for tokens in TOKENS[:1] if quick else TOKENS:
            for half in (False, True):
                kind = "bfloat16" if half else "float32"
                case = f"training step, width {width}, {tokens:,} tokens, {kind}"
                if limits[kind] < SLOWEST * limits["float32"]:
                    slower = limits["float32"] / limits[kind]
                    why = f"a product takes {slower:.0f} times as long here as in float32"
                    rows.append(not_measured(case, why))
                    continue
                calls = steps(device, width, tokens, half)
                bound = {n: operations(call) / limits[kind] for n, call in calls.items()}
                rows += compared(case, calls, device, repeats=2 if quick else 7, bound=bound)
    return rows


def decoding(device: torch.device, quick: bool, limits: dict[str, float]) -> list[Row]:
    """With the cache and without, and with beams."""
    generator = cpu_generator(0)
    model = Transformer(config(256), generator).to(device)
    source = torch.randint(4, WORDS, (SENTENCES, LENGTH), generator=generator).to(device)
    real = torch.ones_like(source, dtype=torch.bool)
    written = 32 if quick else WRITTEN
    searched = {"source": source, "source_mask": real, "end": -1, "max_length": written - 1}
    models = {
        "with the cache": model,
        "without, source kept": WithoutCache(model),
        "without": WithoutAnyCache(model),
    }
    # No token is -1, so no sentence ends before the last step.
    calls = {name: lambda one=one: greedy(one, **searched) for name, one in models.items()}
    beams = {
        "greedy": lambda: greedy(model, **searched),
        f"beam {BEAMS}": lambda: beam(model, beams=BEAMS, **searched),
    }
    # Each step reads every weight of the decoder and of the word table once.
    weights = sum(p.numel() for p in [*model.decoder.parameters(), model.target_embed.table.weight])
    read = 4 * weights * written / limits["copy"]
    bound = {
        name: max(operations(call) / limits["float32"], read)
        for name, call in {**calls, **beams}.items()
    }
    rows, repeats = [], 2 if quick else 5
    told = f"{written} tokens for {SENTENCES} sentences"
    places = {"one thread": one_thread, "all threads": nullcontext}
    if device.type != "cpu":
        places = {device.type: nullcontext}
    for where, threads in places.items():
        with threads():
            rows += compared(
                f"decoding {told}, {where}", calls, device, repeats=repeats, bound=bound
            )
            rows += compared(
                f"search, {told}, {where}", beams, device, repeats=repeats, bound=bound
            )
    return rows


if __name__ == "__main__":
    run("transformer", lambda *given: [*training(*given), *decoding(*given)])
