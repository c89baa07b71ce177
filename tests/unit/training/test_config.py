"""Settings that cannot be are refused in one line, and JSON keeps them."""

import json
import math

import jaxtyping
import pytest

from course_lib.errors import CourseError
from course_lib.training.config import FitConfig, learning_rate_factor, paper_peak


def test_json_and_back():
    config = FitConfig(epochs=3, betas=(0.9, 0.98), clip_norm=None, max_minutes=2.5)
    assert FitConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({}, "steps or epochs"),
        ({"steps": 1, "epochs": 1}, "steps or epochs"),
        ({"steps": 0}, "steps, a whole number from 1 on; got 0"),
        ({"epochs": -1}, "epochs, a whole number from 1 on"),
        ({"steps": 1, "learning_rate": 0.0}, "learning_rate above 0; got 0.0"),
        ({"steps": 1, "learning_rate": float("nan")}, "learning_rate"),
        ({"steps": 1, "learning_rate": float("inf")}, "learning_rate"),
        ({"steps": 1, "clip_norm": 0.0}, "clip_norm"),
        ({"steps": 1, "label_smoothing": 1.0}, "label_smoothing from 0 to below 1"),
        ({"steps": 1, "betas": (0.9, 1.0)}, "betas"),
        ({"steps": 1, "weight_decay": -1.0}, "weight_decay"),
        ({"steps": 1, "patience": 0}, "patience"),
        ({"steps": 1, "validate_every": 0}, "validate_every"),
        ({"steps": 1, "checkpoint_every": 0}, "checkpoint_every"),
        ({"steps": 1, "max_minutes": 0.0}, "max_minutes"),
        ({"steps": 1, "warmup": -1}, "warmup"),
        ({"steps": 1, "schedule": "linear"}, "got 'linear'"),
    ],
)
def test_impossible_settings_are_refused_by_name(settings, word):
    with pytest.raises(CourseError, match=word) as caught:
        FitConfig(**settings)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("wrong", [2.5, True, "many"])
@pytest.mark.parametrize("name", ["steps", "epochs", "warmup", "patience"])
def test_what_is_counted_is_whole(name, wrong, monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    settings = {"steps": 1, name: wrong} if name != "epochs" else {name: wrong}
    with pytest.raises(CourseError, match=f"want {name}, a whole number .*got {wrong!r}"):
        FitConfig(**settings)


@pytest.mark.parametrize("width", [64, 512])
@pytest.mark.parametrize("warmup", [1, 400, 4000])
def test_the_transformers_schedule_is_equation_3_of_its_paper(width, warmup):
    factor = learning_rate_factor("warmup_inverse_sqrt", warmup, total=100_000)
    for step in (1, 2, 399, 400, 401, 4000, 4001, 99_999):
        paper = width**-0.5 * min(step**-0.5, step * warmup**-1.5)
        assert paper_peak(width, warmup) * factor(step) == pytest.approx(paper, rel=1e-12)


def test_constant_is_one_after_its_warmup():
    factor = learning_rate_factor("constant", 4, total=10)
    assert [factor(step) for step in (1, 2, 3, 4, 5, 10)] == [0.25, 0.5, 0.75, 1, 1, 1]
    assert learning_rate_factor("constant", 0, total=10)(1) == 1


def test_cosine_by_hand():
    factor = learning_rate_factor("cosine", 2, total=6)
    wanted = [0.5, 1.0] + [0.5 * (1 + math.cos(math.pi * i / 4)) for i in range(4)]
    assert [factor(step) for step in range(1, 7)] == pytest.approx(wanted)
    assert learning_rate_factor("cosine", 0, total=1)(1) == 1.0


@pytest.mark.parametrize(("name", "warmup"), [("warmup_inverse_sqrt", 0), ("cosine", 10)])
def test_an_impossible_warmup_is_refused(name, warmup):
    with pytest.raises(CourseError, match="warmup"):
        learning_rate_factor(name, warmup, total=10)
