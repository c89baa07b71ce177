"""`python -m tools.fuzz [--count 10000] [--seed 0] [--case N]`: see `tools.fuzz.cases`."""

import argparse
import sys
import tempfile
from pathlib import Path

from tools.fuzz.run import Fuzz


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="how many cases")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same cases")
    parser.add_argument("--case", type=int, help="only this one, with its traceback")
    options = parser.parse_args()
    cases = range(options.count) if options.case is None else [options.case]
    with tempfile.TemporaryDirectory() as folder:
        fuzz = Fuzz(Path(folder), options.seed)
        failures = []
        for number in cases:
            if failure := fuzz.failure_of(number):
                failures.append(number)
                print(f"case {number}: {failure}", flush=True)
            if number % 500 == 499:
                print(f"{number + 1} cases, {len(failures)} failures", flush=True)
    print(f"{len(cases)} cases, {len(failures)} failures; ended with: {fuzz.ends}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
