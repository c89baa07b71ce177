"""Reads the lists of mutants, and says which no longer fit the code. Standard library only."""

from pathlib import Path
from typing import NamedTuple

from tools.project import TaskError

LISTS = Path(__file__).with_name("slips")


class Mutant(NamedTuple):
    """One mistake in one place; see the package for what its lines mean."""

    subject: str
    why: str
    file: str
    tests: str
    old: str = ""
    new: str = ""

    @property
    def name(self) -> str:
        return f"{self.subject}: {self.why} ({self.file})"


def read(text: str, subject: str) -> list[Mutant]:
    """The mutants of one list.

    Raises:
        TaskError: a line that is none of "@", "#", "-" and "+", or stands too early.
    """
    found: list[Mutant] = []
    file = tests = ""
    kept: dict[str, list[str]] = {"-": [], "+": []}
    for number, line in enumerate(text.splitlines(), start=1):
        sign, rest = line[:1], line[1:]
        if sign == "@":
            file, _, tests = rest.strip().partition(" ")
        elif sign == "#" and file:
            kept = {"-": [], "+": []}
            found.append(Mutant(subject, rest.strip(), file, tests))
        elif sign in kept and found:
            kept[sign].append(rest)
            old, new = ("\n".join(kept[each]) for each in "-+")
            found[-1] = found[-1]._replace(old=old, new=new)
        elif line:
            raise TaskError(f"{subject}.txt, line {number}: want @, #, - or +; got {line!r}")
    return found


def every(folder: Path = LISTS) -> list[Mutant]:
    """The mutants of all lists."""
    paths = sorted(folder.glob("*.txt"))
    return [m for path in paths for m in read(path.read_text(encoding="utf-8"), path.stem)]


def mutate(mutant: Mutant, root: Path) -> str:
    """The text of the mutant's file with the mistake in it.

    Raises:
        ValueError: the mutant does not fit the code; the message says why.
    """
    path = root / mutant.file
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if not mutant.old or (count := text.count(mutant.old)) != 1:
        count = count if mutant.old else 0
        raise ValueError(f"want its old text once in the file; got it {count} times")
    text = text.replace(mutant.old, mutant.new)
    try:
        compile(text, mutant.file, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise ValueError(f"want Python; got {error.msg}") from None
    return text


def misfits(mutants: list[Mutant], root: Path) -> list[str]:
    """One sentence for each mutant that cannot be made, or whose tests are not there."""
    found = []
    for mutant in mutants:
        try:
            mutate(mutant, root)
        except ValueError as error:
            found.append(f"{mutant.name}: {error}")
        for test in mutant.tests.split():
            file, *inside = test.split("::")
            path = root / file
            wanted = f"def {inside[-1]}" if inside else "def test_"
            if not path.is_file() or wanted not in path.read_text(encoding="utf-8"):
                found.append(f"{mutant.name}: there is no {test}")
    return found
