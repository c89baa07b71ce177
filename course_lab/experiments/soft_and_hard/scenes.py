"""The scenes of chapter 6b: sixteen patches, three digits to report in reading order."""

import torch
from torch import Tensor

from course_lib.data.batch import Batch
from course_lib.data.batch_source import GeneratedBatches
from course_lib.data.images.digits import CLASSES, SIDE, Scenes, compose, images
from course_lib.data.tokens.tokenizer import SPECIALS, START
from course_lib.device import cpu_generator

ROWS, COLUMNS, DIGITS = 4, 4, 3
PLACES = ROWS * COLUMNS
PIXELS = SIDE * SIDE
FIRST = len(SPECIALS)
"""The token of digit 0; the others follow."""
VOCABULARY = FIRST + CLASSES
BATCH = 64
_SEEDS = {"valid": 101, "test": 102}


def batch_of(scenes: Scenes) -> Batch:
    """Scenes as a captioner reads them: patches in, digits out, as many in each, so without END."""
    target = scenes.digits + FIRST
    started = torch.cat([torch.full_like(target[:, :1], START), target[:, :-1]], dim=1)
    return Batch(
        source=scenes.patches,
        source_mask=torch.ones(scenes.patches.shape[:2], dtype=torch.bool),
        target_in=started,
        target_out=target,
        target_mask=torch.ones_like(target, dtype=torch.bool),
        index=tuple(range(len(target))),
        tokens=target.numel(),
    )


def draw(split: str, count: int, generator: torch.Generator) -> Scenes:
    """Scenes of the experiment's size from the images of a split."""
    return compose(images(split), count, generator, rows=ROWS, columns=COLUMNS, digits=DIGITS)


def training(seed: int, updates: int) -> GeneratedBatches:
    """Batches of training scenes, none of which comes twice."""
    return GeneratedBatches(
        lambda seed_of_batch: batch_of(draw("train", BATCH, seed_of_batch)),
        batches=updates,
        seed=seed,
    )


def held_out(split: str, count: int) -> Scenes:
    """The validation or the test scenes, always the same ones."""
    return draw(split, count, cpu_generator(_SEEDS[split]))


def mosaic(patches: Tensor) -> Tensor:
    """Lay the patches (S, P) of a scene side by side, as one image."""
    tiles = patches.view(ROWS, COLUMNS, SIDE, SIDE)
    return tiles.transpose(1, 2).reshape(ROWS * SIDE, COLUMNS * SIDE)
