"""Every stored record: of a run that is planned, each once, and what it counts adds up.

What one experiment alone stores has its test beside the experiment's other tests.
"""

import argparse
import math
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import course_lab.experiments
from course_lab.experiments.bahdanau import bottleneck
from course_lab.experiments.bahdanau import in_page as in_page_4
from course_lab.experiments.decoding import sampling, search
from course_lab.experiments.decomposable import comparison
from course_lab.experiments.lab.experiment import Experiment, collected, split
from course_lab.experiments.lab.rates import neighbourhood
from course_lab.experiments.lab.records import selected
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.lab.world import vocabularies
from course_lab.experiments.multi_head import difference, heads
from course_lab.experiments.query_key_value import enough
from course_lab.experiments.self_attention import articles
from course_lab.experiments.seq2seq import in_page as in_page_2
from course_lab.experiments.seq2seq import longer, one_vector, pretraining
from course_lab.experiments.soft_and_hard import reading
from course_lab.experiments.transformer import in_page as in_page_10
from course_lab.experiments.transformer import peers
from course_lab.experiments.two_levels import king
from course_lib.data.mini_world import grammar
from course_lib.models.pair_classifier import parameters_of

FOLDER = Path(course_lab.experiments.__file__).parent


PLANNED = {one.file: one for one in collected().values() if isinstance(one, Experiment)}


class Tuned(NamedTuple):
    """An experiment whose rates were compared.

    Attributes:
        stored: the file of the comparison.
        rates: those in question, rising.
        chosen: the rate of each variant.
        by: what was compared.
        slack: how much worse than the best of its neighbours the chosen rate may be.
        not_compared: variants that have the rate of another.
    """

    stored: Path
    rates: tuple[float, ...]
    chosen: dict[str, float]
    by: str = "nats"
    slack: float = 0.0
    not_compared: tuple[str, ...] = ()


TUNED = [
    Tuned(sampling.TUNING, sampling.RATES, sampling.RATE_OF),
    Tuned(search.TUNING, search.RATES, search.RATE_OF, slack=1e-3),
    Tuned(
        comparison.TUNING,
        comparison.RATES,
        comparison.RATE_OF,
        "accuracy",
        0.02,
        tuple(comparison.CONTROLS),
    ),
    Tuned(difference.TUNING, difference.RATES, difference.RATE_OF, "error", 0.02, difference.TWINS),
    Tuned(heads.TUNING, heads.RATES, heads.RATE_OF, not_compared=(heads.TWIN,)),
    Tuned(enough.TUNING, enough.RATES, enough.RATE_OF, not_compared=tuple(enough.TIMES)),
    Tuned(
        articles.TUNING, articles.RATES, articles.RATE_OF, "accuracy", 0.03, tuple(articles.LONGER)
    ),
    Tuned(one_vector.TUNING, one_vector.RATES, one_vector.RATE_OF),
    Tuned(pretraining.TUNING, pretraining.RATES, pretraining.LEARNING_RATES),
    Tuned(
        reading.TUNING,
        reading.RATES,
        {name: reading.LEARNING_RATES[name] for name in reading.TUNED},
        "digits",
        0.02,
    ),
    Tuned(
        peers.TUNING,
        peers.RATES,
        {name: variant.learning_rate for name, variant in peers.VARIANTS.items()},
        not_compared=(),
    ),
    Tuned(king.TUNING, king.RATES, king.LEARNING_RATES, slack=0.003),
]


def name_of(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix()


def numbers(value: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Every number of a record, with the name it stands under."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from numbers(part, key)
    elif isinstance(value, list):
        for part in value:
            yield from numbers(part, name)
    elif isinstance(value, int | float):
        yield name, value


def parts(record: dict[str, Any]) -> dict[str, list[str] | None]:
    """What a record holds, and what stands in each of its parts."""
    return {
        name: list(value) if isinstance(value, dict) else None for name, value in record.items()
    }


@pytest.mark.parametrize("path", PLANNED, ids=name_of)
def test_each_planned_run_is_stored_once_and_no_other(path, monkeypatch):
    # By name: what is loaded holds None, too, where tests run side by side.
    for name, one in list(sys.modules.items()):
        if name.startswith("course_lab.") and hasattr(one, "make_world"):
            monkeypatch.setattr(one, "make_world", lambda *parts, **named: None)  # seconds
    planned = PLANNED[path]
    stored = [planned.key_of(record) for record in load_stored(path)]
    runs = {planned.key_of(run._asdict()) for run in planned.runs()}
    # A rate that was tried, and has left the command, would stay in the file for good.
    can_be_made = runs | {planned.key_of(run._asdict()) for run in planned.on_request()}
    assert len(set(stored)) == len(stored)
    assert set(stored) <= can_be_made
    if path.stem.endswith("_tuning"):
        # A control has the rate of its variant.
        tried = {variant for variant, *_ in stored}
        assert {run for run in runs if run[0] in tried} <= set(stored)
    else:
        assert runs == set(stored)
    for choice in planned.again:
        every = [*planned.runs(), *planned.on_request()]
        assert selected(argparse.ArgumentParser(), every, split(choice))


# Vocabulary sizes of the models are those of the tiny mini-world: 3,000 sentences hold every word.
SIZES = {
    bottleneck.STORED: lambda r: bottleneck.make_model(r["model"], mini_world(), 0),
    bottleneck.STORED_RATES: lambda r: bottleneck.make_model(r["model"], mini_world(), 0),
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
    pairs = grammar.sample("train", 3000, seed=1, min_words=4, max_words=20, vocabulary="tiny")
    return bottleneck.LessonWorld(pairs, [], [], vocabularies(pairs), ())


@pytest.mark.parametrize("path", SIZES, ids=name_of)
def test_a_stored_run_has_the_parameters_of_its_model(path):
    for name, record in {r.get("variant", r.get("model")): r for r in load_stored(path)}.items():
        model = SIZES[path](record)
        whole = sum(p.numel() for p in model.parameters())
        # As papers on inference count: without the word table.
        found = parameters_of(model) if path == comparison.STORED else whole
        assert record["parameters"] == found, name


@pytest.mark.parametrize("path", PLANNED, ids=name_of)
def test_records_of_one_file_are_alike_and_their_numbers_possible(path):
    records = load_stored(path)
    first: dict[Any, dict[str, Any]] = {}
    for record in records:
        for name, value in numbers(record):
            assert math.isfinite(value), name
            if name.startswith(("accuracy", "found", "agreement", "digits", "scenes")):
                assert 0 <= value <= 1, name
        before = first.setdefault(record.get("variant", record.get("model")), record)
        assert parts(record) == parts(before)
        assert record.get("parameters") == before.get("parameters")
        # The same sentences for every run, and of each length no more right than there are.
        bins = record.get("bins", [])
        assert [entry[:3] for entry in bins] == [entry[:3] for entry in before.get("bins", [])]
        assert all(low <= high and 0 <= exact <= count for low, high, count, exact in bins)


@pytest.mark.parametrize("tuned", TUNED, ids=lambda tuned: name_of(tuned.stored))
def test_each_variant_learns_at_a_rate_as_good_as_those_beside_it(tuned):
    less_is_better = tuned.by in ("nats", "error")
    tried: dict[str, dict[float, float]] = {}
    for record in load_stored(tuned.stored):
        value = record[tuned.by] if less_is_better else -record[tuned.by]
        tried.setdefault(record["variant"], {})[record["learning_rate"]] = value
    assert set(tried) == set(tuned.chosen) - set(tuned.not_compared)
    for name, row in tried.items():
        near = [row[rate] for rate in neighbourhood(tuned.rates, tuned.chosen[name])]
        assert row[tuned.chosen[name]] <= min(near) + tuned.slack, name


@pytest.mark.parametrize("module", [in_page_4, in_page_2, in_page_10], ids=["4", "2", "10"])
def test_the_network_of_a_page_is_written_as_it_was_read(module, tmp_path):
    module.save_to(tmp_path / "net.safetensors", module.load())
    assert (tmp_path / "net.safetensors").read_bytes() == module.STORED.read_bytes()
