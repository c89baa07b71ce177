"""The Transformer's recipe in `fit`: equation 3 at every step, labels smoothed as by torch."""

import pytest
import torch
from torch import nn

from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.tokens.tokenizer import END
from course_lib.models.registry import build
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import smoothed, translation_loss
from course_lib.training.schedule import paper_peak
from tests.sizes import small

WIDTH, WARMUP = 8, 3


def task():
    lines = [[4, 5, 6], [6], [5, 4, 4, 7]]
    return Batches([EncodedPair([*line, END], line) for line in lines], pairs_per_batch=3)


def model():
    return build("transformer", small("transformer", 9), torch.Generator().manual_seed(0))


def test_a_run_follows_equation_3():
    config = FitConfig(
        steps=7,
        validate_every=1,
        schedule="warmup_inverse_sqrt",
        warmup=WARMUP,
        learning_rate=paper_peak(WIDTH, WARMUP),
        betas=(0.9, 0.98),
        epsilon=1e-9,
    )
    records = fit(model(), task(), None, config, device="cpu", progress=False).records
    assert [record.step for record in records] == [*range(1, 8)]
    for record in records:
        paper = WIDTH**-0.5 * min(record.step**-0.5, record.step * WARMUP**-1.5)
        assert record.learning_rate == pytest.approx(paper, rel=1e-9)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_the_objective_smooths_as_torch_does_in_value_and_gradient(smoothing):
    net, batch = model().double(), next(task().sequential())
    found = smoothed(translation_loss, smoothing)(net, batch).mean
    ours = torch.autograd.grad(found, [*net.parameters()])
    logits = net(batch.source, batch.source_mask, batch.target_in).logits
    real = batch.target_mask
    loss = nn.CrossEntropyLoss(label_smoothing=smoothing)(logits[real], batch.target_out[real])
    torch.testing.assert_close(found, loss)
    for one, two in zip(ours, torch.autograd.grad(loss, [*net.parameters()]), strict=True):
        torch.testing.assert_close(one, two, rtol=1e-8, atol=1e-12)
