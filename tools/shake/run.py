"""`make shake`: chapters and stored results once more, under each condition, one at a time."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from course_lab.experiments.lab.experiment import Experiment, collected, split
from course_lib.data.corpora.download import at_hand
from tools.notebooks.stamp import stamp
from tools.notebooks.text import from_text
from tools.project import CHAPTERS, ROOT, TaskError, say, shown
from tools.shake.conditions import Condition, conditions, environment
from tools.shake.records import AGAIN, Made, chapter, load, load_made, path_of, save, save_made

CLOCK = ("seconds", "minutes")
"""What a record says of the machine is not made again with it."""


def experiments() -> dict[str, Experiment]:
    """Those that name records to make again."""
    there = collected().items()
    return {name: one for name, one in there if isinstance(one, Experiment) and one.again}


def shake(names: Sequence[str] = (), *, everything: bool = False) -> None:
    """Shake what is named; without names, chapters that changed and results never made again.

    Args:
        names: such as "04", "04_bahdanau" or "bahdanau/bottleneck".
        everything: without names, all chapters and all results.

    Raises:
        TaskError: an unknown name, or a run that failed.
    """
    stems = [text.stem for text in sorted(CHAPTERS.glob("*.md"))]
    short = {stem.partition("_")[0]: stem for stem in stems}
    wanted = [short.get(name, name) for name in names]
    known = experiments()
    if unknown := [name for name in wanted if name not in stems and name not in known]:
        there = ", ".join([*known, *short])
        raise TaskError(f"want what can be shaken ({there}); got {unknown[0]!r}")
    for name, experiment in known.items():
        if name in wanted or (not names and (everything or not path_of(name).exists())):
            _shake_experiment(experiment)
    for stem in stems:
        if stem in wanted or (not names and (everything or _changed(stem))):
            _shake_chapter(stem)


def _changed(stem: str) -> bool:
    record = load(path_of(stem)) or {"stamp": "", "torch": ""}
    return (record["stamp"], record["torch"]) != (stamp(_notebook(stem)), _torch())


def _notebook(stem: str) -> Any:
    return from_text((CHAPTERS / f"{stem}.md").read_text(encoding="utf-8"))


def _shake_chapter(stem: str) -> None:
    """Executes all cells under each condition, and once with stored results made again."""
    notebook, made = _notebook(stem), {}
    with TemporaryDirectory() as folder:
        again = Condition(AGAIN, {"COURSE_STORED": folder})
        put_in_place(Path(folder), experiments().values())
        for condition in (*conditions(), again):
            say(f"{stem}: {condition.name}")
            made[condition.name] = _result(["tools.shake.notebook", stem], condition)
    save(path_of(stem), chapter(notebook, made, _torch(), stamp(notebook)))
    say(f"{stem}: {shown(path_of(stem))}")


def _shake_experiment(experiment: Experiment) -> None:
    """Makes its records again, each under the next condition."""
    if experiment.data and not at_hand(experiment.data):
        # It is no failure: nobody has to have every corpus to shake the rest.
        say(f"{experiment.name}: left alone, for want of the data {experiment.data!r}")
        return
    made, there = [], conditions()
    for number, choice in enumerate(experiment.again):
        condition = there[number % len(there)]
        say(f"{experiment.name}: {choice}: {condition.name}")
        command = ["course_lab.experiments", experiment.name, "--only", *split(choice), "--file"]
        made += [Made(condition.name, record) for record in _result(command, condition)]
    save_made(path_of(experiment.name), made, _torch())
    say(f"{experiment.name}: {shown(path_of(experiment.name))}")


def put_in_place(folder: Path, among: Sequence[Experiment], root: Path = ROOT) -> None:
    """Writes stored files with the records that were made again in the place of the old ones.

    A chapter that draws a stored file says the same on every machine, and its claims would never
    turn; `course_lab.experiments.lab.stored` reads these in their place.
    """
    for experiment in among:
        made = {experiment.key_of(m.record): m for m in load_made(path_of(experiment.name, root))}
        merged = []
        for entry in json.loads(experiment.file.read_text(encoding="utf-8")):
            again: Mapping[str, Any] = entry
            if experiment.key_of(entry) in made:
                again = made[experiment.key_of(entry)].record
            clock = {name: entry[name] for name in CLOCK if name in entry}
            merged.append({**again, **clock})
        path = folder / experiment.file.parent.name / experiment.file.name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(merged), encoding="utf-8")


def _result(command: Sequence[str], condition: Condition) -> Any:
    """What a module of the project writes, as JSON, into the file that is its last argument."""
    with TemporaryDirectory() as folder:
        target = Path(folder, "result.json")
        done = subprocess.run(
            [sys.executable, "-m", *command, str(target)],
            env=environment(condition),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        if done.returncode:
            said = done.stdout.decode(errors="replace").strip().splitlines()
            raise TaskError("\n  ".join([f"{' '.join(command)} failed:", *said[-8:]]))
        return json.loads(target.read_text(encoding="utf-8"))


def _torch() -> str:
    import torch

    return torch.__version__.partition("+")[0]
