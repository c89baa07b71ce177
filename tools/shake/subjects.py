"""What can be shaken: chapters and experiments, with what one condition makes of each."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from tools.inputs.cells import sources
from tools.notebooks.text import from_text, is_install
from tools.project import CHAPTERS, ROOT, TaskError
from tools.shake import stamps
from tools.shake.conditions import LEAST
from tools.shake.depends import fingerprints
from tools.shake.margins import widest
from tools.shake.record import Cell, Made, Record
from tools.shake.registry import REGISTRY, Stored
from tools.shake.spread import Spread, counts, shaken

AGAIN = "stored results made again"
"""The condition of a chapter that reads, of its stored files, the records that were made again."""
IGNORED, RAISES = "nbval-ignore-output", "raises-exception"


def again_name(number: int) -> str:
    """The name of that condition in each round (see `again.rounds`)."""
    return f"{AGAIN} {number + 1}" if number else AGAIN


def is_again(name: str) -> bool:
    return name.startswith(AGAIN)


class Chapter:
    """A chapter's cells, executed from its text."""

    conditions: int | None = None

    def __init__(self, text: Path) -> None:
        self.name, self._text = text.stem, text

    def __str__(self) -> str:
        return self.name

    @property
    def arguments(self) -> tuple[str, ...]:
        """What `make shake` may call it: "04" and "04_bahdanau"."""
        return (self.name, self.name.partition("_")[0])

    @property
    def notebook(self) -> NotebookNode:
        """Read anew each time, so that an edit while it is shaken is noticed."""
        return from_text(self._text.read_text(encoding="utf-8"))

    def stamp(self) -> str:
        return stamps.of_chapter(self.notebook)

    def lacks(self) -> str:
        """The corpus that it cannot be made without and that is not at hand: for a chapter none."""
        return ""

    def reads(self, registry: Sequence[Stored] = REGISTRY) -> list[Stored]:
        """The stored files that its code can reach."""
        reached = set(sources(cell.source for cell in code_cells(self.notebook)))
        return [stored for stored in registry if stored.path() in reached]

    def left(self) -> int:
        """How many settings were never made: a chapter has none."""
        return 0

    def after(self, record: Record | None) -> "Chapter":
        """As it is to be shaken after this: as ever."""
        return self

    def part(self, number: int) -> list[str]:
        """What a condition makes of it, where that is not all."""
        return []

    def make(self, number: int, variables: Mapping[str, str], folder: Path) -> Any:
        """Execute it under a condition; what each code cell printed."""
        target = folder / "found.json"
        run([sys.executable, "-m", "tools.shake.notebook", self.name, str(target)], variables)
        return json.loads(target.read_text(encoding="utf-8"))

    def parts(self, found: Mapping[str, Any]) -> list[Cell]:
        """The cells that carry a tolerance, moved or failed, from what each condition made."""
        cells = code_cells(self.notebook)
        codes = fingerprints([cell.source for cell in cells])
        return [
            part
            for i, (cell, code) in enumerate(zip(cells, codes, strict=True))
            if (part := _cell(cell, code, {name: made[i] for name, made in found.items()}))
        ]

    def more(self, parts: Sequence[Cell], *, finished: bool) -> dict[str, Any]:
        """What else the record says: which cells stood still."""
        moved = {part.code for part in parts}
        codes = fingerprints([cell.source for cell in code_cells(self.notebook)])
        return {"still": tuple(code for code in dict.fromkeys(codes) if code not in moved)}


class Experiment:
    """A stored file, parts of which are made again: other ones each time that it is shaken."""

    def __init__(self, stored: Stored, before: Record | None = None) -> None:
        self.name, self.stored = stored.file, stored
        # Nets in processes of one thread do not feel how many threads there are.
        self.conditions: int | None = LEAST
        # A record of another file proves nothing of this one. The first records do not say.
        same = before is not None and before.of in ("", self._digest())
        self._before, self._turns = (before.parts, before.turns) if same else ((), 0)

    def __str__(self) -> str:
        return self.name

    @property
    def arguments(self) -> tuple[str, ...]:
        return (self.name, self.stored.name)

    def stamp(self) -> str:
        return stamps.of_module(self.stored.module_name)

    def lacks(self) -> str:
        """The corpus that it cannot be made without and that is not at hand; "" if it can."""
        from course_lib.data.corpora.download import at_hand

        return "" if not self.stored.data or at_hand(self.stored.data) else self.stored.data

    def reads(self) -> list[Stored]:
        return []

    def left(self) -> int:
        """How many settings were never made."""
        return len(self.stored.unmade(self._entries(), [part.record for part in self._before]))

    def after(self, record: Record | None) -> "Experiment":
        """As it is to be shaken after this: the next parts, and what was made is kept."""
        return Experiment(self.stored, record)

    def part(self, number: int) -> list[str]:
        """The arguments for a condition: the next part for the next one."""
        return self.stored.part(self._turns, number, self._entries())

    def make(self, number: int, variables: Mapping[str, str], folder: Path) -> Any:
        """Make a part again under a condition; its records."""
        target = folder / "records.json"
        target.unlink(missing_ok=True)
        run(self.stored.command(target, self.part(number)), variables)
        return json.loads(target.read_text(encoding="utf-8"))

    def parts(self, found: Mapping[str, Any]) -> list[Made]:
        """What was made now, then the records of before that were not made now."""
        made = [Made(name, entry) for name, entries in found.items() for entry in entries]
        now = {self.stored.key_of(part.record) for part in made}
        return made + [p for p in self._before if self.stored.key_of(p.record) not in now]

    def more(self, parts: Sequence[Made], *, finished: bool) -> dict[str, Any]:
        """What else the record says: of which file it is, and whose turn is next."""
        return {"of": self._digest(), "turns": self._turns + finished}

    def _entries(self) -> list[dict[str, Any]]:
        return json.loads(self.stored.path().read_text(encoding="utf-8"))

    def _digest(self) -> str:
        return hashlib.sha256(self.stored.path().read_bytes()).hexdigest()[:12]


Subject = Chapter | Experiment


def subjects(chapters: Path = CHAPTERS, registry: Sequence[Stored] = REGISTRY) -> list[Subject]:
    """All of them: experiments that are made again, then the chapters, which read them."""
    texts = [Chapter(text) for text in sorted(chapters.glob("*.md"))]
    return [*(Experiment(stored) for stored in registry if not stored.needs), *texts]


def chosen(names: Sequence[str], among: Sequence[Subject]) -> list[Subject]:
    """Those that are named, or all.

    Raises:
        TaskError: a name that none has.
    """
    known = [name for subject in among for name in subject.arguments]
    if unknown := [name for name in names if name not in known]:
        there = ", ".join(subject.arguments[-1] for subject in among)
        raise TaskError(f"nothing to shake is called {unknown[0]!r}; there are: {there}")
    return [s for s in among if not names or set(names) & set(s.arguments)]


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells whose output counts, in order."""
    return [c for c in notebook.cells if c.cell_type == "code" and not is_install(c)]


def run(command: Sequence[str], variables: Mapping[str, str], root: Path = ROOT) -> None:
    """Run a program of the project under a condition.

    Raises:
        TaskError: it failed; the last lines of what it said.
    """
    done = subprocess.run(
        command, env=dict(variables), cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode:
        said = done.stdout.decode(errors="replace").strip().splitlines()
        raise TaskError("\n  ".join([f"{' '.join(command[1:])} failed:", *said[-8:]]))


def _cell(cell: NotebookNode, code: str, made: Mapping[str, Mapping]) -> Cell | None:
    tags = cell.metadata.get("tags", [])
    first = (cell.source.strip().splitlines() or [""])[0][:60]
    failed = {name: one["error"] for name, one in made.items() if one["error"]}
    raised = {} if RAISES in tags else failed
    if IGNORED in tags:
        moving = tuple(counts({name: one["texts"] for name, one in made.items()}))
        return Cell(first, code, raised=raised, again=moving) if raised or moving else None
    # What a cell that failed printed before is no measurement.
    whole = {name: one["texts"] for name, one in made.items() if name not in raised}
    otherwise = shaken(whole).otherwise if whole else {}
    # Stored files stay as they are on every machine; a cell that prints them needs no tolerance.
    live = {name: texts for name, texts in whole.items() if not is_again(name)}
    spreads = tuple(shaken(live).spreads) if live else ()
    moved = any(spread.moved for spread in spreads)
    # But a count that was stored is a count: who makes it again has another.
    again = () if otherwise else tuple(_counted_again(spreads, whole))
    # Where a claim failed, its margins are no news.
    margins = widest({n: one.get("margins", {}) for n, one in made.items() if n not in raised})
    if "tolerance" in cell.metadata or moved or otherwise or raised or again or margins:
        return Cell(first, code, spreads, otherwise, raised, again, margins)
    return None


def _counted_again(live: Sequence[Spread], whole: Mapping[str, Sequence[str]]) -> Iterator[Spread]:
    """The whole numbers that stand still but for stored results that were made again."""
    every = shaken(whole).spreads if live else []
    for before, spread in zip(live, every, strict=True):
        if spread.counted and not before.counted:
            yield spread
