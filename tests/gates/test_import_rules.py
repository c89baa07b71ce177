"""The contracts in pyproject.toml, each broken in a copy of the packages."""

import shutil

from tools.gates.lint import imports
from tools.project import LABORATORY, LIBRARY, ROOT

BREACHES = {
    "course_lib/attention/scores": "course_lib.models.protocol",
    "course_lib/recurrent/cells": "course_lib.device",
    "course_lib/models/bahdanau": "course_lib.data.batch",
    "course_lib/decoding/greedy": "course_lib.models.dot_product",
    "course_lib/decoding/beam": "course_lab.figures.style",
    "course_lib/data/corpora/multi30k": "course_lib.data.mini_world.grammar",
    "course_lib/alignment/ibm1": "course_lib.data.tokens.tokenizer",
    "course_lab/figures/text": "course_lib.models.protocol",
    "course_lab/figures/style": "course_lab.experiments.lab.command_line",
    "course_lab/figures/still/lines": "course_lab.figures.touch.core",
    "course_lab/experiments/bahdanau/bottleneck": "course_lab.experiments.recurrence.recall",
}


def test_each_forbidden_import_and_a_room_without_a_place_are_named(tmp_path):
    for package in (LIBRARY, LABORATORY, ROOT / "course_grader"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(package, tmp_path / package.name, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for module, forbidden in BREACHES.items():
        with (tmp_path / f"{module}.py").open("a") as file:
            file.write(f"\n\nimport {forbidden}\n")
    result = imports(tmp_path)
    assert not result.passed
    details = " ".join(result.output.split("Broken contracts")[1].split())
    for module, forbidden in BREACHES.items():
        assert f"{module.replace('/', '.')} -> {forbidden}" in details
    (tmp_path / "course_lib" / "attic.py").write_text('"""Nobody said where this belongs."""\n')
    assert "attic" in imports(tmp_path).output
