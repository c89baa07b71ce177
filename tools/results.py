"""The tables of the page Results, from the stored files of what was measured on real sentences.

`python -m tools.results` trains what the stored files lack, for hours, and writes the tables into
`book/results.md`, each between two marks; the words around them are written by hand. With `--page`
it writes the tables alone; other arguments go to the ladder of translators.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from statistics import mean
from typing import Any

from tools import ROOT

STORED, PAGE = ROOT / "book/results/ladder.json", ROOT / "book/results.md"
EXPERIMENTS = ROOT / "course_lab" / "experiments"
TABLE = re.compile(r"(?<=^% table: )([^\n]+)\n\n.*?\n(?=% table end$)", re.M | re.S)
Record = Mapping[str, Any]
Rungs = dict[str, list[Record]]

_NAMES = {
    "cho": "Cho et al. 2014",
    "sutskever": "Sutskever et al. 2014, reversed source",
    "bahdanau": "Bahdanau et al. 2015",
    "luong": "Luong et al. 2015",
    "lstmn": "LSTMN, Cheng et al. 2016",
    "transformer": "Transformer, Vaswani et al. 2017",
}
"""The models in the order of their papers."""
_2016, _2017 = "test_2016_flickr", "test_2017_flickr"
_CORPORA = {
    "decomposable/sick": ("variant", "accuracy", "test accuracy, %"),
    "two_levels/reviews": ("model", "accuracy", "accuracy, %"),
    "gpt/shakespeare": ("variant", "nats", "validation loss, nats a character"),
    "back_to_recurrence/shakespeare": ("variant", "nats", "validation loss, nats a character"),
}
"""By experiment: what names a row of its stored file, the value, and what the value is."""
_ALIGNERS = ("diagonal", "Dice", "Model 1", "Model 1 turned", "Model 1, intersection")


def page(text: str) -> str:
    """The page with the tables that the stored files give."""
    return TABLE.sub(lambda match: f"{match[1]}\n\n{_table_named(match[1])}\n", text)


def _table_named(name: str) -> str:
    """A table by its mark, such as "scores de-en", or an experiment with stored records."""
    if name == "alignment/hansards":
        return _alignment(_read(EXPERIMENTS / f"{name}.json"))
    if name in _CORPORA:
        return corpus(_read(EXPERIMENTS / f"{name}.json"), *_CORPORA[name])
    kind, _, way = name.partition(" ")
    kinds = {"scores": _scores, "quality": _quality, "lengths": _lengths, "commands": _commands}
    return kinds[kind](_rungs(way), way)


def corpus(records: Iterable[Record], by: str, value: str, unit: str) -> str:
    """The mean of a value in each row, the lowest first."""
    rows: dict[str, list[Record]] = {}
    for record in records:
        rows.setdefault(record[by], []).append(record)
    scale, digits = (100, 1) if unit.endswith("%") else (1, 2)
    cells = []
    for name, same in sorted(rows.items(), key=lambda row: mean(r[value] for r in row[1])):
        count = same[0].get("parameters")
        values = spread([scale * record[value] for record in same], digits)
        cells.append([name, f"{count:,}" if count else "", values])
    if not any(count for _, count, _ in cells):
        return table(["model", unit], [[name, values] for name, _, values in cells])
    return table(["model", "parameters", unit], cells)


def _alignment(records: Sequence[Record]) -> str:
    """Error rates, the third of each triple; the three records differ in how ties are broken."""
    rates = [[100 * record["scores"][name][2] for record in records] for name in _ALIGNERS]
    rows = [[name, spread(values)] for name, values in zip(_ALIGNERS, rates, strict=True)]
    return table(["model", "alignment error rate, %"], rows)


def _rungs(way: str) -> Rungs:
    """The ladder's runs in one direction, or in all, by row; rows in the order of the papers."""
    order, rows = list(_NAMES), {}
    records = sorted(_read(STORED), key=lambda r: (order.index(r["model"]), r["rung"], r["seed"]))
    for record in records:
        if not way or way in record["scores"]:
            rows.setdefault(record["rung"], []).append(record)
    return rows


def _scores(rungs: Rungs, way: str) -> str:
    """BLEU without regard to case, on two tests."""
    head, rows = ["network", "parameters"], []
    head += [f"{year} {search}" for year in (2016, 2017) for search in ("greedy", "beam 5")]
    for runs in rungs.values():
        rows.append([_name(runs), f"{runs[0]['parameters'] / 1e6:.1f} M"])
        for test in (_2016, _2017):
            for search in ("greedy", "beam5"):
                rows[-1].append(_of(runs, "scores", way, test, search, "bleu_lowercase"))
    return table(head, rows)


def _quality(rungs: Rungs, way: str) -> str:
    """The other scores on the test of 2016."""
    head = ["network", "cased, beam 5", "chrF, beam 5", "perplexity of a token", "of a word"]
    rows = []
    for runs in rungs.values():
        of = partial(_of, runs, "scores", way, _2016)
        rows.append([_name(runs), of("beam5", "bleu"), of("beam5", "chrf")])
        rows[-1] += [of("perplexity"), of("perplexity_per_word")]
    return table(head, rows)


def _lengths(rungs: Rungs, way: str) -> str:
    """BLEU by source length: does the collapse of one vector show on real sentences?"""
    keys = ("scores", way, _2016, "greedy", "by_length")
    bins = _at(next(iter(rungs.values()))[0], *keys)
    starts = [part["from"] for part in bins]
    labels = [f"{low}–{high - 1}" for low, high in pairwise(starts)]
    rows = [["sentences", *(str(part["sentences"]) for part in bins)]]
    for runs in rungs.values():
        rows.append([_name(runs), *(_of(runs, *keys, n, "bleu") for n in range(len(starts)))])
    return table(["words of the source", *labels, f"{starts[-1]} or more"], rows)


def _commands(rungs: Rungs, _: str) -> str:
    """Under each row the command that makes it again, and what it took."""
    rows = []
    for runs in rungs.values():
        command = runs[0]["command"].rsplit(" ", 1)[0]
        cut = [str(record["seed"]) for record in runs if record["stopped"] == "time"]
        stopped = f"; seed {' and '.join(cut)} stopped early by the clock" if cut else ""
        rows.append(
            [
                f"{_name(runs)}<br>`{command}`",
                ", ".join(str(record["seed"]) for record in runs),
                f"{runs[0]['vocabulary']:,}",
                _of(runs, "epochs"),
                f"{_took(runs)}{stopped}",
                ", ".join(sorted({record["torch"] for record in runs})),
            ]
        )
    head = ["network and command", "seeds", "vocabulary", "epochs", "seconds of training"]
    return table([*head, "PyTorch"], rows)


def _took(runs: Sequence[Record]) -> str:
    """Seconds of training, device by device."""
    parts = []
    for device in sorted({record["device"] for record in runs}, reverse=True):
        there = [record for record in runs if record["device"] == device]
        most = max(record["side_by_side"] for record in there)
        beside = f", {most} runs at a time" if most > 1 else ""
        seconds = spread([record["training_seconds"] for record in there], digits=0)
        parts.append(f"{seconds} on {'a CPU' if device == 'cpu' else device}{beside}")
    return "; ".join(parts)


def _name(runs: Sequence[Record]) -> str:
    name = _NAMES[runs[0]["model"]]
    return f"{name}, both directions in one network" if runs[0]["direction"] == "both" else name


def _of(runs: Sequence[Record], *keys: str | int) -> str:
    return spread([_at(record, *keys) for record in runs])


def _at(record: Any, *keys: str | int) -> Any:
    for key in keys:
        record = record[key]
    return record


def _read(path: Any) -> list[Record]:
    return json.loads(path.read_text(encoding="utf-8"))


def spread(values: Sequence[float], digits: int = 1) -> str:
    """The mean, with the lowest and the highest in brackets."""
    if len(values) == 1:
        return f"{values[0]:.{digits}f}"
    low, high = min(values), max(values)
    return f"{mean(values):.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """In Markdown; all columns but the first are set to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def main(arguments: Sequence[str]) -> None:
    """Train what is missing and write the tables; exit with a failed command's code."""
    commands = [["course_lab.experiments.real.ladder", *arguments]]
    if not arguments:
        names = (*_CORPORA, "alignment/hansards")
        commands += [["course_lab.experiments", name, "--resume"] for name in names]
    for command in [] if "--page" in arguments else commands:
        if code := subprocess.run([sys.executable, "-m", *command], cwd=ROOT).returncode:
            sys.exit(code)
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
