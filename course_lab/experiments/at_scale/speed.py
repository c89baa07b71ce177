"""Chapter 12: seconds and bytes of attention, blockwise, fused and in a window, beside a GRU.

    python -m course_lab.experiments at_scale/speed

On one thread of the processor, or on the device that COURSE_DEVICE names; the file keeps one entry
for each kind of device. The calls that are compared take turns; a number is the median of their
seconds, with the least and the most. On a processor these are its own seconds, not the clock's,
since others may be at work. Memory is the most that was allocated beyond what was there before.
"""

import json
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from course_lab.experiments.at_scale.counts import RADIUS, WIDTH, WINDOW_BLOCK
from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.lab.world import one_thread
from course_lib.attention.attend import attend
from course_lib.attention.blockwise import blockwise_attention
from course_lib.device import cpu_generator, describe_device, get_device
from course_lib.files import atomic_write

STORED = Path(__file__).with_name("speed.json")
LENGTHS = (64, 128, 256, 384, 512, 1024, 2048, 4096, 8192, 16384)
TRAINED = (256, 512, 1024, 2048, 4096, 8192, 16384)
BATCHES, BATCH_LENGTH = (1, 4, 16, 64), 256
CACHED, HEADS, HEAD_WIDTH, KEY_HEADS = 16384, 8, 64, (8, 2, 1)
SIDE, COPIED = 1024, 2**24
Call = Callable[[], object]
Row = dict[str, Any]


def cores() -> dict[str, Callable[[Tensor, Tensor, Tensor], Tensor]]:
    """Each attention by its name, from queries, keys and values (B, n, d) to contexts."""
    return {
        "attention": lambda q, k, v: attend(q, k, v).context,
        "blockwise": blockwise_attention,
        "fused": _fused,
        "window": lambda q, k, v: blockwise_attention(q, k, v, radius=RADIUS, block=WINDOW_BLOCK),
    }


def _fused(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """PyTorch's operator takes its fast way for four dimensions only."""
    return scaled_dot_product_attention(*(each.unsqueeze(1) for each in (q, k, v))).squeeze(1)


def layers(width: int, device: torch.device) -> dict[str, Callable[[Tensor], object]]:
    """Each mechanism as a layer over words (B, n, width), with three learned matrices, or a GRU."""
    generator = cpu_generator(0)
    matrices = torch.randn(width, 3 * width, generator=generator).to(device) / width**0.5
    gru = nn.GRU(width, width, batch_first=True).to(device)

    def layer(core: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
        return lambda x: core(*(x @ matrices).chunk(3, dim=-1))

    return {**{name: layer(core) for name, core in cores().items()}, "recurrent": gru}


def seconds(
    calls: Mapping[str, Call], device: torch.device, repeats: int
) -> dict[str, list[float]]:
    """The seconds of each call, sorted; the calls take turns, after one turn for warming up."""
    clock = time.process_time if device.type == "cpu" else time.perf_counter
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats + 1):
        for name, call in calls.items():
            _wait(device)
            begun = clock()
            call()
            _wait(device)
            taken[name].append(clock() - begun)
    return {name: sorted(times[1:]) for name, times in taken.items()}


def peak_bytes(call: Call, device: torch.device) -> int:
    """The most bytes that the call has allocated at one time, inside of operators too."""
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
        before = torch.cuda.memory_allocated(device)
        call()
        return torch.cuda.max_memory_allocated(device) - before
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # the profiler's messages go to the notebook
    with torch.profiler.profile(profile_memory=True) as profile:
        call()
    with TemporaryDirectory() as folder:
        trace = Path(folder, "trace.json")
        profile.export_chrome_trace(str(trace))
        events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    moves = [(e["ts"], e["args"]["Bytes"]) for e in events if e.get("name") == "[memory]"]
    most = held = 0
    for _, size in sorted(moves, key=lambda move: move[0]):
        held += size
        most = max(most, held)
    return most


def measure(device: torch.device) -> list[Row]:
    """All rows: by length, in training, by batch, with a cache, and the device's limits."""
    return [
        *_by_length(device),
        *_in_training(device),
        *_by_batch(device),
        *_with_cache(device),
        *_limits(device),
    ]


def _repeats(n: int) -> int:
    return 9 if n <= 1024 else 5 if n <= 4096 else 3


def _timed(part: str, calls: Mapping[str, Call], device: torch.device, **more: int) -> list[Row]:
    repeats = _repeats(more.get("n", 0))
    return [
        {
            "part": part,
            "name": name,
            **more,
            "seconds": _short(median(taken)),
            "low": _short(taken[0]),
            "high": _short(taken[-1]),
        }
        for name, taken in seconds(calls, device, repeats).items()
    ]


def _short(number: float) -> float:
    return float(f"{number:.3g}")


def _by_length(device: torch.device) -> Iterator[Row]:
    made = layers(WIDTH, device)
    with torch.inference_mode():
        for n in LENGTHS:
            x = torch.randn(1, n, WIDTH, generator=cpu_generator(n)).to(device)
            calls = {name: (lambda layer=layer, x=x: layer(x)) for name, layer in made.items()}
            yield from _timed("length", calls, device, n=n)


def _in_training(device: torch.device) -> Iterator[Row]:
    """Forward and backward pass of one attention, without its matrices."""
    chosen = {name: core for name, core in cores().items() if name != "window"}
    for n in TRAINED:
        generator = cpu_generator(n)
        made = [torch.randn(1, n, WIDTH, generator=generator).to(device) for _ in range(3)]

        def there_and_back(core: Callable[..., Tensor], made: list[Tensor] = made) -> None:
            leaves = [each.detach().requires_grad_() for each in made]
            core(*leaves).sum().backward()

        calls = {
            name: (lambda core=core, both=there_and_back: both(core))
            for name, core in chosen.items()
        }
        for row in _timed("training", calls, device, n=n):
            yield {**row, "peak": peak_bytes(calls[row["name"]], device)}
        with torch.inference_mode():
            for name, core in chosen.items():
                peak = peak_bytes(lambda core=core, made=made: core(*made), device)
                yield {"part": "forward", "name": name, "n": n, "peak": peak}


def _by_batch(device: torch.device) -> Iterator[Row]:
    made = layers(WIDTH, device)
    with torch.inference_mode():
        for batch in BATCHES:
            x = torch.randn(batch, BATCH_LENGTH, WIDTH, generator=cpu_generator(batch)).to(device)
            calls = {
                name: (lambda layer=made[name], x=x: layer(x))
                for name in ("attention", "recurrent")
            }
            yield from _timed("batch", calls, device, batch=batch)


def _with_cache(device: torch.device) -> list[Row]:
    """One step of a decoder: eight queries of one token, each group with one head of keys."""
    calls = {}
    for shared in KEY_HEADS:
        generator = cpu_generator(shared)
        query = torch.randn(shared, HEADS // shared, HEAD_WIDTH, generator=generator).to(device)
        key, value = (
            torch.randn(shared, CACHED, HEAD_WIDTH, generator=generator).to(device)
            for _ in range(2)
        )
        calls[str(shared)] = lambda q=query, k=key, v=value: attend(q, k, v)
    with torch.inference_mode():
        return _timed("cache", calls, device)


def limits(device: torch.device) -> dict[str, Call]:
    """What a roofline is made of: a large product, in single and half precision, and a copy."""
    generator = cpu_generator(0)
    a, b = (torch.randn(SIDE, SIDE, generator=generator).to(device) for _ in range(2))
    half_a, half_b = a.bfloat16(), b.bfloat16()
    source = torch.zeros(COPIED, device=device)
    target = torch.empty_like(source)
    return {
        "float32": lambda: a @ b,
        "bfloat16": lambda: half_a @ half_b,
        "copy": lambda: target.copy_(source),
    }


def _limits(device: torch.device) -> Iterator[Row]:
    """Operations a second of the products, bytes a second of the copy, each read and written."""
    for row in _timed("limits", limits(device), device):
        work = 2 * NUMBER_BYTES * COPIED if row["name"] == "copy" else 2 * SIDE**3
        yield {**row, "rate": _short(work / row["seconds"])}


NUMBER_BYTES = 4


def _wait(device: torch.device) -> None:
    """A GPU answers before it is done."""
    if device.type == "cuda":
        torch.cuda.synchronize()


@contextmanager
def _threads(device: torch.device) -> Iterator[None]:
    if device.type != "cpu":
        yield
        return
    with one_thread():
        yield


def load(kind: str = "cpu") -> dict[str, Any] | None:
    """What was stored of a kind of device, its `machine` and `rows`; None: it was not measured."""
    return load_stored(STORED).get(kind)


def column(part: str, name: str, field: str = "seconds", by: str = "n") -> dict[int, Any]:
    """Stored numbers of one name on the processor, by length or by batch."""
    rows = load()["rows"]
    return {row[by]: row[field] for row in rows if (row["part"], row["name"]) == (part, name)}


def limits_stored() -> dict[str, float]:
    """Operations a second of the large products, and bytes a second of the copy, by name."""
    return {row["name"]: row["rate"] for row in load()["rows"] if row["part"] == "limits"}


def _write(file: Path, seed: int) -> None:
    del seed  # nothing is trained
    device = get_device()
    stored = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    with _threads(device):
        stored[device.type] = {"machine": _machine(device), "rows": measure(device)}
    entries = []
    for kind, entry in sorted(stored.items()):
        rows = ",\n   ".join(json.dumps(row) for row in entry["rows"])
        machine = json.dumps(entry["machine"])
        entries.append(f'"{kind}": {{\n  "machine": {machine},\n  "rows": [\n   {rows}\n  ]\n }}')
    atomic_write(file, "{\n " + ",\n ".join(entries) + "\n}\n")


def _machine(device: torch.device) -> dict[str, str]:
    """What the numbers were measured on, in words."""
    machine = {"device": describe_device(device), "processor": platform.machine()}
    known = Path("/proc/cpuinfo")
    if known.exists():
        lines = known.read_text(encoding="utf-8").splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        machine["processor"] = next(iter(names), machine["processor"])
    return machine


EXPERIMENTS = [Artifact("What attention and recurrence cost, by the clock.", STORED, _write)]
