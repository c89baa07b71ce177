"""The share that a classifier has right, counted by pairs and with dropout off."""

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
