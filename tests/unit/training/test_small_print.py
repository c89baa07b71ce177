"""What the docstrings of objectives, schedules and settings promise at the borders."""

from types import SimpleNamespace

import jaxtyping
import pytest
import torch
from torch import nn

from course_lib.errors import CourseError
from course_lib.training.loss import token_loss
from course_lib.training.objective import classification_loss
from course_lib.training.schedule import learning_rate_factor


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_a_classifiers_half_precision_is_raised(dtype):
    logits = torch.randn(300, 5, generator=torch.Generator().manual_seed(0)).to(dtype)
    half, single = (
        SimpleNamespace(inputs=(x,), label=torch.zeros(300, dtype=torch.long))
        for x in (logits, logits.float())
    )
    losses = [classification_loss(nn.Identity(), batch).total for batch in (half, single)]
    assert torch.equal(*losses)


def test_targets_and_mask_have_the_shape_of_the_logits(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    logits, target = torch.zeros(2, 3, 5), torch.zeros(2, 3, dtype=torch.long)
    real = torch.ones(2, 3, dtype=torch.bool)
    assert token_loss(logits, target, real).count == 6
    for wrong in ((target, real[:, :1]), (target[:, :2], real[:, :2])):
        with pytest.raises(ValueError, match=r"of shape \(2, 3\)"):
            token_loss(logits, *wrong)


def test_a_warmup_is_no_debt():
    with pytest.raises(CourseError, match="0 steps or more"):
        learning_rate_factor("constant", -1, 10)
