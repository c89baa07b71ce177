"""The command: `python -m tools.mutants [WORD ...] [-j N] [--list]`."""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tools.mutants.lists import MUTANTS
from tools.mutants.mutant import Mutant
from tools.mutants.run import LIBRARIES, Broken, Outcome, run
from tools.project import ROOT, say, warn


def main(
    arguments: Sequence[str] | None = None,
    mutants: Sequence[Mutant] = MUTANTS,
    root: Path = ROOT,
    libraries: Sequence[str] = LIBRARIES,
) -> int:
    """Makes the mutants; 0 if every one is noticed, 1 if not."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="those with a WORD in name or file"
    )
    parser.add_argument("-j", "--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--list", action="store_true", help="name them and stop")
    asked = parser.parse_args(arguments)
    chosen = [
        mutant
        for mutant in mutants
        if not asked.words or any(word in f"{mutant.file} {mutant.why}" for word in asked.words)
    ]
    if not chosen:
        warn(f"error: no mutant has {' or '.join(asked.words)} in its name or file; see --list")
        return 2
    if asked.list:
        for mutant in chosen:
            say(f"{mutant.file}: {mutant.why}")
        return 0
    # Before torch and numpy are loaded (by `run`): a process with threads must not fork.
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"

    def tell(outcome: Outcome) -> None:
        say(f"{outcome.verdict:9} {outcome.mutant.why} ({outcome.mutant.file})")
        say(f"          {outcome.detail or 'nothing failed'}, {outcome.seconds:.1f} s")

    begun = time.monotonic()
    try:
        outcomes = run(chosen, root, jobs=asked.jobs, libraries=libraries, tell=tell)
    except Broken as error:
        warn(f"error: the tests fail without any mutant: {error}")
        return 1
    alive = [outcome for outcome in outcomes if outcome.verdict != "killed"]
    killed, all_of_them = len(outcomes) - len(alive), len(outcomes)
    say()
    for outcome in alive:
        say(f"{outcome.verdict}: {outcome.mutant.why} ({outcome.mutant.file}) {outcome.detail}")
    seconds = time.monotonic() - begun
    rate = 100 * killed / all_of_them
    say(f"{killed} of {all_of_them} mutants killed ({rate:.1f} %) in {seconds:.0f} s.")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
