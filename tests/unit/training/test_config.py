"""Settings that cannot be are refused in one line, and JSON keeps them."""

import json

import jaxtyping
import pytest

from course_lib.errors import CourseError
from course_lib.training.config import FitConfig


def test_json_and_back():
    config = FitConfig(epochs=3, betas=(0.9, 0.98), clip_norm=None, max_minutes=2.5)
    assert FitConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


def test_json_may_leave_out_the_point_of_a_whole_number():
    assert FitConfig.from_dict({"steps": 3, "clip_norm": 2}) == FitConfig(steps=3, clip_norm=2.0)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({}, "steps or epochs"),
        ({"steps": 1, "epochs": 1}, "steps or epochs"),
        ({"steps": 0}, "steps must be at least 1"),
        ({"epochs": -1}, "epochs must be at least 1"),
        ({"steps": 1, "learning_rate": 0.0}, "learning_rate must be more than 0"),
        ({"steps": 1, "learning_rate": float("nan")}, "learning_rate"),
        ({"steps": 1, "learning_rate": float("inf")}, "learning_rate"),
        ({"steps": 1, "clip_norm": 0.0}, "clip_norm"),
        ({"steps": 1, "label_smoothing": 1.0}, "label_smoothing must be at least 0 and below 1"),
        ({"steps": 1, "betas": (0.9, 1.0)}, "betas"),
        ({"steps": 1, "weight_decay": -1.0}, "weight_decay"),
        ({"steps": 1, "patience": 0}, "patience"),
        ({"steps": 1, "validate_every": 0}, "validate_every"),
        ({"steps": 1, "checkpoint_every": 0}, "checkpoint_every"),
        ({"steps": 1, "max_minutes": 0.0}, "max_minutes"),
        ({"steps": 1, "warmup": -1}, "warmup"),
        ({"steps": 1, "schedule": "linear"}, "unknown schedule 'linear'"),
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
    with pytest.raises(CourseError, match=f"{name} must be a whole number, got {wrong!r}"):
        FitConfig(**settings)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"steps": 1, "momentum": 0.9}, "no setting momentum"),
        ({"steps": 1, "betas": 0.9}, "wrong value"),
        ({"steps": 1, "betas": [0.9]}, "wrong value"),
        ({"steps": "many"}, "wrong value"),
    ],
)
def test_broken_json_is_refused(settings, word):
    with pytest.raises(CourseError, match=word):
        FitConfig.from_dict(settings)
