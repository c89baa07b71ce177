"""Chapter 7's own captions: each stored row is a softmax over the premise, each pair is there."""

import pytest

from course_lab.experiments.decomposable import own
from course_lib.data.inference_pairs import LABELS


def test_every_pair_is_stored_with_its_weights_and_its_labels():
    stored = own.load()
    assert [(r["premise"][1:], r["hypothesis"][1:]) for r in stored] == [
        (premise.split(), hypothesis.split()) for premise, hypothesis in own.PAIRS
    ]
    for record in stored:
        assert tuple(record["shares"]) == LABELS
        assert sum(record["shares"].values()) == pytest.approx(1, abs=0.005)
        assert len(record["weights"]) == len(record["hypothesis"])
        for row in record["weights"]:
            assert len(row) == len(record["premise"])
            assert sum(row) == pytest.approx(1, abs=0.01)
