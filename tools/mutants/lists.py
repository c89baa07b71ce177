"""Reads the lists of mutants, and names those that no longer fit the code."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tools.project import TaskError

LISTS = Path(__file__).with_name("slips")


class Mutant(NamedTuple):
    """One mistake in one place; see the package for what its lines mean."""

    name: str
    file: str
    tests: list[str]
    old: str = ""
    new: str = ""


def read(text: str, subject: str) -> list[Mutant]:
    """The mutants of one list."""
    found: list[Mutant] = []
    file, tests = "", []
    for number, line in enumerate(text.splitlines(), start=1):
        sign, rest = line[:1], line[1:]
        if sign == "@":
            file, *tests = rest.split()
        elif sign == "#" and file:
            found.append(Mutant(f"{subject}: {rest.strip()} ({file})", file, tests))
        elif sign in ("-", "+") and found:
            part = "old" if sign == "-" else "new"
            before = getattr(found[-1], part)
            found[-1] = found[-1]._replace(**{part: f"{before}\n{rest}" if before else rest})
        elif line:
            raise TaskError(f"{subject}.txt, line {number}: want @, #, - or +; got {line!r}")
    return found


def every(folder: Path = LISTS) -> list[Mutant]:
    """The mutants of all lists."""
    return [m for path in sorted(folder.glob("*.txt")) for m in read(path.read_text(), path.stem)]


def misfits(mutants: Iterable[Mutant], root: Path) -> list[str]:
    """One sentence for each mutant that cannot be made, or whose tests are not there."""
    found = []
    for mutant in mutants:
        text = (root / mutant.file).read_text(encoding="utf-8")
        if not mutant.old or text.count(mutant.old) != 1:
            times = text.count(mutant.old) if mutant.old else 0
            found.append(f"{mutant.name}: want its old text once; got it {times} times")
        try:
            compile(text.replace(mutant.old, mutant.new), mutant.file, "exec", dont_inherit=True)
        except SyntaxError as error:
            found.append(f"{mutant.name}: want Python; got {error.msg}")
        for test in mutant.tests:
            file, _, name = test.partition("::")
            path = root / file
            if not path.is_file() or name.rpartition("::")[2] not in path.read_text():
                found.append(f"{mutant.name}: there is no {test}")
    return found
