"""Text and notebook, and the state that a notebook is stored in."""

from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from tools import contents, ledger
from tools.gates.result import Result, from_problems
from tools.inputs.files import one_moment
from tools.notebooks.check import agreement_problems, read, static_problems, style_problems
from tools.notebooks.text import notebook_path
from tools.project import ROOT, TaskError


def agreement(root: Path = ROOT) -> Result:
    """Every notebook has a text, every text a notebook and a place in the contents, all alike."""
    notebooks, chapters = root / "notebooks", root / "book" / "chapters"
    texts = sorted(chapters.glob("*.md"))
    problems = contents.problems(root)
    for path in sorted(notebooks.glob("*.ipynb")):
        if not (chapters / f"{path.stem}.md").exists():
            problems.append(f"{path.name}: has no text in book/chapters")
    for text in texts:
        path = notebook_path(text, notebooks)
        if not path.exists():
            problems.append(f"{text.name}: has no notebook (make notebooks)")
            continue
        try:
            found = agreement_problems(read(path), text, root)
        except TaskError as error:
            found = [str(error)]
        problems += [f"{path.name}: {problem}" for problem in found]
    return from_problems(problems, _count(len(texts)))


def stored_state(root: Path = ROOT) -> Result:
    """Executed in order, nothing failed, nothing stale, nothing that differs in every run."""
    problems, count = [], 0
    with one_moment():
        for path, notebook in _notebooks(root, problems):
            count += 1
            found = static_problems(notebook, root) + style_problems(notebook)
            problems += [f"{path.name}: {problem}" for problem in found]
    return from_problems(problems, _count(count))


def claims(root: Path = ROOT) -> Result:
    """The ledger says what the notebooks say, and no verdict changed unseen."""
    found = ledger.problems(root)
    return from_problems(found, "" if found else f"{len(ledger.entries(root))} verdicts")


def _notebooks(root: Path, problems: list[str]) -> Iterator[tuple[Path, NotebookNode]]:
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        try:
            yield path, read(path)
        except TaskError as error:
            problems.append(str(error))


def _count(notebooks: int) -> str:
    return "1 notebook" if notebooks == 1 else f"{notebooks} notebooks"
