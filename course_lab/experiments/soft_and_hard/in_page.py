"""What the figure of chapter 6b shows: scenes, and the looks of two trained readers at them.

Both readers had the same short training, and the scenes are the first of the test split. Kept are
numbers, not networks; the command that makes them, half a minute:

    python -m course_lab.experiments soft_and_hard/in_page
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.soft_and_hard import reading
from course_lab.experiments.soft_and_hard import scenes as shared
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.glances import Look, Scene, glances
from course_lib.data.images.digits import Scenes
from course_lib.device import cpu_generator
from course_lib.files import atomic_write
from course_lib.models.captioner import Captioner

STORED = Path(__file__).with_name("in_page.json")
SEED, SHORT = 0, 400
"""The whole training of each reader has so many updates, from first to last learning rate."""
SCENES, DRAWS = 3, 60
DRAWS_SEED = 603
"""The best of 1,500: the mean of its first 30 glances is near the gradient. Only 47 of the 1,500
lie on the right side in every column, so the page says that the sample was chosen."""


def show() -> Interactive:
    """The figure, from the stored numbers."""
    stored = load_stored(STORED)
    scenes = [
        Scene(
            torch.tensor(scene["ink"]) / 16,
            [
                Look(**{**look, "hard": _whole(look["hard"]), "soft": _whole(look["soft"])})
                for look in scene["looks"]
            ],
        )
        for scene in stored["scenes"]
    ]
    return glances(scenes, shared.COLUMNS, stored["draws"])


def _whole(shares: Sequence[float]) -> Tensor:
    """Rounded weights, with one in sum again."""
    row = torch.tensor(shares)
    return row / row.sum()


def looks(soft: Captioner, hard: Captioner, scene: Scenes) -> list[dict[str, Any]]:
    """What both readers do at one scene, told the digits before.

    Of the hard reader also what each glance would have brought, patch by patch. It goes on from
    its most probable glance.

    Args:
        soft: a soft reader.
        hard: a hard reader.
        scene: a batch of one scene.
    """
    batch, shown = shared.batch_of(scene), []
    with torch.inference_mode():
        memories = [model.encode(batch.source, batch.source_mask) for model in (soft, hard)]
        states = [model.start(memory) for model, memory in zip((soft, hard), memories, strict=True)]
        for step, (token, true) in enumerate(
            zip(batch.target_in.unbind(1), batch.target_out.unbind(1), strict=True)
        ):
            read = soft.step(token, states[0], memories[0], return_attention=True)
            shares = hard.soft_weights(states[1], memories[1])
            every = torch.eye(shares.shape[1])
            # All glances at once: the scene as often as it has patches.
            rows = torch.zeros(len(every), dtype=torch.long)
            logits, after = hard.step_with(
                token[rows], states[1].select(rows), memories[1].select(rows), every
            )
            digits = logits[:, shared.FIRST :].argmax(-1)
            shown.append(
                {
                    "true": int(true) - shared.FIRST,
                    "place": int(scene.places[0, step]),
                    "soft": _rounded(read.attention[0]),
                    "soft_says": int(read.logits[0, shared.FIRST :].argmax()),
                    "hard": _rounded(shares[0]),
                    "reward": _rounded(logits.log_softmax(-1)[:, int(true)]),
                    "says": digits.tolist(),
                }
            )
            states = [read.state, after.select(shares.argmax(-1))]
    return shown


def _rounded(row: Tensor) -> list[float]:
    return [round(value, 4) for value in row.tolist()]


def make() -> dict[str, Any]:
    """Trains the two readers equally long, and keeps their looks at the first test scenes."""
    soft, hard = (
        reading.train(Trial(kind, SEED, reading.LEARNING_RATES[kind]), updates=SHORT)[0]
        for kind in ("soft", "hard")
    )
    scenes, shown = shared.held_out("test", reading.HELD_OUT), []
    for row in range(SCENES):
        one = Scenes(*(part[row : row + 1] for part in scenes))
        ink = (one.patches[0] * 16).round().int().tolist()
        shown.append({"ink": ink, "looks": looks(soft, hard, one)})
    draws = torch.rand(DRAWS, generator=cpu_generator(DRAWS_SEED)).tolist()
    return {"scenes": shown, "draws": [round(draw, 5) for draw in draws]}


def _write(file: Path, seed: int) -> None:
    del seed  # the experiment's own seeds are shown
    atomic_write(file, json.dumps(make(), separators=(",", ":")) + "\n")


EXPERIMENTS = [Artifact("What the figure of chapter 6b shows.", STORED, _write)]
