"""SICK by the command line: which commands, what is kept, what is stored."""

import pytest

from course_lab.experiments.decomposable import sick
from course_lib.cli.main import make_parser


@pytest.mark.parametrize("name", sick.VARIANTS)
def test_every_variant_is_a_command_and_is_stored(name):
    options = make_parser().parse_args(["train", *sick.VARIANTS[name], "--data", "sick"])
    # The LSTM is always shown it.
    assert bool(options.contrast) == ("with contrast" in name and options.model != "lstm")
    assert options.no_premise == (name == "hypothesis alone")
    found = sick.load_scores()[name]
    assert tuple(record["seed"] for record in found) == sick.seeds_of(name)
    assert len({(record["parameters"], record["updates"]) for record in found}) == 1
    assert found[0]["updates"] == (4 if name in sick.LONGER.values() else 1) * 1410
