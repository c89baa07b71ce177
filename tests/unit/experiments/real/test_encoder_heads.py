"""Encoder heads at their mean: what is lost, and what is stored."""

import pytest
import torch

from course_lab.experiments.real import encoder_heads, verb_object
from course_lib.data.batch import EncodedPair, collate
from course_lib.device import cpu_generator
from course_lib.models.transformer import Transformer, TransformerConfig

CONFIG = TransformerConfig(20, 20, width=12, heads=2, layers=2, feed_forward=24)
PAIRS = [EncodedPair([5, 6, 2], [7, 8, 9]), EncodedPair([10, 11, 12, 13, 2], [14])]


def test_what_is_lost_is_the_loss_with_a_head_that_reads_its_mean_and_nothing_is_left_changed():
    model = Transformer(CONFIG, cpu_generator(0)).eval()
    batches = [collate(PAIRS, [0, 1])]
    reads = encoder_heads.mean_reads(model, batches)
    whole = encoder_heads.nats(model, batches)
    found = encoder_heads.lost(model, batches, reads)
    assert encoder_heads.nats(model, batches) == whole
    attention = model.encoder[1].self_attention
    own = attention.columns(1)
    with torch.no_grad():
        attention.output.bias += attention.output.weight[:, own] @ reads[1, own]
        attention.output.weight[:, own] = 0
    wanted = encoder_heads.nats(model, batches) - whole
    assert found[1, 1].item() == pytest.approx(wanted, abs=1e-5)
    assert abs(wanted) > 1e-4


def test_padding_is_in_no_mean():
    model = Transformer(CONFIG, cpu_generator(0)).eval()
    apart = [collate([pair], [0]) for pair in PAIRS]
    found = encoder_heads.mean_reads(model, [collate(PAIRS, [0, 1])])
    torch.testing.assert_close(found, encoder_heads.mean_reads(model, apart))


def test_each_head_is_stored_once_and_finds_what_chapter_13_says():
    stored = encoder_heads.load()
    assert [(one["layer"], one["head"]) for one in stored] == [
        (n, h) for n in range(4) for h in range(4)
    ]
    (compared,) = (
        one
        for one in verb_object.load()
        if (one["direction"], one["among"]) == ("object to verb", "all")
    )
    best = max(range(16), key=lambda n: stored[n]["found"])
    assert best == compared["head"]
    assert stored[best]["found"] == compared["both_halves"]["right"]
