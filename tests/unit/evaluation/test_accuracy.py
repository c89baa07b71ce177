"""The share that a classifier has right, counted by pairs and with dropout off."""

import pytest
import torch
from torch import nn

from course_lib.data.inference_pairs import LABELS, InferencePair
from course_lib.data.labelled import LabelledBatches
from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.evaluation.accuracy import accuracy, classified

WORDS = WordVocabulary(["a"])
PAIRS = [InferencePair(("a",), ("a",), LABELS[n % 3]) for n in range(10)]


class AlwaysFirst(nn.Module):
    """Says the first label, unless it is in training."""

    def forward(self, premise, *_):
        logits = torch.zeros(len(premise), 3)
        logits[:, int(self.training)] = 1.0
        return logits


def test_it_counts_pairs_not_batches_and_leaves_the_mode_alone():
    model = AlwaysFirst().train()
    feed = LabelledBatches(PAIRS, WORDS, pairs_per_batch=4)
    said, right = classified(model, feed.sequential())
    assert said.tolist() == [0] * 10
    assert right.tolist() == [n % 3 for n in range(10)]
    assert accuracy(model, feed.sequential()) == 0.4
    assert model.training


def test_no_batches_are_refused():
    with pytest.raises(ValueError, match="got none"):
        accuracy(AlwaysFirst(), [])


class Odd(AlwaysFirst):
    """Logits of another shape, or that are no numbers."""

    def __init__(self, shape=None, value=0.0):
        super().__init__()
        self.shape, self.value = shape, value

    def forward(self, premise, *_):
        logits = torch.zeros(self.shape or (len(premise), 3))
        logits[0, 1] = self.value
        return logits


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Odd((10, 2, 3)), r"want logits \(B, C\) and labels"),
        (Odd((1, 3)), r"want logits \(B, C\) and labels"),
        (Odd(value=torch.nan), "got nan"),
    ],
)
def test_what_would_be_counted_wrongly_is_refused(model, words):
    with pytest.raises(ValueError, match=words):
        accuracy(model, LabelledBatches(PAIRS, WORDS, pairs_per_batch=10).sequential())
