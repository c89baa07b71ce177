"""Real homeworks in real kernels: solutions get all points, and slips what they get at home."""

import json

import pytest

from course_grader.assignment import load
from course_grader.instances import function
from course_grader.judge import Judge
from tests.homework.answers import known_slips

SALT = b"sixteen bytes or more"


def grade(name, jail, change=lambda cell: cell):
    homework = load(name)
    notebook = json.loads(json.dumps(homework.notebook(solved=True)))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["source"] = change(cell["source"])
    return Judge(homework, jail, SALT).grade(notebook)


def failed(outcomes):
    return [(o.question, o.name, o.message) for o in outcomes if o.status != "passed"]


# Functions as arguments, gradients through answers; all others are tried by hand (grading.md).
@pytest.mark.parametrize("name", ["hw07", "hw08"])
def test_a_solution_gets_all_points(name, jail):
    outcomes, remarks = grade(name, jail)
    assert (failed(outcomes), remarks) == ([], [])
    assert sum(outcome.score for outcome in outcomes) == 20


FIRST = "from __future__ import annotations\nimport asyncio, pickle\n%matplotlib inline\n"
FIRST += "%pip install no-such-package\n!echo hello\n"


def at_home(cell):
    """What works in Jupyter, in the cells of homework 1."""
    if cell.startswith("import torch"):
        return FIRST + cell
    cell = cell.replace("(gradients, max_norm)", "(gradients: list[Tensor], max_norm: NoSuchType)")
    if cell.startswith("def clip("):
        cell += "\nawait asyncio.sleep(0)\nclass Pair: pass\npickle.loads(pickle.dumps(Pair()))\n"
        cell += "grader.check('q3')\n_ = input if False else 1\ngrader.export()"
        return cell
    return f"%%time\n{cell}"


def test_what_jupyter_understands_costs_no_points(jail):
    outcomes, remarks = grade("hw01", jail, at_home)
    assert (failed(outcomes), remarks) == ([], [])


def test_slips_cost_the_same_tests_as_at_home(jail):
    """One slip in each question of homework 4, put to the tests in this process and in the jail."""
    homework = load("hw04")
    slips = {slip.question: slip for slip in known_slips("hw04_bahdanau") if slip.patches[0][0]}
    waiting = dict(slips)

    def slipped(cell):
        for question, slip in list(waiting.items()):
            if all(old in cell for old, _ in slip.patches):
                del waiting[question]
                cell = slip.apply(cell)
        return cell

    outcomes, _ = grade("hw04", jail, slipped)
    assert len(slips) - len(waiting) >= 4
    names, solution = {}, (c.solution for c in homework.cells if c.kind == "code")
    waiting = dict(slips)
    for cell in solution:
        exec(slipped(cell), names)
    for case, outcome in zip(homework.cases, outcomes, strict=True):
        test = function(SALT, case)
        try:
            test(*[names[name] for name in case.names])
            at_home = ""
        except Exception as error:
            at_home = str(error)
        assert (outcome.status == "passed") == (not at_home), (case.name, outcome, at_home)
        assert at_home[:200] in outcome.message
