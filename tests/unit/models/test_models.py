"""Every translator keeps the protocol: stepping equals forward, padding has no influence."""

from dataclasses import asdict

import pytest
import torch
from torch import nn

from course_lib.models.parts import reverse_padded
from course_lib.models.registry import MODELS, build
from tests.sizes import small

SOURCE_WORDS, TARGET_WORDS = 17, 13


def settings(name: str) -> dict:
    return small(name, SOURCE_WORDS, TARGET_WORDS)


def make(name: str, seed: int = 0, **more) -> nn.Module:
    generator = torch.Generator().manual_seed(seed)
    return build(name, {**settings(name), **more}, generator).eval()


def sentences(lengths: list[int], target: int = 5, seed: int = 1):
    generator = torch.Generator().manual_seed(seed)
    size = max(lengths)
    source = torch.randint(4, SOURCE_WORDS, (len(lengths), size), generator=generator)
    mask = torch.arange(size) < torch.tensor(lengths)[:, None]
    target_in = torch.randint(2, TARGET_WORDS, (len(lengths), target), generator=generator)
    return source, mask, target_in


@pytest.fixture(params=sorted(MODELS))
def name(request) -> str:
    return request.param


def drawn_alike(model: nn.Module, *batch: torch.Tensor, **asked):
    """What is dropped is drawn anew, the same for all."""
    torch.manual_seed(0)
    return model(*batch, **asked)


@pytest.mark.parametrize("dropout", [0.0, 0.1])
def test_padding_has_no_influence_on_logits_weights_or_gradient(name, dropout):
    model = make(name, dropout=dropout).train(dropout > 0)
    source, mask, target_in = sentences([6, 2])
    other = torch.where(mask, source, (source + 5) % SOURCE_WORDS)
    assert (other != source).any()
    first, second = (
        drawn_alike(model, ids, mask, target_in, return_attention=True) for ids in (source, other)
    )
    torch.testing.assert_close(first.logits, second.logits, atol=0, rtol=0)
    if first.attention is not None:
        assert (first.attention[1, :, 2:] == 0).all()
    table = next(part for part in model.modules() if isinstance(part, nn.Embedding))  # the source's
    only_padding = torch.full_like(source, 0).where(~mask, source)
    drawn_alike(model, only_padding, mask, target_in).logits.sum().backward()
    assert (table.weight.grad[0] == 0).all()
    assert (table.weight.grad[4:] != 0).any()


def test_a_batch_gives_what_each_sentence_gives_alone(name):
    model = make(name)
    source, mask, target_in = sentences([6, 2, 4])
    together = model(source, mask, target_in).logits
    for row, length in enumerate([6, 2, 4]):
        alone = model(
            source[row : row + 1, :length], mask[row : row + 1, :length], target_in[row : row + 1]
        )
        torch.testing.assert_close(alone.logits[0], together[row], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("dropout", [0.0, 0.1])
def test_later_target_tokens_do_not_reach_earlier_logits(name, dropout):
    model = make(name, dropout=dropout).train(dropout > 0)
    source, mask, target_in = sentences([4, 3])
    changed = target_in.clone()
    changed[:, 3] = (changed[:, 3] + 1) % TARGET_WORDS
    before, after = (drawn_alike(model, source, mask, ids) for ids in (target_in, changed))
    torch.testing.assert_close(before.logits[:, :3], after.logits[:, :3], atol=0, rtol=0)
    assert (before.logits[:, 3:] != after.logits[:, 3:]).any()


def test_the_seed_decides_the_first_weights(name):
    one, same, other = make(name, seed=3), make(name, seed=3), make(name, seed=4)
    torch.rand(5)  # the global generator has no say
    for left, right in zip(one.state_dict().values(), same.state_dict().values(), strict=True):
        assert torch.equal(left, right)
    assert any(
        not torch.equal(left, right)
        for left, right in zip(one.state_dict().values(), other.state_dict().values(), strict=True)
    )


def test_a_config_survives_the_way_through_a_dict(name):
    model = make(name, dropout=0.25)
    again = build(name, asdict(model.config))
    assert again.config == model.config
    assert again.config.dropout == 0.25


def test_reversing_leaves_the_padding_in_place():
    ids = torch.tensor([[1, 2, 3, 0, 0], [4, 5, 6, 7, 8]])
    reversed_ids = reverse_padded(ids, ids > 0)
    assert reversed_ids.tolist() == [[3, 2, 1, 0, 0], [8, 7, 6, 5, 4]]
    wrong = ids.flip(1)  # the tempting version
    assert wrong.tolist()[0] == [0, 0, 3, 2, 1]
