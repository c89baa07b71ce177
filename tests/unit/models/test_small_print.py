"""What the docstrings of the models promise at the borders."""

import pytest
import torch
from torch import nn

from course_lib.models.transformer import Transformer, TransformerConfig
from tests.unit.models.test_transformer import make, sentences


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad])
def test_several_tokens_are_read_behind_a_cache(mode):
    model, (source, real, target_in) = make(), sentences()
    with mode():
        memory = model.encode(source, real)
        _, passed = model.run_decoder(target_in[:, :2], model.start(memory).caches, memory)
        x, _ = model.run_decoder(target_in[:, 2:], tuple(layer.cache for layer in passed), memory)
        torch.testing.assert_close(model.lm_head(x), model.decode(target_in, memory).logits[:, 2:])


def test_scaled_reaches_every_attention():
    config = TransformerConfig(9, 9, width=8, heads=2, scaled=False)
    layers = [*(m := Transformer(config)).encoder, *m.decoder]
    assert not any(layer.self_attention.scaled for layer in layers)
    assert not any(layer.cross_attention.scaled for layer in m.decoder)


@pytest.mark.parametrize(
    "settings",
    [{"layers": 0}, {"dropout": 1.0}, {"attention_dropout": -0.1}, {"dropout": float("nan")}],
)
def test_a_stack_that_cannot_be_is_refused(settings):
    with pytest.raises(ValueError, match="want"):
        TransformerConfig(9, 9, width=8, heads=2, **settings)


def test_without_norms_there_is_none():
    model = Transformer(TransformerConfig(9, 9, width=8, heads=2, norm="none"))
    assert not any(isinstance(part, nn.LayerNorm) for part in model.modules())
