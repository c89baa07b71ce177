"""What each target does, inside the environment (started by `tools.targets`).

Each imports what it needs when it is called: most need little of it.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.project import DRAWN, NOTEBOOKS, ROOT, TaskError, program, say, shown, unheard, warn
from tools.targets import TARGETS


def book(arguments: Sequence[str]) -> int:
    """Build the book."""
    say(f"The book is here: {shown(_built())} (or make serve)")
    return 0


def serve(arguments: Sequence[str]) -> int:
    """Build the book and show it."""
    from tools.book import serve as show

    _built()
    show()
    return 0


def _built() -> Path:
    """The book's first page, with the chapters' texts as they are now."""
    from tools import ledger
    from tools.book import build
    from tools.notebooks.write import carry_over

    if carry_over():
        ledger.write()  # it holds the chapters' titles
    return build()


def test(arguments: Sequence[str]) -> int:
    """All gates, or those that are named; with --again also what passed before."""
    from tools.gates.run import GATES, run

    names = [argument for argument in arguments if argument != "--again"]
    if unknown := [name for name in names if name not in GATES]:
        raise TaskError(f"there is no gate {unknown[0]!r}; there are: {', '.join(GATES)}")
    chosen = [gate for name, gate in GATES.items() if name in (names or GATES)]
    return 0 if run(chosen, again="--again" in arguments) else 1


def test_lowest(arguments: Sequence[str]) -> int:
    """The tests with the oldest packages that pyproject.toml admits."""
    from tools.ranges import run

    return run("lowest")


def test_newest(arguments: Sequence[str]) -> int:
    """The same with the newest."""
    from tools.ranges import run

    return run("newest")


def lab(arguments: Sequence[str]) -> int:
    """JupyterLab; Ctrl-C ends it."""
    # Opens on the notebooks; the homework lies in another folder of the project.
    where = [f"--ServerApp.root_dir={ROOT}", f"--LabApp.default_url=/lab/tree/{NOTEBOOKS.name}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # as in the development container
        where.append("--allow-root")
    return subprocess.run([program("jupyter-lab"), *where, *arguments]).returncode


def notebooks(arguments: Sequence[str]) -> int:
    """Texts to notebooks; --from-text overwrites one that was edited by hand."""
    from tools import ledger
    from tools.notebooks.write import write_all

    names = [argument for argument in arguments if argument != "--from-text"]
    write_all(names, overwrite="--from-text" in arguments)
    ledger.write()
    say(f"The notebooks are in {shown(NOTEBOOKS)}.")
    return 0


def validate(arguments: Sequence[str]) -> int:
    """nbval alone."""
    return test(["notebooks", "--again"])


def validate_gpu(arguments: Sequence[str]) -> int:
    """nbval on a GPU."""
    import torch

    from tools.gates import inputs
    from tools.gates.run import Gate, run
    from tools.gates.suites import validate_gpu as decide

    if not torch.cuda.is_available():
        raise TaskError("no GPU: torch sees no CUDA device here; make validate needs none")
    meaning = f"every notebook on {torch.cuda.get_device_name()}, outputs compared"
    return 0 if run([Gate("gpu", meaning, decide, inputs.of_notebooks, parts=True)]) else 1


def gpu_lane(arguments: Sequence[str]) -> int:
    """All that needs a GPU, in ten minutes."""
    from tools import gpu_lane as module

    return module.run(arguments)


def shake(arguments: Sequence[str]) -> int:
    """How far trained numbers move; --all also what did not change."""
    from tools.shake.run import shake as run

    names = [argument for argument in arguments if argument != "--all"]
    run(names, everything="--all" in arguments)
    return 0


def bench(arguments: Sequence[str]) -> int:
    """All benchmarks, or those that are named; with --quick in about a minute, without a page."""
    from tools import speed

    known = sorted(path.stem for path in (ROOT / "benchmarks").glob("[!_]*.py"))
    names = [argument for argument in arguments if not argument.startswith("-")]
    options = [argument for argument in arguments if argument.startswith("-")]
    if unknown := [name for name in names if name not in known]:
        raise TaskError(f"no benchmark {unknown[0]!r}; there is: {', '.join(known)}")
    # Pages need a book and a browser, and a phone's patience: only if they are named.
    chosen = names or [name for name in known if name != "pages"]
    codes = [
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *options], cwd=ROOT).returncode
        for name in chosen
    ]
    if "--quick" not in options:
        changed = speed.write()
        say(f"{speed.PAGE} {'was written' if changed else 'is up to date'}.")
    return max(codes)


def results(arguments: Sequence[str]) -> int:
    """Train what is missing on real data and write the page; with --page the page alone."""
    from tools import results as module

    code = 0
    if arguments != ["--page"]:
        for command in module.commands(arguments):
            code = code or subprocess.run([sys.executable, "-m", *command], cwd=ROOT).returncode
    changed = module.write()
    say(f"{module.PAGE} {'was written' if changed else 'is up to date'}.")
    return code


def homework(arguments: Sequence[str]) -> int:
    """Homework sources to students' folders."""
    from tools.homework import write_all

    write_all(arguments)
    return 0


def student_release(arguments: Sequence[str]) -> int:
    """A private variant of a homework: `hw01 v3`, or with a folder of sources of your own."""
    from tools.homework import release

    if len(arguments) not in (2, 3):
        raise TaskError('want a homework and a variant, as in ARGS="hw01 v3" (and a folder)')
    folder = release(*arguments[:2], *map(Path, arguments[2:]))
    say(f"{shown(folder)}: student/ is to hand out, solution.ipynb solves it.")
    return 0


def drawings(arguments: Sequence[str]) -> int:
    """Write what is made from the figures' code."""
    from tools import drawings as module

    module.write()
    say(f"The drawings are in {shown(DRAWN)}, the colours in {module.STYLE.as_posix()}.")
    return 0


def format(arguments: Sequence[str]) -> int:
    """Lay the code out as ruff does, in Python files and in the chapters' code cells."""
    from tools.notebooks.layout import format_chapters

    done = subprocess.run([program("ruff"), "format", "--exclude", "*.ipynb", "."], cwd=ROOT)
    format_chapters()
    return done.returncode


def ledger(arguments: Sequence[str]) -> int:
    """Write the claims ledger; names of claims are verdicts that may change."""
    from tools import ledger as module

    names = [name for argument in arguments for name in argument.split(",")]
    changed = module.write(accept=names)
    say(f"{module.PAGE} {'was written' if changed else 'is up to date'}.")
    return 0


def address(arguments: Sequence[str]) -> int:
    """Write where the repository is on the network into `_config.yml` and `pyproject.toml`."""
    from tools.address import write

    write(" ".join(arguments))
    say("_config.yml and pyproject.toml hold it; make notebooks brings it into the notebooks.")
    return 0


def main(arguments: Sequence[str]) -> int:
    """Run one command; the exit code."""
    name = arguments[0] if arguments else "nothing"
    command = globals().get(name.replace("-", "_")) if name in TARGETS else None
    if command is None:
        warn(f"error: want one of {', '.join(TARGETS)}; got {name}")
        return 2
    try:
        return command(arguments[1:])
    except TaskError as error:
        warn(f"error: {error}")
        return 1
    except BrokenPipeError:
        return unheard()
    except KeyboardInterrupt:
        warn("\nInterrupted.")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
