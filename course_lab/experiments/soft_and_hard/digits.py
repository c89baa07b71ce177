"""Scenes of handwritten digits: a grid of patches, some with a digit, the rest with its ink alone.

The images are the 1,797 digits of 8 by 8 pixels that scikit-learn brings along (Alpaydin & Kaynak,
"Optical Recognition of Handwritten Digits", the test part), so nothing is downloaded. A distractor
is such an image with its pixels shuffled: as much ink as a digit, and no form.
"""

from functools import cache
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from course_lib.device import cpu_generator

SIDE = 8
"""Pixels from left to right, and from top to bottom, of a patch."""
CLASSES = 10
SPLITS = {"train": 1197, "valid": 300, "test": 300}
"""How many images each split has. No image is in two: a test digit was in no training scene."""
_SPLIT_SEED = 0


class Images(NamedTuple):
    """Images of single digits.

    Attributes:
        pixels: (N, 64) ink from 0, paper, to 1, row by row.
        digit: (N,) 0 to 9.
        number: (N,) which image of scikit-learn's it is.
    """

    pixels: Float[Tensor, "N P"]
    digit: Int[Tensor, " N"]
    number: Int[Tensor, " N"]


class Scenes(NamedTuple):
    """A batch of scenes, S patches each, K of them digits.

    Attributes:
        patches: (B, S, 64) ink, patch by patch in reading order: rows from the top, each from left
            to right.
        digits: (B, K) the digits in reading order.
        places: (B, K) the indices of the patches with a digit, ascending.
    """

    patches: Float[Tensor, "B S P"]
    digits: Int[Tensor, "B K"]
    places: Int[Tensor, "B K"]


def images(split: str) -> Images:
    """Return the images of a split: "train", "valid" or "test"; ValueError for another.

    They are in a shuffled order that is the same on every machine.
    """
    pixels, digit = _all()
    order = torch.randperm(len(digit), generator=cpu_generator(_SPLIT_SEED))
    number = order.split(list(SPLITS.values()))[list(SPLITS).index(split)]
    return Images(pixels[number], digit[number], number)


def compose(
    source: Images,
    count: int,
    generator: torch.Generator,
    *,
    rows: int = 3,
    columns: int = 3,
    digits: int = 3,
) -> Scenes:
    """Draw scenes: digits in random patches, and shuffled ink in all other patches.

    Args:
        source: the images to draw from, each as probable as the others.
        count: B, how many scenes.
        generator: decides all of it.
        rows, columns: of patches.
        digits: K, how many patches hold a digit.
    """
    size = (count, rows * columns)
    drawn = torch.randint(len(source.digit), size, generator=generator)
    # The K highest of random numbers: each set of K patches is equally probable.
    positions = torch.rand(size, generator=generator).topk(digits).indices.sort().values
    shuffled = torch.rand(*size, SIDE * SIDE, generator=generator).argsort(-1)
    unshuffled = torch.arange(SIDE * SIDE).expand(count, digits, -1)
    order = shuffled.scatter(1, positions[..., None].expand_as(unshuffled), unshuffled)
    patches = source.pixels[drawn].gather(-1, order)
    return Scenes(patches, source.digit[drawn.gather(1, positions)], positions)


@cache
def _all() -> tuple[Float[Tensor, "N P"], Int[Tensor, " N"]]:
    # Slow to import, and of all the library only this needs it.
    from sklearn.datasets import load_digits

    pixels, digit = load_digits(return_X_y=True)
    return torch.from_numpy(pixels).float() / 16, torch.from_numpy(digit).long()
