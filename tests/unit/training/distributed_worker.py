"""Two processes train a tiny model together, again and again.

Run by test_distributed.py as `python distributed_worker.py FOLDER`. It loads torch once and forks
the processes of each training, as torchrun would start them. `whole` is stopped by nothing;
in `killed`, the second process kills itself by a real SIGKILL, and then both begin again. Every
process leaves its weights in FOLDER under its own number. For each training a line of JSON is
printed: how the processes ended and what they said.
"""

import json
import os
import signal
import socket
import sys
import traceback
from pathlib import Path

import torch
import torch._dynamo  # the first update of any optimizer imports it: once here, not in each child

from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.tokens.tokenizer import END
from course_lib.errors import CourseError
from course_lib.models.registry import build
from course_lib.training import distributed
from course_lib.training.checkpoint import weights_of, write_tensors
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from tests.sizes import small

LENGTHS = [1, 2, 6, 5, 1, 1, 6, 2, 3, 1, 4]
CONFIG = FitConfig(
    epochs=3,
    learning_rate=0.01,
    label_smoothing=0.1,
    weight_decay=0.01,
    validate_every=3,
    checkpoint_every=2,
    average=0.5,
    accumulate=2,
    epsilon=1e-5,  # see test_accumulate.py
)
KILLED_AT = 12
"""The batch of the whole run before which a process kills itself: within the last update."""


class Feed(Batches):
    """Eleven pairs of very different lengths in batches of three; the last has two."""

    def __init__(self, deadly=False):
        lines = [[4 + (place + k) % 5 for k in range(n)] for place, n in enumerate(LENGTHS)]
        pairs = [EncodedPair([*line, END], line) for line in lines]
        super().__init__(pairs, pairs_per_batch=3, shuffle=False)
        self.deadly, self.given = deadly, 0

    def epoch(self, n, start=0):
        for batch in super().epoch(n, start):
            self.given += 1
            # One was compared with that of the other process before.
            if self.deadly and self.given == 1 + KILLED_AT:
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch


def train(folder, deadly=False, config=CONFIG, resume=False):
    model = build("transformer", small("transformer", 9), torch.Generator().manual_seed(0))

    def metric(net):
        # Whoever else asks for it would write its own file too.
        with open(folder.with_suffix(".validated"), "a") as file:
            file.write(f"{distributed.rank()}\n")
        return -float(sum(tensor.abs().sum() for tensor in weights_of(net).values()))

    history = fit(
        model,
        Feed(deadly),
        Feed(),
        config,
        directory=folder,
        resume=resume,
        device="cpu",
        progress=False,
        metric=metric,
    )
    return model, history


def one(folder, what):
    torch.set_num_threads(1)
    with distributed.process_group(torch.device("cpu")):
        number = distributed.rank()
        name = "whole" if what == "whole" else "killed"
        deadly = what == "kill" and number == 1
        model, _ = train(folder / name, deadly, resume=what == "resume")
        write_tensors(folder / f"{name}-{number}.safetensors", weights_of(model), {})


def together(folder, what):
    """Forks both processes. Returns their exit codes and the lines of their errors."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    os.environ |= {"TORCHELASTIC_RUN_ID": "test", "WORLD_SIZE": "2"}
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    children = []
    for number in range(2):
        os.environ["RANK"] = os.environ["LOCAL_RANK"] = str(number)
        if child := os.fork():
            children.append(child)
            continue
        sys.stderr = open(folder / f"{what}-{number}.log", "w")  # noqa: SIM115
        code = 0
        try:
            one(folder, what)
        except CourseError as error:
            print(f"error: {error}", file=sys.stderr)
            code = 2
        except BaseException:
            traceback.print_exc()
            code = 1
        sys.stderr.flush()
        os._exit(code)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    said = [(folder / f"{what}-{number}.log").read_text().splitlines() for number in range(2)]
    return {"what": what, "codes": codes, "said": said}


def main(folder):
    for what in ("whole", "kill", "resume"):
        print(json.dumps(together(folder, what)), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
