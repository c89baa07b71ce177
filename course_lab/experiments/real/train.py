"""One run of the ladder: trained by `fit`, judged once, and what is kept of it."""

import gzip
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import torch
from torch import nn

from course_lab.experiments.real.captions import (
    DIRECTIONS,
    TESTS,
    TRAIN,
    VALID,
    Text,
    batches,
    sentences,
    source_lengths,
    tokenizer,
)
from course_lab.experiments.real.judge import SEARCHES, judge
from course_lab.experiments.real.rungs import RUNGS, VARIANTS, Run, Rung
from course_lib.data.tokens.tokenizer import JointBPE
from course_lib.device import cpu_generator, get_device
from course_lib.evaluation.bleu import greedy_bleu
from course_lib.files import atomic_write
from course_lib.models.protocol import EncoderDecoder
from course_lib.models.registry import build
from course_lib.training.checkpoint import weights_of, write_tensors
from course_lib.training.fit import fit
from course_lib.training.history import History

WAY = "python -m course_lab.experiments.real.ladder"
_VALID_BATCH = 8192


class Limits(NamedTuple):
    """What a run may use, which is no part of what it is.

    Attributes:
        folder: where its files go.
        until: the time (`time.time()`) when training stops, wherever it is; None never stops it.
        checkpoints: keep the state of the training there, to go on after an interruption.
        tiny: a few sentences and steps, to see that all parts work.
        tune: judge on the validation split alone.
        side_by_side: how many runs share the machine, for the record.
    """

    folder: Path
    until: float | None = None
    checkpoints: bool = True
    tiny: bool = False
    tune: bool = False
    side_by_side: int = 1


class Trained(NamedTuple):
    """A network with its tokenizer and the way it came."""

    model: EncoderDecoder
    tokenizer: JointBPE
    text: Text
    history: History


def rung_of(run: Run, limits: Limits) -> Rung:
    """The row that a run belongs to; a tiny one is as small as can be."""
    rung = (VARIANTS if limits.tune else RUNGS)[run.rung]
    if not limits.tiny:
        return rung
    narrow = {"width": 16, "feed_forward": 16, "layers": 1}
    if rung.model != "transformer":
        narrow = {"embedding": 16, "hidden": 16}
    return rung.changed(
        narrow,
        {"steps": 12, "warmup": 2, "validate_every": 6},
        vocabulary=250,
        tokens_per_batch=512,
    )


def train(run: Run, rung: Rung, limits: Limits) -> Trained:
    """Trains a network. The weights kept are those with the best greedy BLEU on the validation
    split, without regard to case; a network for both directions is judged by the mean of the two.
    """
    text = rung.text(most=40 if limits.tiny else 0)
    joint = tokenizer(text)
    sizes = {"source_vocabulary": len(joint), "target_vocabulary": len(joint)}
    model = build(rung.model, rung.settings | sizes, cpu_generator(run.seed))
    valid = [sentences(text, way, VALID) for way in DIRECTIONS[text.direction]]
    feeds = (
        batches(text, TRAIN, rung.tokens_per_batch, run.seed),
        batches(text, VALID, _VALID_BATCH),
    )
    minutes = None if limits.until is None else max(limits.until - time.time(), 1.0) / 60
    with fast_matrices(True):
        history = fit(
            model,
            *feeds,
            replace(rung.fit, seed=run.seed, max_minutes=minutes),
            directory=limits.folder / run.name if limits.checkpoints else None,
            resume=limits.checkpoints,
            device=get_device(),
            progress=False,
            metric=partial(_bleu, pairs=valid, joint=joint),
        )
    return Trained(model.eval(), joint, text, history)


def _bleu(model: nn.Module, pairs: list[list[tuple[str, str]]], joint: JointBPE) -> float:
    return mean(greedy_bleu(model, some, (joint, joint)) for some in pairs)


def make(run: Run, limits: Limits) -> None:
    """Trains and judges; leaves a record, the weights in 16 bits and what was written.

    The files are `NAME.json`, `NAME.safetensors`, `NAME.tokenizer.json` and `NAME.texts.json.gz`.
    """
    torch.set_num_threads(1)
    rung = rung_of(run, limits)
    begun = time.monotonic()
    trained = train(run, rung, limits)
    record = _record(run, rung, limits, trained)
    texts: dict[str, Any] = {}
    with fast_matrices(False):
        for split in (VALID,) if limits.tune else (VALID, *TESTS):
            searches = ["greedy"] if split == VALID else list(SEARCHES)
            for way in DIRECTIONS[trained.text.direction]:
                pairs = sentences(trained.text, way, split)
                lengths = source_lengths(trained.text, way, split)
                scores, written = judge(trained.model, pairs, lengths, trained.tokenizer, searches)
                record["scores"].setdefault(way, {})[split] = scores
                texts.setdefault(way, {})[split] = written
    for searches in (s for splits in record["scores"].values() for s in splits.values()):
        for search in SEARCHES:
            if search in searches:
                record["signatures"] = searches[search].pop("signatures")
    record["whole_seconds"] = round(time.monotonic() - begun, 1)
    keep(run, rung, limits.folder, trained, record, texts)


def _record(run: Run, rung: Rung, limits: Limits, trained: Trained) -> dict[str, Any]:
    history, device = trained.history, next(trained.model.parameters()).device
    best = next((r for r in history.records if r.step == history.best_step), history.records[-1])
    cuda = device.type == "cuda"
    return {
        "rung": run.rung,
        "seed": run.seed,
        "model": rung.model,
        "direction": rung.direction,
        "parameters": sum(p.numel() for p in trained.model.parameters()),
        "vocabulary": len(trained.tokenizer),
        "steps": history.steps,
        "steps_planned": rung.fit.steps,
        "epochs": round(history.records[-1].epoch, 2),
        "stopped": history.stopped,
        "best_step": history.best_step,
        "training_seconds": round(history.seconds, 1),
        "side_by_side": limits.side_by_side,
        "device": torch.cuda.get_device_name(device) if cuda else str(device),
        "valid_loss": round(best.valid_loss, 4),
        "valid_bleu": round(history.best_metric, 2),
        "scores": {},
        "curve": [
            [r.step, round(r.train_loss, 4), round(r.valid_loss, 4), round(r.metric, 2)]
            for r in history.records
        ],
        "command": f"{WAY} --only rung={run.rung} seed={run.seed}",
        "torch": torch.__version__,
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def keep(
    run: Run,
    rung: Rung,
    folder: Path,
    trained: Trained,
    record: dict[str, Any],
    texts: dict[str, Any],
) -> None:
    """Writes the files of a run; its record comes last, and with it the run is done."""
    folder.mkdir(parents=True, exist_ok=True)
    halves = {name: tensor.half() for name, tensor in weights_of(trained.model).items()}
    size = len(trained.tokenizer)
    about = {
        "model": rung.model,
        "model_config": rung.settings | {"source_vocabulary": size, "target_vocabulary": size},
        **{name: record[name] for name in ("rung", "seed", "direction", "valid_bleu", "command")},
    }
    write_tensors(folder / f"{run.name}.safetensors", halves, about)
    trained.tokenizer.save(folder / f"{run.name}.tokenizer.json")
    packed = gzip.compress(json.dumps(texts, ensure_ascii=False).encode(), mtime=0)
    atomic_write(folder / f"{run.name}.texts.json.gz", packed)
    atomic_write(folder / f"{run.name}.json", json.dumps(record) + "\n")


def step_times(run: Run, limits: Limits) -> None:
    """Prints what a step costs a process that has the machine for itself."""
    torch.set_num_threads(1)
    for name in ("transformer", "transformer-en-de", "bahdanau", "luong", "lstmn"):
        rung = rung_of(Run(name, 0), limits._replace(tune=False))
        text = rung.text(most=40 if limits.tiny else 2000)
        joint = tokenizer(text)
        sizes = {"source_vocabulary": len(joint), "target_vocabulary": len(joint)}
        model = build(rung.model, rung.settings | sizes, cpu_generator(0))
        feed = batches(text, TRAIN, rung.tokens_per_batch)
        with fast_matrices(True):
            for steps in (5, 25):
                few = replace(rung.fit, steps=steps, warmup=2)
                history = fit(model, feed, None, few, device=get_device(), progress=False)
        print(f"alone: {name} {1000 * history.seconds / history.steps:.1f} ms/step", flush=True)


@contextmanager
def fast_matrices(fast: bool) -> Iterator[None]:
    """Products of float32 matrices with 10 bits of fraction on GPUs that can (TF32), or exact."""
    before = torch.get_float32_matmul_precision(), torch.backends.cudnn.allow_tf32
    torch.set_float32_matmul_precision("high" if fast else "highest")
    torch.backends.cudnn.allow_tf32 = fast
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before[0])
        torch.backends.cudnn.allow_tf32 = before[1]
