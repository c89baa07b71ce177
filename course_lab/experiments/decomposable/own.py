"""Three pairs of chapter 7, written like captions, and what a network trained on SICK says of them.

The network is decomposable attention with contrast, by the recipe of the command line, as in
`sick`. Kept are where each word of the hypothesis looks and the probability of each label. The
command that makes the file trains for half a minute on an idle core:

    python -m course_lab.experiments decomposable/own
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lib.data.inference_pairs import LABELS, InferencePair
from course_lib.data.labelled import LabelledBatches
from course_lib.files import atomic_write
from course_lib.models.decomposable import Decomposable, DecomposableConfig
from course_lib.training.checkpoint import Run, load_run

STORED = Path(__file__).with_name("own.json")
PAIRS = (
    ("a little girl is riding a horse", "a child is riding a horse"),
    ("a woman is slicing an onion in a kitchen", "a lady is cutting an onion"),
    ("the dog bites the man", "the man bites the dog"),
)


@torch.inference_mode()
def asked(run: Run) -> list[dict[str, Any]]:
    """A record for each pair: "weights" (N, M) of the hypothesis, ∅ first on both sides."""
    answers = []
    for premise, hypothesis in PAIRS:
        pair = InferencePair(premise, hypothesis, LABELS[0])  # any label
        batches = LabelledBatches([pair], run.tokenizers[0], pairs_per_batch=1)
        looked = run.model.explain(*next(iter(batches.sequential())).inputs)
        shares = looked.logits[0].softmax(-1).tolist()
        answers.append(
            {
                "premise": ["∅", *premise.split()],
                "hypothesis": ["∅", *hypothesis.split()],
                "weights": [
                    [round(w, 3) for w in row] for row in looked.hypothesis_weights[0].tolist()
                ],
                "shares": {
                    label: round(share, 3) for label, share in zip(LABELS, shares, strict=True)
                },
            }
        )
    return answers


def load() -> list[dict[str, Any]]:
    """What is stored: see `asked`."""
    return load_stored(STORED)


def save_to(path: Path, records: list[dict[str, Any]]) -> None:
    """A record a line."""
    lines = ",\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    atomic_write(path, f"[\n{lines}\n]\n")


def _build(name: str, settings: dict[str, Any]) -> Decomposable:
    """Without the list of all models, or each new one would execute the chapter again."""
    return Decomposable(DecomposableConfig(**settings))


def _write(path: Path, seed: int) -> None:
    with TemporaryDirectory() as folder:
        run = str(Path(folder, "run"))
        options = ("--data", "sick", "--contrast", "--seed", str(seed), "--run", run)
        command = [sys.executable, "-m", "course_lib", "train", "decomposable", *options]
        subprocess.run(command, check=True)
        save_to(path, asked(load_run(run, build=_build)))


EXPERIMENTS = [Artifact("A network of SICK on chapter 7's own captions.", STORED, _write)]
