"""COURSE_DEVICE names another device: what trains there, and what on the CPU all the same.

No GPU is needed: `tests/elsewhere.py` refuses what one would refuse.
"""

from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from course_lab.experiments.bahdanau import bottleneck
from course_lab.experiments.decoding import sampling, search
from course_lab.experiments.decomposable import comparison
from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.world import make_world
from course_lab.experiments.multi_head import difference, gaps, heads
from course_lab.experiments.query_key_value import enough
from course_lab.experiments.seq2seq import measures, one_vector
from course_lab.experiments.soft_and_hard import reading, scenes
from course_lab.experiments.transformer import peers
from course_lab.experiments.where_to_look import maps, window
from course_lib.data.batch import Batches, encode_pairs
from course_lib.decoding.beam import beam
from course_lib.decoding.greedy import greedy
from course_lib.device import cpu_generator
from course_lib.evaluation.teacher_forcing import forced_attention, teacher_forced
from course_lib.evaluation.translate import translate
from course_lib.models.registry import build
from course_lib.training import fit as training
from course_lib.training.config import FitConfig
from course_lib.training.fit import Trainer
from tests.elsewhere import DEVICE, IS_APPLES, Elsewhere, Refused, prepare
from tests.sizes import small


def shortened(model, train, valid, config, *others):
    """The training, of two updates, whatever it is asked for."""
    config = replace(config, steps=2, warmup=0, validate_every=2)
    return Trainer(model, train, valid, config, *others)


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch):
    """Inside every test the device is there and is the one that is asked for."""
    monkeypatch.setattr(training, "get_device", lambda: DEVICE)
    monkeypatch.setattr(training, "Trainer", shortened)
    prepare(monkeypatch)
    with Elsewhere():
        yield


@pytest.fixture(scope="module")
def world():
    return make_world(12, 2, min_words=4, max_words=6)


def device_of(model):
    (device,) = {parameter.device for parameter in model.parameters()}
    return device


def there(*shape):
    return torch.ones(shape).to(DEVICE)


class TestTheStandIn:
    @pytest.mark.parametrize(
        "mixed",
        [
            lambda: there(2) + torch.ones(2),
            lambda: torch.cat([there(2), torch.ones(2)]),
            lambda: torch.ones(3)[there(1).long()],
            lambda: there(3).masked_fill(torch.ones(3, dtype=torch.bool), 0.0),
            lambda: torch.nn.Linear(2, 2).to(DEVICE)(torch.ones(2)),
            lambda: torch.rand(2, generator=cpu_generator(0), device=DEVICE),
            lambda: there(2).numpy(),
            lambda: np.asarray(there(2)),
        ],
    )
    def test_refuses_what_a_gpu_refuses(self, mixed):
        with pytest.raises(Refused):
            mixed()

    @pytest.mark.skipif(not IS_APPLES, reason="COURSE_STAND_IN=mps asks for it (make gpu-lane)")
    def test_refuses_double_precision_as_apples_do(self):
        with pytest.raises(Refused, match="double"):
            there(2).double()


@pytest.mark.parametrize("name", ["bahdanau", "luong", "transformer"])
def test_a_model_trains_there_and_is_judged_where_it_is(name, world):
    """That every model computes there is for tests/parity/test_on_a_device.py to show."""
    words, pairs = world.tokenizers, [(pair.source, pair.target) for pair in world.train]
    model = build(name, small(name, *map(len, words)))
    feed = Batches(encode_pairs(pairs, *words), pairs_per_batch=12)
    training.fit(model, feed, feed, FitConfig(steps=2), progress=False)
    assert device_of(model) == DEVICE
    for way in (greedy, partial(beam, beams=2)):
        translate(model, [pairs[0][0]], *words, max_length=3, search=way, return_attention=True)
    assert teacher_forced(model, feed).tokens
    assert forced_attention(model, pairs[:1], *words)[0].device.type == "cpu"


class TestOfTheExperiments:
    """Each is trained and then looked at as its chapter looks at it."""

    def test_search_is_on_the_cpu(self, world):
        model = search.make_model(world, 0)
        search.train(model, world, 2, 0.01)
        assert device_of(model).type == "cpu"
        search.judged(model, world.test[:1], world)

    def test_sampling_is_on_the_cpu(self):
        model = sampling.train(0, steps=2)
        assert sampling.written(model, 2, cpu_generator(0))

    def test_the_comparison_is_on_the_cpu(self):
        pairs = comparison.make_world(40, 10)
        model = comparison.train(Trial("decomposable 32", 0, 0.01), pairs)
        assert len(comparison.right(model, pairs.test, pairs)) == 10

    def test_readers_are_on_the_cpu(self):
        held_out = scenes.held_out("valid", 4)
        model, curve = reading.train(Trial("hard", 0, 0.01), held_out, updates=8)
        assert len(curve) == 1
        assert device_of(model).type == "cpu"

    def test_gaps_and_differences_are_on_the_cpu(self):
        words = gaps.make_world(40, 4)
        model = gaps.train(gaps.make_model(2, words, 0), words, rate=0.01, seed=0)
        assert heads.from_gap(model, heads.asked(words.test, words.vocabulary).batch).numel()
        reader = difference.train(Trial("two heads", 0, 0.01), "sum")
        assert difference.left_over(reader, "sum") > 0

    def test_peers_are_on_the_cpu(self, world):
        model = peers.train(peers.VARIANTS["Transformer"], 0, world)
        assert peers.head_error_rates(model, world.test, world)

    def test_both_models_of_chapter_4_come_back_to_the_cpu(self, monkeypatch, world):
        batches = Batches(encode_pairs(world.train, *world.tokenizers), pairs_per_batch=8)
        lessons = (bottleneck.Drill(batches, 2),)
        pairs = bottleneck.LessonWorld(*vars(world).values(), lessons)
        here = SimpleNamespace(submit=lambda f, run: SimpleNamespace(result=lambda: f(run)))
        monkeypatch.setattr(
            bottleneck.shared, "processes_of_one_thread", lambda count: nullcontext(here)
        )
        for model in bottleneck.train_side_by_side(pairs, 0).values():
            assert device_of(model).type == "cpu"
            batch = bottleneck.batch_of(pairs.test, pairs)
            greedy(model, batch.source, batch.source_mask, max_length=3)

    def test_chapters_2_5_and_6a_train_there(self, monkeypatch, world):
        cho = one_vector.make_model("width 32", world, 0)
        one_vector.train(cho, world, 0.01)
        assert measures.forced_right(cho, world.test, world.tokenizers)
        scored = enough.make_model("additive", world, 0)
        enough.train(scored, world, 0.01)
        assert enough.exact_match(scored, world) >= 0
        monkeypatch.setattr(window, "the_world", lambda: world)
        window._batches.cache_clear()
        looking = window.train(window.WindowTrial("local-p", 3, 1, 0, 0.01))
        window._batches.cache_clear()
        assert window.by_reach(looking, world.test)
        assert len(maps.positions(looking, world.test[0])) == len(world.test[0].target)
        assert {device_of(model) for model in (cho, scored, looking)} == {DEVICE}
