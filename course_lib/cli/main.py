"""The command line: train, evaluate, translate, align, data.

A mistake of the user's gives one line on standard error and exit code 2; Ctrl-C gives exit code
130. A traceback is a defect of ours.
"""

import argparse
import importlib
import io
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from course_lib import __version__
from course_lib.errors import CourseError, one_line


def make_parser() -> argparse.ArgumentParser:
    """The parser with all its commands."""
    top = argparse.ArgumentParser(
        prog="python -m course_lib",
        description="Train, evaluate and look into the models of From Recurrence to Attention.",
        epilog="COURSE_DATA=DIR names a folder that holds the data already; COURSE_DEVICE is cpu, "
        "cuda, mps or auto. Each command has its own --help.",
    )
    top.add_argument("--version", action="version", version=f"course_lib {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, text: str, uses_run: bool = True) -> argparse.ArgumentParser:
        parser = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        if uses_run:
            parser.add_argument("run", type=Path, help="folder of a trained run")
        return parser

    text = "train a model, with progress; Ctrl-C keeps what was learned"
    _add_options_of_train(command("train", text, uses_run=False))

    parser = command("evaluate", "score a run on a test split: BLEU or accuracy")
    parser.add_argument("--split", help="default: the data set's test split; all of a file: all")
    parser.add_argument("--data", help="file of your own pairs to score, or where it is now")
    parser.add_argument("--beam", type=_count, help="number of beams (default: greedily)")
    parser.add_argument("--json", type=Path, help="also write the scores to this file")

    parser = command("translate", "translate arguments, or the lines of standard input")
    parser.add_argument("sentence", nargs="*", help="in quotes; options stand after the last one")
    parser.add_argument("--beam", type=_count, help="number of beams (default: greedily)")

    parser = command("align", "translate one sentence and say where each word looked")
    parser.add_argument("sentence", help="a sentence, in quotes")
    parser.add_argument("--figure", type=Path, help="also draw the map: a file, .png or .svg")

    parser = command("data", "list the data sets, or fetch them", uses_run=False)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="what there is, and where it was found")
    fetch = actions.add_parser("fetch", help="download, check and cache data sets")
    fetch.add_argument("name", nargs="*", help="which ones (default: all)")
    return top


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)


def _add_options_of_train(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "torchrun --nproc-per-node N -m course_lib train ...: N processes share the work"
    )
    add = parser.add_argument
    add("model", nargs="?", help="bahdanau, transformer, decomposable ...; another name lists all")
    data = "a UTF-8 file with one pair a line, its sides separated by a tab"
    data = f"mini (default, no download), multi30k, or {data}; for classifiers sick (default), snli"
    add("--data", help=data)
    add("--source", help="language to translate from (default de; of your own file any name)")
    add("--target", help="language to translate into (default en)")
    # torchrun takes --run for an abbreviation of its own --run-path.
    run = "folder for the run (default runs/MODEL-DATA[-SOURCE-TARGET]); torchrun needs --folder"
    add("--run", "--folder", type=Path, help=run)
    add("--resume", action="store_true", help="go on with the run in that folder, as it was begun")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--epochs", type=_count, help="passes over the data")
    length.add_argument("--steps", type=_count, help="number of updates, in place of --epochs")
    minutes = "stop after this many minutes"
    add("--minutes", dest="max_minutes", metavar="MINUTES", type=float, help=minutes)
    add("--pairs", type=_count, help="use only the first so many pairs")
    add("--held-out", type=_count, help="validate on the first so many pairs")
    add("--max-tokens", type=_count, help="leave out pairs with a longer side (default 100)")
    add("--hidden", type=_count, help="width of the layers")
    add("--vocabulary", type=_count, help="size of the byte-pair vocabulary (not of mini)")
    contrast = "decomposable (default for sick) and bag also read difference and product"
    add("--contrast", action=argparse.BooleanOptionalAction, help=contrast)
    premise = "a classifier reads the hypothesis alone: what can be guessed without the premise"
    add("--no-premise", dest="premise", action="store_false", default=None, help=premise)
    add("--learning-rate", type=float, help="peak learning rate")
    accumulate = "make each update from N batches: the memory of one, the effect of a large one"
    add("--accumulate", type=_count, metavar="N", help=accumulate)
    precision = "bf16 multiplies in bfloat16, on processors and GPUs that do so faster"
    add("--precision", choices=("float32", "bf16"), help=precision)
    add("--seed", type=int, help="of weights, order and dropout (default 0)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return 0, or 2 for a mistake of the user's, or 130 after Ctrl-C."""
    options = make_parser().parse_args(arguments)
    # Of the processes that torchrun started, the first one prints for all.
    silent = "TORCHELASTIC_RUN_ID" in os.environ and os.environ.get("RANK", "0") != "0"
    if silent:
        sys.stdout = io.StringIO()
    level = logging.CRITICAL if silent else logging.WARNING
    logging.basicConfig(level=level, format="%(message)s", force=True)
    try:
        # Imported late, so that --help does not wait for torch.
        command = importlib.import_module(f"course_lib.cli.{options.command}")
        getattr(command, options.command)(options)
        return 0
    except (CourseError, OSError, UnicodeError) as error:
        if not silent:
            print(f"error: {one_line(str(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
