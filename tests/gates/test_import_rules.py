"""The contracts in pyproject.toml, each broken in a copy of course_lib."""

import shutil

import pytest

from tools.gates.lint import imports
from tools.project import LABORATORY, LIBRARY, ROOT


@pytest.fixture
def copy(tmp_path):
    """Both packages and their contracts, to be broken."""
    for package in (LIBRARY, LABORATORY):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(package, tmp_path / package.name, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("contract", "breaches"),
    [
        (
            "Each room imports from the rows below it",
            {
                "course_lib/attention/scores": "course_lib.models.protocol",
                "course_lib/recurrent/cells": "course_lib.data.batch",
                "course_lib/models/bahdanau": "course_lib.training.fit",
                "course_lib/training/fit": "course_lib.cli.parser",
            },
        ),
        (
            "attention imports nothing else of course_lib",
            {
                "course_lib/attention/scores": "course_lib.errors",
                "course_lib/recurrent/cells": "course_lib.device",
            },
        ),
        ("A model does not know the data", {"course_lib/models/bahdanau": "course_lib.data.batch"}),
        (
            "know the protocol, never a model",
            {
                "course_lib/training/fit": "course_lib.models.bahdanau",
                "course_lib/decoding/greedy": "course_lib.models.dot_product",
                "course_lib/evaluation/translate": "course_lib.models.sutskever",
            },
        ),
        (
            "figures take arrays and tokens",
            {
                "course_lab/figures/style": "course_lib.data.batch",
                "course_lab/figures/text": "course_lib.models.protocol",
            },
        ),
        (
            "The library does not know the laboratory",
            {"course_lib/decoding/beam": "course_lab.figures.style"},
        ),
        (
            "A figure knows no experiment",
            {"course_lab/figures/style": "course_lab.experiments.lab.command_line"},
        ),
        (
            "A chapter's experiments know the lab",
            {
                "course_lab/experiments/bahdanau/bottleneck": (
                    "course_lab.experiments.recurrence.recall"
                )
            },
        ),
        (
            "knows none to touch",
            {"course_lab/figures/still/lines": "course_lab.figures.touch.core"},
        ),
        (
            "real sentences and the grammar do not know each other",
            {"course_lib/data/corpora/multi30k": "course_lib.data.mini_world.grammar"},
        ),
        (
            "alignment stands alone",
            {"course_lib/alignment/ibm1": "course_lib.data.tokens.tokenizer"},
        ),
    ],
)
def test_a_forbidden_import_is_named(copy, contract, breaches):
    for module, forbidden in breaches.items():
        path = copy / f"{module}.py"
        path.write_text(f"{path.read_text()}\n\nimport {forbidden}\n")
    result = imports(copy)
    assert not result.passed
    details = " ".join(result.output.split("Broken contracts")[1].split())
    assert contract in details
    for module in breaches:
        assert module.replace("/", ".") in details


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
