"""ruff over everything, and the import rules of the house."""

import os
from pathlib import Path

from tools.gates.result import Result, run
from tools.project import ROOT, program


def ruff(root: Path = ROOT) -> Result:
    """Lint and format of library, tests, tools and of the notebooks' code cells."""
    steps = (["check"], ["format", "--check", "--diff"])
    done = [run([program("ruff"), *step, "--no-cache", "."], root) for step in steps]
    if reports := [output for code, output in done if code]:
        return Result(False, "\n".join([*reports, "(make format mends the layout)"]), failures=1)
    return Result(True, note="lint and format")


def imports(root: Path = ROOT) -> Result:
    """Who may import whom: the contracts under [tool.importlinter] in pyproject.toml."""
    # The copy of course_lib under `root` is the one to judge, whichever one is installed.
    path = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    command = [program("lint-imports"), "--no-cache", "--config", "pyproject.toml"]
    code, output = run(command, root, {"PYTHONPATH": path})
    kept = [line for line in output.splitlines() if line.startswith("Contracts:")]
    note = kept[0].removeprefix("Contracts: ") if kept else ""
    return Result(code == 0, output, note, failures=int(code != 0))
