"""The command line: train, evaluate, translate, align, data fetch.

A mistake of the user's gives one line on standard error and exit code 2. Ctrl-C gives exit code
130. A traceback is a defect of ours.
"""

import argparse
import errno
import logging
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from course_lib import __version__
from course_lib.cli.limits import (
    LARGEST_SEED,
    MOST_ACCUMULATED,
    MOST_BEAMS,
    MOST_EPOCHS,
    MOST_PAIRS,
    MOST_STEPS,
    MOST_TOKENS,
    STRONGEST_PENALTY,
    WIDEST,
)
from course_lib.cli.streams import cannot_print, drop_output, is_heard, require_output
from course_lib.errors import CourseError, one_line

SCRIPT = "course-lib"
"""The command that an installation brings (`[project.scripts]` in pyproject.toml)."""
_DESCRIPTION = "Train, evaluate and look into the models of From Recurrence to Attention."
_EPILOG = (
    "COURSE_DATA=DIR names a folder that holds the data already; COURSE_DEVICE is cpu, cuda, mps "
    "or auto. Each command has its own --help."
)


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line, like every other error here.

    Options are written in full: what is a clear abbreviation today means something else once
    there is one option more.

    Attributes:
        mixed: whether options may stand before the last of an open number of words. By itself
            argparse takes none of them to be meant where an option comes first.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False)
        self.mixed = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """What argparse calls to read the words of a command."""
        if not self.mixed:
            return super().parse_known_args(args, namespace)
        self.mixed = False  # the other way to read them comes through here again
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self.mixed = True

    def error(self, message: str) -> NoReturn:
        # Reported again and again of argparse: words that begin with a dash are options to it.
        hint = (
            "put -- before a sentence that begins with a dash; "
            if re.search("arguments: -[^-]", message)
            else ""
        )
        raise CourseError(f"{message} ({hint}see {self.prog} --help)")


def make_parser() -> argparse.ArgumentParser:
    """The parser with all its commands."""
    by_name = Path(sys.argv[0]).stem == SCRIPT
    prog = SCRIPT if by_name else "python -m course_lib"
    parser = _Parser(prog=prog, description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("--version", action="version", version=f"course_lib {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_train(commands)
    _add_evaluate(commands)
    _add_translate(commands)
    _add_align(commands)
    _add_data(commands)
    return parser


def _whole(low: int, high: int) -> Callable[[str], int]:
    """Reads whole numbers from `low` to `high`."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(
                f"wanted a whole number from {low} to {high}, got {text!r}"
            )
        return value

    return read


def _positive_float(text: str) -> float:
    if not 0 < (value := _float(text)) < float("inf"):
        raise argparse.ArgumentTypeError(f"wanted a number above 0, got {text!r}")
    return value


def _share(text: str) -> float:
    if not 0 < (value := _float(text)) < 1:
        raise argparse.ArgumentTypeError(f"wanted a number above 0 and below 1, got {text!r}")
    return value


def _penalty(text: str) -> float:
    if not 0 <= (value := _float(text)) <= STRONGEST_PENALTY:
        raise argparse.ArgumentTypeError(
            f"wanted a number from 0 to {STRONGEST_PENALTY}, got {text!r}"
        )
    return value


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _add_train(commands: argparse._SubParsersAction) -> None:
    text = "train a model, with progress; Ctrl-C keeps what was learned"
    several = "torchrun --nproc-per-node N -m course_lib train ...: N processes share the work."
    parser = commands.add_parser("train", help=text, description=text, epilog=several)
    parser.add_argument(
        "model",
        help="a translator, such as bahdanau or transformer, or a classifier of sentence pairs, "
        "such as decomposable; a name that is none of them lists them all",
    )
    parser.add_argument(
        "--data",
        default="mini",
        help="mini (default, no download), multi30k, or a file of your own in UTF-8 with one pair "
        "a line, its two sides with a tab between them; for classifiers mini, sick or snli",
    )
    parser.add_argument(
        "--source", help="language to translate from (default de; of your own file any name)"
    )
    parser.add_argument("--target", help="language to translate into (default en)")
    parser.add_argument(
        "--run",
        "--folder",  # torchrun takes --run for an abbreviation of its own --run-path
        type=Path,
        help="folder for the run (default runs/MODEL-DATA[-SOURCE-TARGET]); torchrun lets only "
        "--folder pass",
    )
    parser.add_argument("--resume", action="store_true", help="go on with the run in that folder")
    parser.add_argument("--epochs", type=_whole(1, MOST_EPOCHS), help="passes over the data")
    parser.add_argument(
        "--steps", type=_whole(1, MOST_STEPS), help="number of updates, in place of --epochs"
    )
    parser.add_argument("--minutes", type=_positive_float, help="stop after this many minutes")
    parser.add_argument(
        "--pairs", type=_whole(1, MOST_PAIRS), help="use only the first so many pairs"
    )
    parser.add_argument(
        "--held-out", type=_whole(1, MOST_PAIRS), help="validate on the first so many pairs"
    )
    parser.add_argument(
        "--held-out-share",
        type=_share,
        help="of your own file, the share of sentences that is not trained on, half of it for "
        "validation and half for the test (default 0.1)",
    )
    parser.add_argument(
        "--max-tokens",
        type=_whole(1, MOST_TOKENS),
        help="leave out pairs with a longer side (default 100)",
    )
    parser.add_argument("--hidden", type=_whole(1, WIDEST), help="width of the layers")
    parser.add_argument(
        "--vocabulary", type=_whole(1, MOST_PAIRS), help="byte-pair vocabulary (not of mini)"
    )
    parser.add_argument(
        "--contrast",
        action=argparse.BooleanOptionalAction,
        help="show G (decomposable; default for sick) or H (bag) also difference and product",
    )
    parser.add_argument(
        "--no-premise",
        action="store_true",
        help="a classifier reads the hypothesis alone: what can be guessed without the premise",
    )
    parser.add_argument("--learning-rate", type=_positive_float, help="peak learning rate")
    parser.add_argument(
        "--accumulate",
        type=_whole(1, MOST_ACCUMULATED),
        metavar="N",
        help="make each update from N batches: the memory of one, the effect of a large one",
    )
    parser.add_argument(
        "--precision",
        choices=("float32", "bf16"),
        help="bf16 multiplies in bfloat16, on processors and GPUs that do so faster",
    )
    parser.add_argument(
        "--seed", type=_whole(0, LARGEST_SEED), help="of weights, order and dropout (default 0)"
    )


def _add_evaluate(commands: argparse._SubParsersAction) -> None:
    text = "score a run on a test split: BLEU, perplexity and exact match, or accuracy"
    parser = commands.add_parser("evaluate", help=text, description=text)
    parser.add_argument("run", type=Path, help="folder of a trained run")
    parser.add_argument("--split", help="default: the data set's test split; all of a file: all")
    parser.add_argument(
        "--data", help="file of your own pairs to score, or where the trained one is now"
    )
    parser.add_argument("--json", type=Path, help="also write the scores to this file")
    _add_search(parser)


def _add_translate(commands: argparse._SubParsersAction) -> None:
    text = "translate sentences, given as arguments or one a line on standard input"
    parser = commands.add_parser("translate", help=text, description=text)
    parser.add_argument("run", type=Path, help="folder of a trained run")
    parser.add_argument("sentence", nargs="*", help="a sentence, in quotes")
    parser.mixed = True
    _add_search(parser)


def _add_align(commands: argparse._SubParsersAction) -> None:
    text = "translate one sentence and draw which source words each target word looked at"
    parser = commands.add_parser("align", help=text, description=text)
    parser.add_argument("run", type=Path, help="folder of a trained run that has attention")
    parser.add_argument("sentence", help="a sentence, in quotes")
    parser.add_argument(
        "--figure", type=Path, default=Path("alignment.png"), help="file for the map (.png, .svg)"
    )
    _add_search(parser)


def _add_search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--beam",
        type=_whole(1, MOST_BEAMS),
        help="search with so many beams (default: greedily, as with 1)",
    )
    parser.add_argument(
        "--length-penalty",
        type=_penalty,
        help="0 leaves short sentences their advantage, more takes it from them (default 0.6; "
        "with --beam)",
    )


def _add_data(commands: argparse._SubParsersAction) -> None:
    text = "list the data sets, or fetch them"
    parser = commands.add_parser("data", help=text, description=text)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="what there is, and where it was found")
    fetch = actions.add_parser("fetch", help="download, check and cache data sets")
    fetch.add_argument("name", nargs="*", help="which ones (default: all)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command.

    Returns:
        0, or 2 for a mistake that the user can mend, or 130 after Ctrl-C.
    """
    try:
        require_output()
        level = logging.WARNING if is_heard() else logging.CRITICAL
        logging.basicConfig(level=level, format="%(message)s", force=True)
        options = make_parser().parse_args(arguments)
        # A notebook's kernel hands it on, and here that backend may be missing. None is needed.
        os.environ.pop("MPLBACKEND", None)
        # Imported late, so that --help does not wait for torch.
        from course_lib.cli import commands

        getattr(commands, options.command)(options)
        sys.stdout.flush()
        return 0
    except CourseError as error:
        return _complain(str(error))
    except UnicodeEncodeError as error:
        return _complain(str(cannot_print(error)))
    except BrokenPipeError:
        # The reader of our output (head, less) has left.
        drop_output()
        return 0
    except OSError as error:
        drop_output()
        if error.errno == errno.ENOSPC:
            return _complain("the disk is full; free some space and try again")
        name = f"{error.filename}: " if error.filename else ""
        return _complain(one_line(f"{name}{error.strerror or error}"))
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _complain(message: str) -> int:
    if is_heard():
        print(f"error: {message}", file=sys.stderr)
    return 2
