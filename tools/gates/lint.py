"""ruff over everything, and the import rules of the house."""

import os
from pathlib import Path

from tools.gates.result import Result, run
from tools.project import ROOT, program


def ruff(root: Path = ROOT) -> Result:
    """Lint and format of library, tests, tools and of the notebooks' code cells."""
    reports = []
    for arguments in (["check"], ["format", "--check", "--diff"]):
        command = [program("ruff"), *arguments, "--no-cache", "."]
        code, output = run(command, root)
        if code:
            reports.append(output)
    if reports:
        return Result(False, "\n".join(reports) + "\n(make format mends the layout)", failures=1)
    return Result(True, note="lint and format")


def imports(root: Path = ROOT) -> Result:
    """Who may import whom: the contracts under [tool.importlinter] in pyproject.toml."""
    # The copy of course_lib under `root` is the one to judge, whichever one is installed.
    path = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    code, output = run(
        [program("lint-imports"), "--no-cache", "--config", "pyproject.toml"],
        root,
        {"PYTHONPATH": path},
    )
    if code:
        return Result(False, output, failures=1)
    kept = [line for line in output.splitlines() if line.startswith("Contracts:")]
    return Result(True, output, kept[0].removeprefix("Contracts: ") if kept else "")
