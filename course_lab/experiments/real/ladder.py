"""The whole ladder on real sentences: trains what is missing and writes down what came out.

    python -m course_lab.experiments.real.ladder
    python -m course_lab.experiments.real.ladder --only rung=bahdanau seed=0
    COURSE_DEVICE=cuda python -m course_lab.experiments.real.ladder --workers 15 --deadline 480

It needs the captions (COURSE_DATA, or the network). What stands in the file already is not made
again; a training that was interrupted goes on. On two cores all of it takes days, one recurrent
rung an hour or two.
"""

import argparse
import json
import os
import shutil
import tarfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch

from course_lab.experiments.lab.records import add_choice, selected
from course_lab.experiments.real.captions import RESULTS
from course_lab.experiments.real.one_a_line import one_a_line
from course_lab.experiments.real.rungs import RUNS, SEEDS, SHIPPED, VARIANTS, Run
from course_lab.experiments.real.side_by_side import shared_gpu, side_by_side
from course_lab.experiments.real.train import Limits, make, step_times
from course_lib.device import VARIABLE
from course_lib.files import atomic_path, atomic_write

_RESERVE, _LITTLE = 45, 20
"""Seconds for evaluation while as many others evaluate: of everything, of the validation split."""
_LEAST = 30  # seconds of training, of a rung that nobody has trained yet
_TURNS, _FEW = 6, 10
"""Without a shared GPU: how many processes take turns, and how many variants are compared."""


def read_results(path: Path) -> dict[Run, dict[str, Any]]:
    """The records that are stored, by run, in the order of the file."""
    records = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return {Run(record["rung"], record["seed"]): record for record in records}


def write_results(path: Path, records: dict[Run, dict[str, Any]]) -> None:
    """All records, one a line, in the order of the ladder."""
    order = {run: place for place, run in enumerate(RUNS)}
    runs = sorted(records, key=lambda run: order.get(run, len(order)))
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(path, one_a_line(records[run] for run in runs) + "\n")


def worth_while(run: Run, seconds: float, records: dict[Run, dict[str, Any]]) -> bool:
    """Whether a training that has so many seconds would come near its end.

    How long it takes is known once another seed of the rung is done.
    """
    known = [r["training_seconds"] for other, r in records.items() if other.rung == run.rung]
    return seconds > max((0.9 * s for s in known), default=_LEAST)


def ship(records: dict[Run, dict[str, Any]], folder: Path, target: Path) -> None:
    """Puts the weights that are kept into a folder, and all small files into one archive.

    Of a rung whose best seed alone is kept, that is the one with the best BLEU on the validation
    split. The archive has the tokenizers and the logs, and what the first seeds wrote.
    """
    target.mkdir(parents=True, exist_ok=True)
    small = [folder / f"{run.name}.log" for run in records]
    for rung, best_alone in SHIPPED.items():
        made = [run for run in records if run.rung == rung]
        made = [run for run in made if (folder / f"{run.name}.safetensors").exists()]
        if best_alone and made:
            made = [max(made, key=lambda run: records[run]["valid_bleu"])]
        for run in made:
            name = rung if best_alone else run.name
            with atomic_path(target / f"{name}.safetensors") as path:
                shutil.copyfile(folder / f"{run.name}.safetensors", path)
            small.append(folder / f"{run.name}.tokenizer.json")
    small += [folder / f"{run.name}.texts.json.gz" for run in records if run.seed == SEEDS[0]]
    with atomic_path(target / "rest.tar.gz") as path, tarfile.open(path, "w:gz") as archive:
        for file in small:
            if file.exists():
                archive.add(file, file.name)


def line(record: dict[str, Any]) -> str:
    """A run in one line of a log."""
    words = [
        f"{record['rung']:<28} {record['seed']} {record['parameters'] / 1e6:5.2f} M",
        f"{record['steps']:>5} of {record['steps_planned']:<5}",
        f"{1000 * record['training_seconds'] / record['steps']:6.1f} ms/step",
        f"{record['whole_seconds']:4.0f} s",
        f"valid {record['valid_loss']:.3f} {record['valid_bleu']:.2f} at {record['best_step']}",
    ]
    for way, splits in record["scores"].items():
        if test := splits.get("test_2016_flickr"):
            scores = " ".join(f"{test[s]['bleu_lowercase']:.2f}" for s in ("greedy", "beam5"))
            words.append(f"{way} 2016 {scores}")
    return "  ".join(words)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="The ladder on real data.", allow_abbrev=False)
    parser.add_argument("--file", type=Path, default=RESULTS, help="where the results go")
    parser.add_argument(
        "--folder", type=Path, default=Path("runs", "ladder"), help="where each run's files go"
    )
    parser.add_argument("--ship", type=Path, help="copy the weights to keep there")
    parser.add_argument("--workers", type=int, default=1, help="runs side by side, a thread each")
    parser.add_argument(
        "--deadline",
        type=float,
        metavar="SECONDS",
        help="all is over then: trainings stop in time to be judged, and none is kept to go on",
    )
    parser.add_argument("--tune", action="store_true", help="compare variants by validation")
    parser.add_argument("--tiny", action="store_true", help="a few sentences and steps, for a test")
    add_choice(parser)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Makes the runs that are missing; after each, the files are written anew."""
    begun = time.time()
    parser = _parser()
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    everything = [Run(variant, 0) for variant in VARIANTS] if options.tune else RUNS
    runs = selected(parser, everything, options.only)
    records = read_results(options.file)
    runs = [run for run in runs if run not in records]
    options.folder.mkdir(parents=True, exist_ok=True)
    # Not asked of PyTorch: a process that has looked for a GPU cannot be forked for its use.
    gpu = os.environ.get(VARIABLE, "").strip().lower() in ("cuda", "auto")
    with shared_gpu(gpu) as shared:
        workers = options.workers
        if gpu and not shared:
            workers, runs = min(workers, _TURNS), runs[:_FEW] if options.tune else runs
        until = None if options.deadline is None else begun + options.deadline
        reserve = _LITTLE if options.tune else _RESERVE
        limits = Limits(
            folder=options.folder,
            until=None if until is None else until - reserve,
            checkpoints=until is None,
            tiny=options.tiny,
            tune=options.tune,
            side_by_side=workers,
        )
        how = f"{'shared' if shared else 'not shared'} GPU" if gpu else "CPU"
        print(f"{len(runs)} runs, {workers} at a time, {how}", flush=True)
        for run, well in side_by_side(
            partial(make, limits=limits),
            runs,
            options.folder,
            processes=workers,
            until=until,
            begin=lambda run, left: worth_while(run, left - reserve, records),
        ):
            record = options.folder / f"{run.name}.json"
            seconds = time.time() - begun
            if not (well and record.exists()):
                print(f"{seconds:4.0f} s  {run.name} failed; see {run.name}.log", flush=True)
                continue
            records[run] = json.loads(record.read_text(encoding="utf-8"))
            write_results(options.file, records)
            if options.ship is not None:
                ship(records, options.folder, options.ship)
            print(f"{seconds:4.0f} s  {line(records[run])}", flush=True)
        if options.tune:
            for _ in side_by_side(
                partial(step_times, limits=limits),
                [Run("alone", 0)],
                options.folder,
                processes=1,
                until=time.time() + 25,
            ):
                print((options.folder / "alone-0.log").read_text(encoding="utf-8"), flush=True)


if __name__ == "__main__":
    main()
