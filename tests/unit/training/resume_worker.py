"""Trains a tiny model again and again in processes that are killed, until one comes through.

Run by test_resume.py as `python resume_worker.py FOLDER`. It loads torch once and
forks for each attempt; each child is killed by a real SIGKILL. It leaves two runs, `unbroken` and
`killed`, and prints a line of JSON for each attempt.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import torch
import torch._dynamo  # the first update of any optimizer imports it: once here, not in each child

from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.tokens.tokenizer import END
from course_lib.models.registry import build
from course_lib.training.checkpoint import read_tensors, weights_of, write_tensors
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit

VOCABULARY = 12
CONFIG = FitConfig(
    steps=35,
    validate_every=7,
    checkpoint_every=3,
    learning_rate=0.01,
    schedule="warmup_inverse_sqrt",
    warmup=20,
    label_smoothing=0.1,
    weight_decay=0.01,
    seed=5,
)
FILES = 3
"""Files written at a validation with a better score: last, best and history."""


def copy_task(count, seed):
    draw = random.Random(seed)
    lines = [draw.choices(range(4, VOCABULARY), k=draw.randint(1, 6)) for _ in range(count)]
    pairs = [EncodedPair([*line, END], line) for line in lines]
    return Batches(pairs, tokens_per_batch=40, seed=seed)


def train(folder):
    torch.set_num_threads(1)
    config = {"source_vocabulary": VOCABULARY, "target_vocabulary": VOCABULARY}
    config |= {"embedding": 6, "hidden": 8, "dropout": 0.3}
    model = build("bahdanau", config, torch.Generator().manual_seed(2))
    fit(
        model,
        copy_task(60, seed=1),
        copy_task(10, seed=3),
        CONFIG,
        directory=folder,
        resume=True,
        device="cpu",
        progress=False,
    )
    write_tensors(folder / "final.safetensors", weights_of(model), {})


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def die_in(module, name, call, when):
    """The process kills itself before, within or after call number `call` of a function."""
    original = getattr(module, name)
    count = 0

    def replacement(*arguments):
        nonlocal count
        count += 1
        if count == call and when == "before":
            die()
        if count == call and when == "within":
            path, data = arguments
            original(path, data[: len(data) // 2])
            die()
        result = original(*arguments)
        if count == call and when == "after":
            die()
        return result

    setattr(module, name, replacement)


PLACES = [
    (os, "replace", "before"),
    (os, "replace", "after"),
    (os, "fsync", "before"),
    (os, "fsync", "after"),
    (Path, "write_bytes", "before"),
    (Path, "write_bytes", "within"),
]


def attempt(folder, sabotage=None, patience=None):
    """One child. Returns whether SIGKILL ended it."""
    child = os.fork()
    if child == 0:
        try:
            if sabotage is not None:
                die_in(*sabotage)
            train(folder)
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    if patience is not None:
        time.sleep(patience)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status) == signal.SIGKILL
    if os.WEXITSTATUS(status):
        sys.exit("an attempt failed")
    return False


def saved_step(folder):
    path = folder / "last.safetensors"
    return read_tensors(path)[1]["progress"]["step"] if path.exists() else None


def main(folder):
    began = time.monotonic()
    attempt(folder / "unbroken")
    whole = time.monotonic() - began
    draw = random.Random(0)
    plans = [(place, 1 + FILES * (number % 2)) for number, place in enumerate(PLACES)]
    plans += [(None, fraction) for fraction in (0.1, 0.3)]
    draw.shuffle(plans)
    for place, number in plans:
        if place is None:
            # At whatever moment this happens to be.
            killed = attempt(folder / "killed", patience=number * whole * draw.uniform(0.5, 1.5))
        else:
            module, name, when = place
            killed = attempt(folder / "killed", sabotage=(module, name, number, when))
        found = {"place": place and [place[1], place[2]], "number": number, "killed": killed}
        print(json.dumps(found | {"saved": saved_step(folder / "killed")}), flush=True)
    attempt(folder / "killed")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
