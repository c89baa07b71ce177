"""Sources padded on the left, masks that do not fit, batches of unlike size: right, or refused."""

import jaxtyping
import pytest
import torch

from course_lib.recurrent.encoder import RecurrentEncoder
from tests.kinds import PAIRS, PROTOCOL, TRANSLATORS, made, scores


@pytest.fixture
def untyped(monkeypatch) -> None:
    """As in ordinary use, where no hook compares shapes."""
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)


def moved(ids, real):
    """The same sentences with their padding on the left, and with a hole behind the first token."""
    left = torch.arange(real.shape[1]) >= real.shape[1] - real.sum(1, keepdim=True)
    hole = torch.cat([real[:, :1], torch.zeros_like(real[:, :1]), real[:, 1:]], dim=1)
    for place in (left, hole):
        yield torch.zeros(place.shape, dtype=ids.dtype).masked_scatter(place, ids[real]), place


@pytest.mark.parametrize("kind", TRANSLATORS)
def test_padding_may_stand_anywhere_or_is_refused_by_a_recurrent_encoder(kind):
    model, (source, real, target) = made(kind)
    wanted = model(source, real, target).logits
    refuses = any(isinstance(part, RecurrentEncoder) for part in model.modules())
    for ids, place in moved(source, real):
        if refuses:
            with pytest.raises(ValueError, match="want all padding on the right"):
                model(ids, place, target)
        else:
            found = model(ids, place, target).logits
            torch.testing.assert_close(found, wanted, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", [name for name in PAIRS if name != "lstm"])
def test_pairs_may_be_padded_anywhere(kind):
    model, (*premise, ids, real) = made(kind)
    wanted = model(*premise, ids, real)
    for other in moved(ids, real):
        torch.testing.assert_close(model(*premise, *other), wanted, atol=1e-5, rtol=1e-5)
        swapped = model(*other, *premise)
        torch.testing.assert_close(swapped, model(ids, real, *premise), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", [*PROTOCOL, *PAIRS, "cloze", "hierarchical"])
def test_a_mask_has_an_entry_for_each_token(kind, untyped):
    model, (source, real, *others) = made(kind)
    wrong = [real[..., :-1], real[..., :1], real[:1], real[:2], torch.cat([real, real], -1)]
    for mask in (real | True, real):
        for bad in [*wrong, mask[..., :-1], mask[..., :1]]:
            with pytest.raises(ValueError, match=r"want (a mask|as many rows)"):
                scores(model, source, bad, *others)
        for number in (torch.long, torch.float):
            with pytest.raises(TypeError, match="want a boolean mask"):
                scores(model, source, mask.to(number), *others)


@pytest.mark.parametrize("kind", PROTOCOL)
def test_source_mask_and_target_have_as_many_rows(kind, untyped):
    model, (source, real, target) = made(kind)
    with pytest.raises(ValueError, match=r"want as many rows .*; got \[3, 2, 2\]"):
        model(source, real[:2], target[:2])
    for other in (target[:2], target[:1], torch.cat([target, target])):
        with pytest.raises(ValueError, match="want as many rows"):
            model(source, real, other)
