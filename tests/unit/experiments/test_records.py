"""Every stored record belongs to a planned run, has its model's parameters and possible numbers."""

import math
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import course_lab.experiments
from course_lab.experiments.bahdanau import bottleneck
from course_lab.experiments.bahdanau import in_page as in_page_4
from course_lab.experiments.decomposable import comparison
from course_lab.experiments.lab.experiment import Experiment, collected
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.lab.world import vocabularies
from course_lab.experiments.query_key_value import enough
from course_lab.experiments.seq2seq import in_page as in_page_2
from course_lab.experiments.seq2seq import longer, one_vector
from course_lab.experiments.soft_and_hard import reading
from course_lab.experiments.transformer import in_page as in_page_10
from course_lab.experiments.transformer import peers
from course_lib.data.mini_world.grammar import sample
from course_lib.models.parts import parameters_of

FOLDER = Path(course_lab.experiments.__file__).parent
PLANNED = {one.file: one for one in collected().values() if isinstance(one, Experiment)}
TUNED = [path for path in PLANNED if path.stem.endswith("_tuning")]


def name_of(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix()


def numbers(value: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Every number of a record, with its name."""
    if isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else ((name, part) for part in value)
        for key, part in parts:
            yield from numbers(part, key)
    elif isinstance(value, int | float):
        yield name, value


@pytest.fixture
def no_worlds(monkeypatch):
    """Plan runs without drawing their sentences."""
    for name, module in list(sys.modules.items()):
        if name.startswith("course_lab.") and hasattr(module, "make_world"):
            monkeypatch.setattr(module, "make_world", lambda *sizes, **options: None)


@pytest.mark.parametrize("path", PLANNED, ids=name_of)
def test_each_planned_run_is_stored_once_and_no_other(path, no_worlds):
    planned = PLANNED[path]
    stored = [planned.key_of(record) for record in load_stored(path)]
    runs = {planned.key_of(run._asdict()) for run in planned.runs()}
    on_request = {planned.key_of(run._asdict()) for run in planned.on_request()}
    assert len(set(stored)) == len(stored)
    assert set(stored) <= runs | on_request
    assert runs <= set(stored) or path in TUNED


@pytest.mark.parametrize("path", PLANNED, ids=name_of)
def test_records_of_one_file_are_alike_and_their_numbers_possible(path):
    first: dict[Any, dict[str, Any]] = {}
    for record in load_stored(path):
        for name, value in numbers(record):
            assert math.isfinite(value), name
            if name.startswith(("accuracy", "found", "agreement", "digits", "scenes")):
                assert 0 <= value <= 1, name
        before = first.setdefault(record.get("variant", record.get("model")), record)
        assert record.keys() == before.keys()
        assert record.get("parameters") == before.get("parameters")
        # The same sentences for every run, and of each length no more right than there are.
        bins = record.get("bins", [])
        assert [entry[:3] for entry in bins] == [entry[:3] for entry in before.get("bins", [])]
        assert all(low <= high and 0 <= exact <= count for low, high, count, exact in bins)


@pytest.mark.parametrize("path", TUNED, ids=name_of)
def test_each_variant_has_a_rate_as_good_as_the_rates_beside_it(path, no_worlds):
    """The planned rates of a variant are its own and its two neighbours."""
    tried: dict[str, dict[float, float]] = {}
    for record in load_stored(path):
        (by,) = [name for name in ("nats", "error", "accuracy", "digits") if name in record][:1]
        value = record[by] if by in ("nats", "error") else -record[by]
        tried.setdefault(record["variant"], {})[record["learning_rate"]] = value
    planned: dict[str, list[float]] = {}
    for run in PLANNED[path].runs():
        planned.setdefault(run.variant, []).append(run.learning_rate)
    slack = 0.003 if by == "nats" else 0.03
    for name in tried:
        below, chosen, above = (tried[name][rate] for rate in sorted(planned[name]))
        assert chosen <= min(below, above) + slack, name


# The tiny mini-world has so few words that 3,000 sentences hold all of them.
MODELS = {
    bottleneck.STORED: lambda r: bottleneck.make_model(r["model"], mini_world(), 0),
    comparison.STORED: lambda r: comparison.make_model(
        r["variant"], comparison.make_world(40, 20), 0
    ),
    enough.STORED: lambda r: enough.make_model(r["variant"], mini_world(), 0),
    longer.STORED: lambda r: one_vector.make_model(r["variant"], mini_world(), 0),
    one_vector.STORED: lambda r: one_vector.make_model(r["variant"], mini_world(), 0),
    peers.STORED: lambda r: peers.make_model(peers.VARIANTS[r["variant"]], mini_world(), 0),
    reading.STORED: lambda r: reading.make(r["variant"], 0),
}


@cache
def mini_world() -> bottleneck.LessonWorld:
    pairs = sample("train", 3000, seed=1, min_words=4, max_words=20, vocabulary="tiny")
    return bottleneck.LessonWorld(pairs, [], [], vocabularies(pairs), ())


@pytest.mark.parametrize("path", MODELS, ids=name_of)
def test_a_stored_run_has_the_parameters_of_its_model(path):
    for name, record in {r.get("variant", r.get("model")): r for r in load_stored(path)}.items():
        model = MODELS[path](record)
        whole = sum(p.numel() for p in model.parameters())
        # Papers on inference count without the word table.
        size = parameters_of(model) if path == comparison.STORED else whole
        assert record["parameters"] == size, name


@pytest.mark.parametrize("module", [in_page_2, in_page_4, in_page_10], ids=["2", "4", "10"])
def test_the_network_of_a_page_is_written_as_it_was_read(module, tmp_path):
    module.save_to(tmp_path / "net.safetensors", module.load())
    assert (tmp_path / "net.safetensors").read_bytes() == module.STORED.read_bytes()
