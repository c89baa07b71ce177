"""The controls: equal weights and all else the same, and a bag that knows no order."""

import pytest
import torch

from course_lab.experiments.two_levels.controls import (
    BagOfWords,
    EqualQuery,
    with_equal_weights,
    without_encoders,
)
from course_lib.models.hierarchical import HierarchicalAttention, HierarchicalConfig

CONFIG = HierarchicalConfig(vocabulary=19, classes=3, embedding=5, hidden=4, attention=6)
WORDS = torch.tensor([[[5, 6, 7], [8, 9, 0]], [[10, 0, 0], [0, 0, 0]]])
MASK = WORDS != 0


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_equal_weights_are_the_mean_of_what_is_real():
    notes = torch.randn(2, 3, 4, generator=seeded())
    read = EqualQuery()(notes, MASK[:, 0])
    torch.testing.assert_close(read.weights, torch.tensor([[1 / 3] * 3, [1.0, 0, 0]]))
    torch.testing.assert_close(read.vector, torch.stack([notes[0].mean(0), notes[1, 0]]))


@pytest.mark.parametrize("levels", [("words",), ("sentences",), ("words", "sentences")])
def test_a_control_has_the_first_weights_of_the_network_and_lacks_a_query(levels):
    model, control = (
        HierarchicalAttention(CONFIG, seeded()),
        with_equal_weights(CONFIG, seeded(), *levels),
    )
    own, full = dict(control.named_parameters()), dict(model.named_parameters())
    gone = {name.split("_")[0] for name in set(full) - set(own)}
    assert gone == {level.removesuffix("s") for level in levels}
    for name, parameter in own.items():
        assert torch.equal(parameter, full[name])
    found = control(WORDS, MASK, return_attention=True)
    if "words" in levels:
        torch.testing.assert_close(found.word_weights[0, 0], torch.full((3,), 1 / 3))
    if "sentences" in levels:
        torch.testing.assert_close(found.sentence_weights[0], torch.full((2,), 0.5))


def test_without_any_gru_and_choice_a_document_is_a_bag_of_its_words():
    model = with_equal_weights(CONFIG, seeded(), "words", "sentences")
    bag = without_encoders(model, seeded(), "words", "sentences")
    other = torch.tensor([[[7, 9, 6], [8, 5, 3]], [[10, 0, 0], [0, 0, 0]]])
    words = torch.tensor([[[5, 6, 7], [8, 9, 3]], [[10, 0, 0], [0, 0, 0]]])
    torch.testing.assert_close(bag(other, other != 0).logits, bag(words, words != 0).logits)
    choosing = without_encoders(
        HierarchicalAttention(CONFIG, seeded()), seeded(), "words", "sentences"
    )
    moved = choosing(other, other != 0).logits - choosing(words, words != 0).logits
    assert moved.abs().max() > 1e-5


def test_a_bag_knows_neither_order_nor_sentence_nor_padding():
    bag = BagOfWords(CONFIG, seeded())
    plain = bag(WORDS, MASK).logits
    shuffled = torch.tensor([[[9, 5, 0], [7, 8, 6]], [[10, 3, 3], [3, 0, 0]]])
    mask = (shuffled != 0) & (shuffled != 3)
    torch.testing.assert_close(bag(shuffled, mask).logits, plain)
    assert (plain[0] - plain[1]).abs().max() > 1e-4
