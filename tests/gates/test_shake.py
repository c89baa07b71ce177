"""`make shake` itself: conditions, the nudge, what is executed and what is written down."""

import subprocess
import sys

import nbformat
import pytest

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.stored import load_stored
from tools.notebooks.text import from_text
from tools.project import TaskError
from tools.shake import records, run
from tools.shake.conditions import Condition, conditions, environment
from tools.shake.notebook import execute
from tools.shake.records import AGAIN, Made, load_made, path_of, save_made

NUDGED = """
import torch
torch.manual_seed(0)
net = torch.nn.Linear(3, 3, bias=False)
before = net.weight.detach().clone()
torch.optim.SGD(net.parameters(), lr=1.0)
once = net.weight.detach().clone()
torch.optim.Adam(net.parameters())
print(bool((once == net.weight).all()), *(once / before - 1).flatten().tolist())
"""


def nudge(setting):
    variables = environment(Condition("nudged", {"COURSE_NUDGE": setting}))
    done = subprocess.run(
        [sys.executable, "-c", NUDGED], env=variables, capture_output=True, text=True, check=True
    )
    again, *moved = done.stdout.split()
    assert again == "True"  # a second optimiser moves nothing
    return [float(value) for value in moved]


def test_a_nudge_moves_first_weights_a_little_and_always_alike():
    moved = nudge("1e-3:1")
    assert 3e-4 < max(map(abs, moved)) < 4e-3
    assert moved == pytest.approx(nudge("1e-3:1"))


def test_every_cell_is_executed_even_after_one_that_fails(project):
    head = project.text.read_text(encoding="utf-8").split("```{code-cell}")[0]
    codes = ("print(0.5)", "assert 0, 'low'", "print(1)")
    cells = "".join(f"```{{code-cell}} ipython3\n{code}\n```\n\n" for code in codes)
    notebook = from_text(head + cells, project.root / "_config.yml")
    found = execute(notebook, project.root / "notebooks")
    assert [one["error"] for one in found] == ["", "AssertionError: low", ""]
    assert found[2]["text"] == "1\n"


def chapter(made, **metadata):
    """What is kept of one cell that printed, or raised, something under each condition."""
    cell = nbformat.v4.new_code_cell("# trains\ntrain()\nmore", metadata=metadata)
    notebook = nbformat.v4.new_notebook(cells=[cell])
    told = {
        name: [{"text": text, "error": text if "Error" in text else ""}]
        for name, text in made.items()
    }
    return records.chapter(notebook, told, "2.13.0", "stamp")


@pytest.mark.parametrize(
    ("made", "metadata", "kept"),
    [
        ({"a": "0.5", "b": "0.5"}, {}, None),
        ({"a": "0.5", "b": "0.5"}, {"tolerance": {}}, {"numbers": ["0.5"]}),
        ({"a": "7, 0.5", "b": "7, 0.4"}, {}, {"numbers": ["7", ["0.4", "0.5"]]}),
        ({"a": "0.5", AGAIN: "0.4"}, {}, None),
        ({"a": "0.5 den", "b": "0.5 die"}, {}, {"numbers": ["0.5"], "differs": {"b": "0.5 die"}}),
        ({"a": "0.5", "b": "Error: C08"}, {}, {"numbers": ["0.5"], "differs": {"b": "Error: C08"}}),
        ({"a": "Error: C08"}, {"tags": ["raises-exception"]}, None),
        ({"a": "0.5", "b": "0.6"}, {"tags": ["nbval-ignore-output"]}, None),
    ],
)
def test_what_is_kept_of_a_cell_is_read_as_it_was_written(made, metadata, kept, tmp_path):
    found = chapter(made, **metadata)
    assert found["cells"] == ([{"cell": "train()", **kept}] if kept else [])
    records.save(tmp_path / "a.json", found)
    assert records.load(tmp_path / "a.json") == found


def test_every_verdict_is_kept():
    made = {"a": "[C08] holds: 0.9\n", AGAIN: "[C08] does not hold: 0.4\n"}
    assert chapter(made)["verdicts"] == {"C08": ["does not hold", "holds"]}


@pytest.fixture
def experiment(tmp_path, monkeypatch):
    """A stored file with two records; the second was made again."""
    file = tmp_path / "room" / "made.json"
    file.parent.mkdir()
    file.write_text('[{"seed": 0, "right": 5}, {"seed": 1, "right": 6, "seconds": 9.1}]')
    found = Experiment("", file, list, dict, key=("seed",), again=("seed=0", "seed=1"))
    monkeypatch.setattr(run, "experiments", lambda: {"room/made": found})
    monkeypatch.setattr(run, "path_of", lambda name, root=tmp_path: path_of(name, root))
    save_made(
        path_of("room/made", tmp_path), [Made("AVX2", {"seed": 1, "right": 7, "seconds": 2})], ""
    )
    return found


def test_stored_results_made_again_are_read_in_the_place_of_the_old_ones(
    experiment, tmp_path, monkeypatch
):
    run.put_in_place(tmp_path / "room", [experiment], tmp_path)
    monkeypatch.setenv("COURSE_STORED", str(tmp_path / "room"))
    assert load_stored(experiment.file) == [
        {"seed": 0, "right": 5},
        {"seed": 1, "right": 7, "seconds": 9.1},
    ]


def test_each_record_is_made_again_under_the_next_condition(experiment, tmp_path, monkeypatch):
    asked = []

    def result(command, condition):
        asked.append(command[-2])
        return [{"condition": condition.name}]

    monkeypatch.setattr(run, "_result", result)
    run.shake(["room/made"])
    names = [condition.name for condition in conditions()[:2]]
    assert load_made(path_of("room/made", tmp_path)) == [Made(n, {"condition": n}) for n in names]
    assert asked == ["seed=0", "seed=1"]
    with pytest.raises(TaskError, match=r"want what can be shaken \(room/made, 01, .*got 'room'"):
        run.shake(["room"])
