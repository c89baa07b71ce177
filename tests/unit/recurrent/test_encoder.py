"""The packed encoder: what stands where, that padding is never read, and what it refuses."""

import pytest
import torch

from course_lib.attention.masks import padding_mask
from course_lib.recurrent.encoder import RecurrentEncoder
from tests.sizes import random

D, H = 3, 4
MASK = padding_mask(torch.tensor([3, 5, 1]), 5)


def encoder(kind: str = "gru", **options) -> RecurrentEncoder:
    made = RecurrentEncoder(kind, D, H, **{"bidirectional": True, **options}).double()
    with torch.no_grad():
        for number, parameter in enumerate(made.parameters()):
            parameter.copy_(random(*parameter.shape, seed=number) / 2)
    return made


@pytest.mark.parametrize("kind", ["rnn", "gru", "lstm"])
def test_last_is_where_each_direction_ends(kind: str):
    """Forward at the last real token, backward at the first, for every row."""
    encoded = encoder(kind, layers=2)(random(3, 5, D), MASK)
    for row, length in enumerate([3, 5, 1]):
        top = encoded.last[-1, row]
        assert torch.equal(top[:H], encoded.annotations[row, length - 1, :H])
        assert torch.equal(top[H:], encoded.annotations[row, 0, H:])


def test_padding_is_never_read():
    """Padding moves nothing, has no gradient, and its annotations are zero."""
    for kind in ("rnn", "gru", "lstm"):
        model, results = encoder(kind, layers=2), []
        for rubbish in (0.0, 5.0, torch.nan, torch.inf):
            embedded = random(3, 5, D).masked_fill(~MASK[..., None], rubbish).requires_grad_()
            encoded = model(embedded, MASK)
            parts = [part for part in encoded if part is not None]
            assert (encoded.annotations[~MASK] == 0).all(), "an annotation at padding"
            loss = sum(part.square().sum() for part in parts)
            gradients = torch.autograd.grad(loss, [embedded, *model.parameters()])
            assert (gradients[0][~MASK] == 0).all(), "padding has a gradient"
            assert (gradients[0][MASK] != 0).all(), "a real token has no gradient"
            results.append([*parts, *gradients])
        for result in results[1:]:
            for first, second in zip(results[0], result, strict=True):
                assert torch.equal(first, second), "what stands at padding moves something"
        for row, length in enumerate([3, 5, 1]):
            alone = model(random(3, 5, D)[row : row + 1, :length], MASK[row : row + 1, :length])
            wanted = results[0][0][row, :length]
            torch.testing.assert_close(alone.annotations[0], wanted, rtol=0, atol=1e-12)
            torch.testing.assert_close(alone.last[:, 0], results[0][1][:, row], rtol=0, atol=1e-12)


def test_each_direction_reads_from_its_side():
    """Forward annotations know nothing of what follows, backward ones nothing of what came."""
    embedded = random(1, 5, D).requires_grad_()
    annotations = encoder()(embedded, torch.ones(1, 5, dtype=torch.bool)).annotations
    for j in range(5):
        forward, backward = (
            torch.autograd.grad(half.sum(), embedded, retain_graph=True)[0][0]
            for half in annotations[0, j].chunk(2)
        )
        assert (forward[j + 1 :] == 0).all()
        assert (forward[: j + 1] != 0).all()
        assert (backward[:j] == 0).all()
        assert (backward[j:] != 0).all()


@pytest.mark.parametrize("first", [[True, False, True], [False, True, True]])
def test_padding_before_a_token_is_refused(first: list[bool]):
    with pytest.raises(ValueError, match="padding on the right"):
        encoder()(random(2, 3, D), torch.tensor([first, [True, True, True]]))
