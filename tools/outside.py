"""Notebooks as users run them: each alone in an empty folder, with the installed wheel."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import nbformat

from tools.installed import CONDITIONS, PLAIN, Condition, Installed, install, missing
from tools.notebooks.twice import twice


class Alone(NamedTuple):
    """The copies, what JUPYTER_PATH has to name for their kernels, and what cannot be had here."""

    copies: list[Path]
    kernels: Path
    missing: tuple[str, ...]


def alone(root: Path, notebooks: Sequence[Path]) -> Alone:
    """Copy each into a folder of its own, all its code cells twice; the conditions take turns."""
    place = install(root)
    here = [condition for condition in CONDITIONS if not missing(condition)]
    kernels = write_kernels(place, here)
    copies = []
    everything = sorted((root / "notebooks").glob("*.ipynb"))
    for path in notebooks:
        notebook = twice(nbformat.read(path, as_version=4))
        condition = here[everything.index(path) % len(here)]
        notebook.metadata["kernelspec"] = {"name": condition.name, "display_name": condition.name}
        folder = place.folder / "notebooks" / path.stem
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        copies.append(folder / path.name)
        nbformat.write(notebook, copies[-1])
    return Alone(copies, kernels, tuple(filter(None, map(missing, CONDITIONS))))


def write_kernels(place: Installed, conditions: Sequence[Condition] = (PLAIN,)) -> Path:
    """A kernel for each condition, by its name; the folder that JUPYTER_PATH has to name."""
    for condition in conditions:
        folder = place.folder / "jupyter" / "kernels" / condition.name
        folder.mkdir(parents=True, exist_ok=True)
        words = place.command(condition, "-m", "ipykernel_launcher", "-f", "{connection_file}")
        spec = {
            "argv": words,
            "display_name": condition.name,
            "language": "python",
            "env": place.variables(condition),
        }
        (folder / "kernel.json").write_text(json.dumps(spec, indent=1) + "\n", encoding="utf-8")
    return place.folder / "jupyter"
