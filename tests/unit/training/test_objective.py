"""`fit` trains whatever has an objective: classifiers, language models, models that sample."""

import math
import random
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_lib.data.batch import Batch, Batches, EncodedPair
from course_lib.data.batch_source import BatchSource, GeneratedBatches
from course_lib.data.tokens.tokenizer import END
from course_lib.errors import CourseError
from course_lib.models.captioner import Captioner, CaptionerConfig
from course_lib.models.protocol import Output
from course_lib.models.registry import build
from course_lib.training.checkpoint import read_history
from course_lib.training.config import FitConfig
from course_lib.training.fit import Trainer, fit
from course_lib.training.objective import (
    classification_loss,
    language_model_loss,
    measure,
    sampled_reward,
    summed_loss,
    translation_loss,
)
from tests.sizes import small
from tests.stubs import Classifier, Labelled, LanguageModel, Uneven

WORDS, LABELS = 9, 3
CPU = torch.device("cpu")


def labelled(draw: torch.Generator, rows: int = 16) -> Labelled:
    """Sentences with one telling word, 4, 5 or 6, somewhere among the others."""
    lengths = torch.randint(1, 7, (rows,), generator=draw)
    ids = torch.randint(7, WORDS, (rows, 6), generator=draw)
    label = torch.randint(LABELS, (rows,), generator=draw)
    place = (torch.rand(rows, generator=draw) * lengths).long()
    ids[torch.arange(rows), place] = 4 + label
    return Labelled(ids, torch.arange(6) < lengths[:, None], label)


def counting(count: int = 24, seed: int = 0) -> Batches:
    """Translations that are their sources; the tokens go up one by one, so each can be foreseen."""
    draw = random.Random(seed)
    starts = [(draw.randint(4, 6), draw.randint(1, 3)) for _ in range(count)]
    lines = [list(range(low, low + size)) for low, size in starts]
    return Batches([EncodedPair([*line, END], line) for line in lines], pairs_per_batch=6)


def pictures(draw: torch.Generator, rows: int = 32) -> Batch:
    """Images in which one row of three is lit; the caption is the number of its colour."""
    batch = next(Batches([EncodedPair([END], [4])] * rows, pairs_per_batch=rows).sequential())
    colour = torch.randint(2, (rows,), generator=draw)
    place = torch.randint(3, (rows,), generator=draw)
    image = torch.zeros(rows, 3, 3)
    image[torch.arange(rows), place] = F.one_hot(colour, 3).float() + torch.tensor([0, 0, 1.0])
    target_out = batch.target_out.clone()
    target_out[:, 0] = 4 + colour
    return replace(
        batch, source=image, source_mask=torch.ones(rows, 3).bool(), target_out=target_out
    )


def likelihood(output: Output, batch) -> Tensor:
    """Log-probability of the true words of each row."""
    chosen = output.logits.log_softmax(-1).gather(-1, batch.target_out[..., None])[..., 0]
    return chosen.masked_fill(~batch.target_mask, 0.0).sum(-1)


def translator(seed: int = 0) -> nn.Module:
    return build("transformer", small("transformer", WORDS), torch.Generator().manual_seed(seed))


def sampler(seed: int = 0) -> Captioner:
    config = CaptionerConfig(WORDS, 3, 3, "hard", 6, 6, 6, 6)
    return Captioner(config, torch.Generator().manual_seed(seed))


KINDS = {
    "classifier": (
        partial(Classifier, WORDS, LABELS),
        classification_loss,
        lambda: GeneratedBatches(labelled, batches=5),
        60,
    ),
    "language model": (partial(LanguageModel, WORDS), language_model_loss, counting, 60),
    "sampler": (
        sampler,
        partial(sampled_reward, reward=likelihood),
        lambda: GeneratedBatches(pictures, batches=5),
        60,
    ),
}


@pytest.fixture(params=KINDS)
def kind(request):
    return KINDS[request.param]


def train(model: nn.Module, feed: BatchSource, config: FitConfig, objective, valid=None, **options):
    options = {"device": "cpu", "progress": False} | options
    return fit(model, feed, valid, config, objective=objective, **options)


def test_every_kind_of_model_learns_by_fit(kind):
    make, objective, feed, steps = kind
    model, feed = make(), feed()
    torch.manual_seed(0)
    before, count = measure(model, feed.sequential(), CPU, objective)
    history = train(model, feed, FitConfig(steps=steps, learning_rate=0.03), objective)
    torch.manual_seed(0)
    after, again = measure(model, feed.sequential(), CPU, objective)
    assert count == again
    assert after < 0.7 * before
    assert history.records[-1].train_loss < before / count


def weights(model: nn.Module) -> dict[str, bytes]:
    return {name: tensor.numpy().tobytes() for name, tensor in model.state_dict().items()}


def stopping(feed: BatchSource, before: int) -> BatchSource:
    """The feed, which ends the run before that batch."""
    epoch, left = feed.epoch, iter(range(before))

    def until(n, start=0):
        for batch in epoch(n, start):
            if next(left, None) is None:
                raise CourseError("stopped")
            yield batch

    feed.epoch = until
    return feed


def test_a_resumed_run_is_the_run_that_was_not_stopped(kind, tmp_path):
    make, objective, feed, _ = kind
    config = FitConfig(steps=11, validate_every=4, checkpoint_every=3, learning_rate=0.02)
    whole = make()
    expected = train(whole, feed(), config, objective, feed(), directory=tmp_path / "whole")
    broken = {"directory": tmp_path / "broken"}
    with pytest.raises(CourseError, match="stopped"):
        train(make(), stopping(feed(), 9), config, objective, feed(), **broken)
    model = make(seed=7)
    train(model, feed(), config, objective, feed(), resume=True, **broken)
    assert weights(model) == weights(whole)
    untimed = [replace(record, seconds=0.0) for record in expected.records]
    found = read_history(tmp_path / "broken").records
    assert [replace(record, seconds=0.0) for record in found] == untimed


def test_a_run_with_another_objective_is_another_run(tmp_path):
    config = FitConfig(steps=2)
    train(LanguageModel(WORDS), counting(), config, language_model_loss, directory=tmp_path)

    def other(model, batch):
        return language_model_loss(model, batch)

    with pytest.raises(CourseError, match="objective is 'language_model_loss' there, 'other' was"):
        train(LanguageModel(WORDS), counting(), config, other, directory=tmp_path, resume=True)


class TestLosses:
    def test_translation_is_the_cross_entropy_of_the_true_next_tokens(self):
        model, (batch, *_) = translator().eval(), counting(4).sequential()
        logits = model(batch.source, batch.source_mask, batch.target_in).logits
        for smoothing in (0.0, 0.2):
            loss = translation_loss(model, batch, label_smoothing=smoothing)
            wanted = F.cross_entropy(
                logits[batch.target_mask],
                batch.target_out[batch.target_mask],
                reduction="sum",
                label_smoothing=smoothing,
            )
            torch.testing.assert_close(loss.total, wanted)
            assert loss.count == int(batch.target_mask.sum())

    def test_a_language_model_reads_the_target_side_alone(self):
        model, (batch, *_) = LanguageModel(WORDS).eval(), counting(4).sequential()
        loss = language_model_loss(model, batch)
        other = replace(batch, source=batch.source.flip(1))
        assert torch.equal(language_model_loss(model, other).total, loss.total)
        logits, real = model(batch.target_in), batch.target_mask
        wanted = F.cross_entropy(logits[real], batch.target_out[real], reduction="sum")
        torch.testing.assert_close(loss.total, wanted)
        assert loss.count == batch.tokens

    def test_a_classifier_is_counted_by_examples(self):
        model = Classifier(WORDS, LABELS).eval()
        batch = labelled(torch.Generator().manual_seed(0), rows=5)
        logits = model(*batch.inputs).logits
        wanted = -logits.log_softmax(-1)[torch.arange(5), batch.label].sum()
        loss = classification_loss(model, batch)
        torch.testing.assert_close(loss.total, wanted)
        assert loss.count == 5
        smooth = classification_loss(model, batch, label_smoothing=0.3)
        spread = -logits.log_softmax(-1).mean(-1).sum()
        torch.testing.assert_close(smooth.total, 0.7 * wanted + 0.3 * spread)

    def test_labels_are_smoothed_in_training_and_not_in_validation(self):
        valid = counting(4, seed=1)
        config = FitConfig(steps=1, learning_rate=1e-30, label_smoothing=0.5)
        model = LanguageModel(WORDS).eval()
        model.dropout.p = 0.0
        (record,) = train(model, counting(6), config, language_model_loss, valid).records
        (batch,) = counting(6).epoch(0)
        smooth = language_model_loss(model, batch, label_smoothing=0.5)
        assert record.train_loss == pytest.approx(smooth.mean.item(), rel=1e-5)
        total, count = measure(model, valid.sequential(), CPU, language_model_loss)
        assert record.valid_loss == pytest.approx(total / count, rel=1e-6)


class TestSampledReward:
    def test_the_baseline_is_that_of_the_other_rows(self):
        """A constant reward teaches nothing; one row has no others to be compared with."""
        model, batch = sampler(), pictures(torch.Generator().manual_seed(0), rows=2)
        sampled_reward(model, batch, reward=lambda *_: torch.tensor([5.0, 5.0])).mean.backward()
        query = model.score.queries.weight
        assert (query.grad == 0).all()

        def of_the_first(output, batch):
            return torch.tensor([3.0, 1.0])

        torch.manual_seed(0)
        output = model(
            batch.source,
            batch.source_mask,
            batch.target_in,
            generator=torch.random.default_generator,
        )
        drawn = output.log_probability.masked_fill(~batch.target_mask, 0).sum(1)
        (wanted,) = torch.autograd.grad(-(2.0 * drawn[0] - 2.0 * drawn[1]), query)
        torch.manual_seed(0)
        loss = sampled_reward(model, batch, reward=of_the_first)
        (found,) = torch.autograd.grad(loss.total, query)
        torch.testing.assert_close(found, wanted)


class TestValidation:
    def check(self, model, metric=None, seed=3):
        objective = partial(sampled_reward, reward=likelihood)
        feed = GeneratedBatches(pictures, batches=2)
        config = FitConfig(steps=1, seed=seed)
        return Trainer(model, feed, feed, config, CPU, objective, metric).measure()

    def test_what_is_drawn_is_the_same_for_the_same_weights(self):
        model = sampler()
        torch.manual_seed(1)
        first = self.check(model, lambda _: torch.rand(()))
        torch.manual_seed(2)
        assert self.check(model, lambda _: torch.rand(())) == first
        assert self.check(model, lambda _: torch.rand(()), seed=4) != first

    def test_every_part_is_trained_and_has_its_own_mode_afterwards(self):
        modes = []

        class Watched(LanguageModel):
            def forward(self, tokens):
                modes.append((self.training, self.layer.training, self.dropout.training))
                return super().forward(tokens)

        def careless(model):
            model.train()
            return 0.0

        model = Watched(WORDS).train()
        model.dropout.eval()
        config = FitConfig(steps=4, validate_every=2)
        train(model, counting(), config, language_model_loss, counting(4), metric=careless)
        assert modes == [*[(True, True, True)] * 2, (False, False, False)] * 2
        assert (model.training, model.layer.training, model.dropout.training) == (True, True, False)
        model.eval()
        modes.clear()
        train(model, counting(), FitConfig(steps=2), language_model_loss)
        assert modes == [(True, True, True)] * 2
        assert not any(module.training for module in model.modules())


def batches():
    easy = EncodedPair([9, 3], [5] * 7)
    hard = EncodedPair([8, 3], [5])
    return Batches([easy, hard], pairs_per_batch=1)


def test_a_long_sentence_weighs_more_than_a_short_one():
    nats, tokens = measure(Uneven(10), batches().sequential())
    assert tokens == 8 + 2
    # Averaged over the two batches instead, this would be log(10) / 2.
    assert nats / tokens == pytest.approx(math.log(10) * 2 / 10, rel=1e-6)


def test_measuring_is_in_eval_mode_without_gradients_and_gives_the_mode_back():
    model = Uneven(10)
    measure(model.train(), batches().sequential())
    assert set(model.modes) == {(False, False)}
    assert model.training
    measure(model.eval(), batches().sequential())
    assert not model.training


def test_by_hand_with_label_smoothing():
    logits = torch.log(torch.tensor([[[0.7, 0.2, 0.1]]]))
    one = torch.ones(1, 1, dtype=torch.bool)
    got = summed_loss(logits, torch.tensor([[0]]), one, label_smoothing=0.3)
    # The true token gets 1 - 0.3 + 0.1, each other one 0.1.
    wanted = -(0.8 * math.log(0.7) + 0.1 * math.log(0.2) + 0.1 * math.log(0.1))
    assert float(got) == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("token", [-100, -1, 4])
def test_a_real_target_outside_the_vocabulary_is_an_error_not_padding(token):
    one = torch.ones(1, 1, dtype=torch.bool)
    with pytest.raises(IndexError, match="out of bounds"):
        summed_loss(torch.zeros(1, 1, 4), torch.tensor([[token]]), one)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_a_classifiers_half_precision_is_raised(dtype):
    logits = torch.randn(300, 5, generator=torch.Generator().manual_seed(0)).to(dtype)
    half, single = (
        SimpleNamespace(inputs=(x,), label=torch.zeros(300, dtype=torch.long))
        for x in (logits, logits.float())
    )
    losses = [classification_loss(nn.Identity(), batch).total for batch in (half, single)]
    assert torch.equal(*losses)
