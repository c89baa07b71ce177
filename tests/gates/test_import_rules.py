"""The contracts in pyproject.toml, each broken in a copy of course_lib."""

import shutil

import pytest

from tools.gates.lint import imports
from tools.project import LIBRARY, ROOT

READS = ("course_lib", "pyproject.toml")


@pytest.fixture
def copy(tmp_path):
    """course_lib and its contracts, to be broken."""
    shutil.copytree(LIBRARY, tmp_path / "course_lib", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("contract", "breaches"),
    [
        (
            "Each room imports from the rows below it",
            {
                "attention/scores": "course_lib.models.protocol",
                "recurrent/cells": "course_lib.data.batch",
                "models/bahdanau": "course_lib.training.fit",
                "training/fit": "course_lib.cli.parser",
                "figures/style": "course_lib.models.protocol",
            },
        ),
        (
            "attention imports nothing else of course_lib",
            {"attention/scores": "course_lib.errors", "recurrent/cells": "course_lib.device"},
        ),
        ("A model does not know the data", {"models/bahdanau": "course_lib.data.batch"}),
        (
            "know the protocol, never a model",
            {
                "training/fit": "course_lib.models.bahdanau",
                "decoding/greedy": "course_lib.models.dot_product",
                "evaluation/translate": "course_lib.models.sutskever",
            },
        ),
        ("figures take arrays and tokens", {"figures/style": "course_lib.data.batch"}),
        (
            "A chapter's experiments know the lab",
            {"experiments/bahdanau/bottleneck": "course_lib.experiments.recurrence.recall"},
        ),
        (
            "knows none to touch",
            {"figures/still/lines": "course_lib.figures.touch.core"},
        ),
        (
            "real sentences and the grammar do not know each other",
            {"data/corpora/multi30k": "course_lib.data.mini_world.grammar"},
        ),
        ("alignment stands alone", {"alignment/ibm1": "course_lib.data.tokens.tokenizer"}),
    ],
)
def test_a_forbidden_import_is_named(copy, contract, breaches):
    for module, forbidden in breaches.items():
        path = copy / "course_lib" / f"{module}.py"
        path.write_text(f"{path.read_text()}\n\nimport {forbidden}\n")
    result = imports(copy)
    assert not result.passed
    details = " ".join(result.output.split("Broken contracts")[1].split())
    assert contract in details
    for module in breaches:
        assert f"course_lib.{module.replace('/', '.')}" in details


def test_a_room_without_a_place_is_named(copy):
    (copy / "course_lib" / "attic.py").write_text('"""Nobody said where this belongs."""\n')
    result = imports(copy)
    assert not result.passed
    assert "attic" in result.output


def test_no_model_is_missing_from_the_contract_of_the_protocol():
    contracts = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    modules = {path.stem for path in (LIBRARY / "models").glob("*.py")} - {"__init__", "protocol"}
    listed = {name for name in modules if f'"course_lib.models.{name}",' in contracts}
    assert listed == modules
