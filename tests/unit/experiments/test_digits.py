"""Scenes hold the digits that they say, where they say, and no image is in two splits."""

import torch

from course_lab.experiments.soft_and_hard.digits import SPLITS, compose, images


def drawing(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_every_image_is_in_one_split():
    numbers = [images(split).number for split in SPLITS]
    assert [len(part) for part in numbers] == list(SPLITS.values())
    assert torch.cat(numbers).sort().values.tolist() == list(range(1797))


def test_images_are_scikit_learns():
    from sklearn.datasets import load_digits

    theirs, found = load_digits(), images("valid")
    for pixels, digit, number in zip(*(part[:20] for part in found), strict=True):
        assert (pixels * 16).tolist() == theirs.data[number].tolist()
        assert digit == theirs.target[number]


def test_a_scene_holds_its_digits_whole_and_in_reading_order():
    source = images("train")
    known = {tuple(row.tolist()): int(digit) for row, digit in zip(*source[:2], strict=True)}
    found = compose(source, 60, drawing(), rows=2, columns=3, digits=3)
    assert found.patches.shape == (60, 6, 64)
    assert (found.places.diff(dim=1) > 0).all()
    for patches, said, places in zip(*found, strict=True):
        whole = [known.get(tuple(patch.tolist())) for patch in patches]
        assert [whole[place] for place in places] == said.tolist()
        assert sum(digit is not None for digit in whole) == 3


def test_a_distractor_has_a_digits_ink_and_another_order():
    source = images("train")
    inks = {tuple(row.sort().values.tolist()) for row in source.pixels}
    found = compose(source, 20, drawing(), rows=1, columns=2, digits=1)
    for patches, places in zip(found.patches, found.places, strict=True):
        other = patches[1 - int(places[0])]
        assert tuple(other.sort().values.tolist()) in inks
        assert not (source.pixels == other).all(-1).any()
