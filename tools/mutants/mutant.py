"""What a mutant is, and whether it still fits the code. Standard library only."""

from pathlib import Path
from typing import NamedTuple


class Mutant(NamedTuple):
    """One mistake in one place.

    why: the mistake, in words; no two mutants have the same.
    file: the file that it is made in, from the project's root.
    old: what stands there, exactly once.
    new: the mistake in its place.
    tests: what pytest is given: files or single tests, one of which has to fail.
    """

    why: str
    file: str
    old: str
    new: str
    tests: str


def mutate(mutant: Mutant, root: Path) -> str:
    """The text of the mutant's file with the mistake in it.

    Raises:
        ValueError: the mutant does not fit the code; the message says why.
    """
    path = root / mutant.file
    if not path.is_file():
        raise ValueError(f"there is no {mutant.file}")
    text = path.read_text(encoding="utf-8")
    if (found := text.count(mutant.old)) != 1:
        raise ValueError(f"wanted its old text once in {mutant.file}, found it {found} times")
    text = text.replace(mutant.old, mutant.new)
    if path.suffix == ".py":
        try:
            compile(text, mutant.file, "exec", dont_inherit=True)
        except SyntaxError as error:
            raise ValueError(f"{mutant.file} is no Python then: {error.msg}") from None
    return text


def misfits(mutants: list[Mutant], root: Path) -> list[str]:
    """One sentence for each mutant that cannot be made, or whose tests are not there."""
    found, names = [], set()
    for mutant in mutants:
        if mutant.why in names:
            found.append(f"{mutant.why}: two mutants have this name")
        names.add(mutant.why)
        try:
            mutate(mutant, root)
        except ValueError as error:
            found.append(f"{mutant.why}: {error}")
        for test in mutant.tests.split():
            file, *inside = test.split("::")
            path = root / file
            name = inside[-1] if inside else "test_"
            if not path.is_file() or f"def {name}" not in path.read_text(encoding="utf-8"):
                found.append(f"{mutant.why}: there is no {test}")
    return found
