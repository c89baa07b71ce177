"""Several batches in one update equal one large batch; bfloat16 multiplies, float32 keeps."""

from dataclasses import replace

import pytest
import torch

from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.tokens.tokenizer import END
from course_lib.errors import CourseError
from course_lib.models.registry import build
from course_lib.training.checkpoint import read_tensors, weights_of
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import Loss, translation_loss
from tests.sizes import small

# The bias of the keys adds the same to all scores of a query: its gradient is rounding alone, which
# Adam would blow up to whole steps were its epsilon not far above.
CONFIG = FitConfig(epochs=2, learning_rate=0.01, validate_every=2, epsilon=1e-5)
LENGTHS = [1, 2, 6, 5, 1, 1, 6, 2, 3, 1]


def batches(size):
    """Ten pairs of very different lengths, in the same order whatever the size of a batch."""
    lines = [[4 + (place + k) % 5 for k in range(long)] for place, long in enumerate(LENGTHS)]
    pairs = [EncodedPair([*line, END], line) for line in lines]
    return Batches(pairs, pairs_per_batch=size, shuffle=False)


def new():
    return build("transformer", small("transformer", 9), torch.Generator().manual_seed(0))


def train(size, folder=None, **settings):
    model = new()
    config = replace(CONFIG, **settings)
    history = fit(
        model, batches(size), batches(4), config, directory=folder, device="cpu", progress=False
    )
    return weights_of(model), history


def close(one, other, **within):
    return all(torch.allclose(one[name], other[name], **within) for name in one)


@pytest.mark.parametrize(("size", "accumulate"), [(2, 2), (2, 3), (1, 20)])
def test_the_last_and_smaller_update_of_an_epoch_among_them(size, accumulate):
    """Of ten pairs an epoch makes updates of 4, 4 and 2 of them, of 6 and 4, or of all ten."""
    whole, expected = train(min(size * accumulate, 10))
    parts, history = train(size, accumulate=accumulate)
    assert close(parts, whole, rtol=0, atol=1e-4)
    assert history.steps == expected.steps
    for found, wanted in zip(history.records, expected.records, strict=True):
        assert found.step == wanted.step
        assert found.train_loss == pytest.approx(wanted.train_loss, rel=1e-5)
        assert found.gradient_norm == pytest.approx(wanted.gradient_norm, rel=1e-4)


class OfThreeLengths:
    """Epochs of three batches, of one and of two; a batch is its number."""

    def epoch(self, n, start=0):
        return (torch.tensor([[10.0 * n + k]]) for k in range(start, self.len_epoch(n)))

    def len_epoch(self, n):
        return (3, 1, 2)[n % 3]

    def sequential(self):
        return self.epoch(0)


def test_no_update_takes_batches_of_two_epochs():
    updates = [[]]

    def objective(model, batch):
        updates[-1].append(int(batch))
        return Loss(model(batch).sum(), 1)

    config = FitConfig(epochs=4, accumulate=2, validate_every=1, learning_rate=1e-6)
    fit(
        torch.nn.Linear(1, 1),
        OfThreeLengths(),
        None,
        config,
        objective=objective,
        device="cpu",
        progress=False,
        metric=lambda _: float(updates.append([]) is None),
    )
    assert updates == [[0, 1], [2], [10], [20, 21], [30, 31], [32], []]


class Broken(Exception):
    """What stops a run between two batches of one update."""


def breaking(at):
    """The batches of two pairs, until batch number `at` is asked for."""

    def epoch(n, start=0):
        for number, batch in enumerate(Batches.epoch(found, n, start), start=5 * n + start):
            if number == at:
                raise Broken
            yield batch

    found = batches(2)
    found.epoch = epoch
    return found


def test_stopped_within_an_update_it_begins_that_update_again(tmp_path):
    config = replace(CONFIG, accumulate=2, checkpoint_every=1)
    ended = []
    for folder, source in ((tmp_path / "broken", breaking(8)), (tmp_path / "whole", batches(2))):
        options = {"directory": folder, "resume": True, "device": "cpu", "progress": False}
        try:
            fit(new(), source, batches(4), config, **options)
        except Broken:
            progress = read_tensors(folder / "last.safetensors")[1]["progress"]
            assert (progress["step"], progress["epoch"], progress["batch"]) == (4, 1, 2)
            fit(new(), batches(2), batches(4), config, **options)
        ended.append(read_tensors(folder / "last.safetensors")[0])
    assert all(torch.equal(ended[0][name], tensor) for name, tensor in ended[1].items())


class TestPrecision:
    """bf16 computes in bfloat16, and everything that is kept is in float32."""

    def test_products_are_rounded_and_nothing_that_is_kept(self, tmp_path, monkeypatch):
        seen = []

        def watched(model, batch, **named):
            output = model(batch.source, batch.source_mask, batch.target_in)
            if torch.is_grad_enabled():
                seen.append(output.logits.dtype)
            return translation_loss(model, batch, **named)

        model = new()
        config = replace(CONFIG, precision="bf16")
        options = {"directory": tmp_path, "device": "cpu", "progress": False}
        fit(model, batches(4), batches(4), config, objective=watched, **options)
        assert set(seen) == {torch.bfloat16}
        tensors, _ = read_tensors(tmp_path / "last.safetensors")
        assert {tensor.dtype for tensor in tensors.values()} == {torch.float32}

    def test_it_learns_nearly_the_same(self):
        exact, expected = train(4)
        rounded, history = train(4, precision="bf16")
        assert not close(exact, rounded, rtol=0, atol=1e-7)
        for found, wanted in zip(history.records, expected.records, strict=True):
            assert found.train_loss == pytest.approx(wanted.train_loss, rel=0.02)
            assert found.valid_loss == pytest.approx(wanted.valid_loss, rel=0.02)

    def test_the_loss_is_summed_in_float32(self):
        """In bfloat16, with its eight bits, a sum of some hundred nats would be off by one."""
        model = new()
        (batch,) = batches(10).sequential()
        with torch.autocast("cpu", torch.bfloat16):
            loss = translation_loss(model, batch)
        assert loss.total.dtype == torch.float32


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"precision": "fp8"}, r"want precision out of \('float32', 'bf16'\); got 'fp8'"),
        ({"accumulate": 0}, "want accumulate, a whole number from 1 on; got 0"),
    ],
)
def test_impossible_settings_are_refused(settings, said):
    with pytest.raises(CourseError, match=said):
        FitConfig(steps=1, **settings)


@pytest.mark.parametrize(("name", "value"), [("precision", "bf16"), ("accumulate", 3)])
def test_a_run_is_resumed_with_its_own_settings_only(tmp_path, name, value):
    train(4, tmp_path, **{name: value})
    options = {"directory": tmp_path, "resume": True, "device": "cpu", "progress": False}
    with pytest.raises(CourseError, match=f"{name} is {value!r} there, "):
        fit(new(), batches(4), batches(4), CONFIG, **options)
