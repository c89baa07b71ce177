"""Chapter 11: what a cache saves, counted in multiplications and timed.

`Counting` watches every product that PyTorch is asked for; `with_cache` and `without_cache` say in
closed form how many there have to be. Timed, the file holds ratios of medians, on one thread:

    python -m course_lab.experiments decoding/cost

Letters: D model width, F feed-forward width, V vocabulary, N layers, S source length, n tokens.
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.lab.world import one_thread
from course_lib.decoding.generate import NEVER
from course_lib.decoding.greedy import greedy
from course_lib.device import cpu_generator
from course_lib.files import atomic_write
from course_lib.models.protocol import EncoderDecoder, Memory, State, Step
from course_lib.models.transformer import Transformer, TransformerConfig

STORED = Path(__file__).with_name("cost.json")
LENGTHS = (16, 32, 64, 128)
TIMED = TransformerConfig(1000, 1000, width=128, heads=4, layers=2)
SENTENCES, SOURCE, REPEATS = 4, 12, 3


class Counting(TorchFunctionMode):
    """Inside, `count` is the number of multiplications in linear layers and in attention.

    Of a linear layer that makes `out` numbers of `in` each: out times in. Of attention: for each
    pair of a query and a key the width of the key, for their score, and that of the value, for
    the sum. Norms, softmax and sums are not counted; they are few.
    """

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def __torch_function__(
        self, function: Callable, types: Any, arguments: Any = (), named: Any = None
    ) -> Any:
        """Calls the function and looks at what it was given."""
        result = function(*arguments, **(named or {}))
        if function is torch.nn.functional.linear:
            self.count += result.numel() * arguments[0].shape[-1]
        elif function is torch.nn.functional.scaled_dot_product_attention:
            query, key, value = arguments[:3]
            pairs = query.shape[:-1].numel() * key.shape[-2]
            self.count += pairs * (key.shape[-1] + value.shape[-1])
        return result


def _layers(config: TransformerConfig) -> tuple[int, int]:
    """Multiplications of one token in the matrices of all decoder layers, and those of its words.

    Self-attention has four matrices D by D, cross-attention two (its keys and values are made
    once for the sentence), the feed-forward net two of D by F.
    """
    width, inner = config.width, config.feed_forward or 4 * config.width
    matrices = 6 * width**2 + 2 * width * inner
    return config.layers * matrices, width * config.target_vocabulary


def with_cache(config: TransformerConfig, source: int, tokens: int) -> int:
    """Of writing n tokens when each is read once: Σ (matrices + 2 D N (t + S) + D V), t = 1 ... n.

    Token t looks at t tokens and at S positions of the source, 2 D multiplications each and layer.
    """
    matrices, words = _layers(config)
    looks = 2 * config.width * config.layers
    return sum(matrices + words + looks * (t + source) for t in range(1, tokens + 1))


def without_cache(config: TransformerConfig, source: int, tokens: int) -> int:
    """The same where step t reads all t tokens again: t times the matrices, t² and t S looks."""
    matrices, words = _layers(config)
    looks = 2 * config.width * config.layers
    return sum(t * matrices + words + looks * t * (t + source) for t in range(1, tokens + 1))


@dataclass(frozen=True)
class Written(State):
    """All that was fed so far, and nothing that was computed from it."""

    tokens: Tensor


class WithoutCache(EncoderDecoder):
    """A Transformer that keeps no keys and values of the target; those of the source it keeps."""

    def __init__(self, model: Transformer) -> None:
        super().__init__()
        self.model, self.config = model, model.config

    def encode(self, source: Tensor, source_mask: Tensor) -> Memory:
        """The model's own."""
        return self.model.encode(source, source_mask)

    def start(self, memory: Memory) -> Written:
        """No tokens."""
        rows, device = len(memory.mask), memory.mask.device
        return Written(torch.empty(rows, 0, dtype=torch.long, device=device))

    def step(
        self, token: Tensor, state: Written, memory: Memory, *, return_attention: bool = False
    ) -> Step:
        """Reads everything again, and scores the words behind the last token alone."""
        tokens = torch.cat([state.tokens, token[:, None]], dim=1)
        x, _ = self.model.run_layers(tokens, self.model.start(memory).caches, memory)
        return Step(self.model.lm_head(x[:, -1]), Written(tokens))


def ratios(lengths: Sequence[int] = LENGTHS, repeats: int = REPEATS) -> list[dict[str, Any]]:
    """How many times as long greedy search takes without the cache, by the tokens it writes.

    Seconds of the processor, not of the clock, on one thread, both in turn: others may be at work
    on the machine. A ratio is that of the medians.
    """
    generator = cpu_generator(0)
    model = Transformer(TIMED, generator).eval()
    size = (SENTENCES, SOURCE)
    source = torch.randint(4, TIMED.source_vocabulary, size, generator=generator)
    real = torch.ones_like(source, dtype=torch.bool)
    ratios_by_row = []
    with one_thread():
        for length in lengths:
            taken: dict[bool, list[float]] = {True: [], False: []}
            for _ in range(repeats + 1):
                for kept, one in ((True, model), (False, WithoutCache(model))):
                    begun = time.process_time()
                    greedy(one, source, real, end=NEVER, max_length=length)
                    taken[kept].append(time.process_time() - begun)
            timed = median(taken[False][1:]) / median(taken[True][1:])
            counted = without_cache(TIMED, SOURCE, length) / with_cache(TIMED, SOURCE, length)
            ratios_by_row.append(
                {"tokens": length, "timed": round(timed, 2), "counted": round(counted, 2)}
            )
    return ratios_by_row


def load_ratios() -> list[dict[str, Any]]:
    """What the command stored, one record a length."""
    return load_stored(STORED)


def _write(file: Path, seed: int) -> None:
    del seed  # nothing is trained
    lines = ",\n  ".join(json.dumps(entry) for entry in ratios())
    atomic_write(file, f"[\n  {lines}\n]\n")


EXPERIMENTS = [Artifact("What a cache saves: chapter 11's ratios.", STORED, _write)]
