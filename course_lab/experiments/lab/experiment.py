"""What makes a stored file: declared beside it, in the list EXPERIMENTS of its module.

    python -m course_lab.experiments decomposable/comparison --only variant="bag 32" seed=1

makes such a file again, or a part of it (see `main`).
"""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from course_lab.experiments.lab.records import add_choice, selected, write_records

_ROOMS = Path(__file__).parents[1]
Record = Mapping[str, Any]


class Experiment(NamedTuple):
    """A stored file of records, one for each run.

    Attributes:
        about: what it is, in a line.
        file: JSON, beside the module.
        runs: gives all runs, as named tuples.
        make: a function of a module; makes one run and says what is kept of it.
        key: the entries that tell one record from another; the file is sorted by them.
        on_request: gives further runs, which are made only if `--only` chooses them.
        data: the corpus that it needs, by its name in `course_lib.data.corpora`.
    """

    about: str
    file: Path
    runs: Callable[[], Sequence[Any]]
    make: Callable[[Any], dict[str, Any]]
    key: tuple[str, ...] = ("variant", "seed")
    on_request: Callable[[], Sequence[Any]] = list
    data: str = ""

    @property
    def name(self) -> str:
        """As the command is told: the file's folder and name, such as "bahdanau/bottleneck"."""
        return f"{self.file.parent.name}/{self.file.stem}"

    def key_of(self, record: Record) -> tuple[Any, ...]:
        """What tells a record from the others."""
        return tuple(record[name] for name in self.key)


class Artifact(NamedTuple):
    """A stored file that is made as a whole, such as a network that runs in a page.

    Attributes:
        about: what it is, in a line.
        file: beside the module.
        write: trains with a seed, or only computes, and writes the file that it is given.
    """

    about: str
    file: Path
    write: Callable[[Path, int], None]

    @property
    def name(self) -> str:
        """As the command is told: the file's folder and name, such as "seq2seq/in_page"."""
        return f"{self.file.parent.name}/{self.file.stem}"


def collected(name: str = "") -> dict[str, Experiment | Artifact]:
    """What the modules declare, by name: all, or what stands in the folder of a name."""
    room = name.partition("/")[0]
    declarations: dict[str, Experiment | Artifact] = {}
    for path in sorted(_ROOMS.glob("*/*.py")):
        declares = "\nEXPERIMENTS = [" in path.read_text(encoding="utf-8")
        if declares and room in ("", path.parent.name):
            module = import_module(f"course_lab.experiments.{path.parent.name}.{path.stem}")
            declarations |= {declared.name: declared for declared in module.EXPERIMENTS}
    return declarations


def main(
    arguments: Sequence[str] | None = None,
    among: Sequence[Experiment | Artifact] | None = None,
) -> None:
    """The one command of all experiments: makes a stored file, or some of its records, again.

    Args:
        arguments: in place of those of the command line.
        among: what can be made, in place of all that the modules declare.
    """
    parser = argparse.ArgumentParser(
        prog="python -m course_lab.experiments",
        description="Make a stored result again; without a NAME, list what there is.",
        allow_abbrev=False,
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="such as decomposable/comparison")
    parser.add_argument("--file", type=Path, help="where it goes, in place of the stored file")
    add_choice(parser)
    parser.add_argument("--resume", action="store_true", help="make only what the file lacks")
    parser.add_argument("--seed", type=int, default=0, help="of a network's first weights")
    chosen = parser.parse_args(arguments)
    there = {one.name: one for one in among or ()} or collected(chosen.name or "")
    if chosen.name is None:
        print("\n".join(f"{name:32} {one.about}" for name, one in there.items()))
        return
    if chosen.name not in there:
        parser.error(f"want one of {', '.join(there or collected())}; got {chosen.name!r}")
    experiment = there[chosen.name]
    file = chosen.file or experiment.file
    if isinstance(experiment, Artifact):
        if chosen.only or chosen.resume:
            parser.error(f"{experiment.name} is made as a whole: leave --only and --resume out")
        experiment.write(file, chosen.seed)
        return
    runs = experiment.runs()
    if chosen.only:
        runs = selected(
            parser,
            [*runs, *(run for run in experiment.on_request() if run not in runs)],
            chosen.only,
        )
    if chosen.resume and file.exists():
        stored = json.loads(file.read_text(encoding="utf-8"))
        made = {experiment.key_of(record) for record in stored}
        runs = [run for run in runs if experiment.key_of(run._asdict()) not in made]
    write_records(experiment.make, runs, file, experiment.key)
