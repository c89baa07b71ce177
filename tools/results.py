"""The page Results: what was measured on real sentences, from its stored files.

`python -m tools.results` trains what is missing in `book/results/ladder.json` and in the stored
files of the other corpora, for hours, and writes `book/results.md`. With `--page` it writes the
page alone, with `--check` it compares networks with their stored scores; other arguments go to the
ladder.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any

from tools import ROOT, other_results
from tools.other_results import spread, table

STORED, PAGE = ROOT / "book/results/ladder.json", ROOT / "book/results.md"
LADDER = "course_lab.experiments.real.ladder"
Record = dict[str, Any]

_NAMES = {
    "cho": "Cho et al. 2014",
    "sutskever": "Sutskever et al. 2014, reversed source",
    "bahdanau": "Bahdanau et al. 2015",
    "luong": "Luong et al. 2015",
    "lstmn": "LSTMN, Cheng et al. 2016",
    "transformer": "Transformer, Vaswani et al. 2017",
}
"""The models in the order of their papers."""
_LANGUAGES = {"de": "German", "en": "English"}
_YEARS = {"test_2016_flickr": "2016", "test_2017_flickr": "2017"}
_INTRODUCTION = """\
These translators of the course were trained and tested in the same way on Multi30k
{cite:p}`elliott2016multi30k`: 29,000 captions of photographs, as plain text. One byte-pair
vocabulary for both languages comes from the training split. We kept the weights with the best BLEU
on the validation split, and looked at the test splits once. A number is the mean over random starts
(seeds), with the lowest and the highest in brackets.

We tuned only these settings, by short trainings on the validation split: the Transformer's
vocabulary, inner width, dropout and norm, Bahdanau's learning rate, and Luong's score. The other
recurrent rows have Bahdanau's settings, so with more tuning they may score somewhat higher.

The captions may be used for research and education, and so may the networks.
"""
_MEANINGS = """\
BLEU and chrF are sacreBLEU's, and higher is better. *Greedy* takes the most probable token at each
step, and *beam 5* searches with five beams. Perplexity is measured with the true words as input
(teacher forcing), over all tokens of the references, and lower is better. A word is often several
tokens, so the tables give perplexity for both.
"""


def findings(records: Sequence[Record]) -> str:
    """What the first table shows, in two sentences: BLEU of greedy decoding, German to English."""
    bleu: dict[str, list[float]] = {}
    for record in records:
        if record["direction"] == "de-en":
            scores = record["scores"]["de-en"]["test_2016_flickr"]["greedy"]
            bleu.setdefault(record["model"], []).append(scores["bleu_lowercase"])
    one_vector = [*bleu["cho"], *bleu["sutskever"]]
    looking_back = [x for name in ("bahdanau", "luong", "lstmn") for x in bleu[name]]
    gap = min(looking_back + bleu["transformer"]) - max(one_vector)
    ahead = mean(bleu["transformer"]) - mean(bleu["bahdanau"])
    return (
        "**What we found.** On the test of 2016, from German to English, each network that looks "
        f"back at the source scores at least {gap:.1f} BLEU more than each network that squeezes "
        f"the source into one vector. The Transformer is best, {ahead:.1f} BLEU ahead of "
        "Bahdanau's network. Every network scores lowest on captions of 18 words or more.\n"
    )


def commands(arguments: Sequence[str]) -> list[list[str]]:
    """Of Python's -m: each makes what its stored file lacks. With arguments the ladder alone."""
    others = [
        ["course_lab.experiments", corpus.experiment, "--resume"]
        for corpus in other_results.CORPORA
    ]
    return [[LADDER, *arguments], *([] if arguments else others)]


def page(stored: Path = STORED) -> str:
    """The whole page in MyST."""
    records: list[Record] = json.loads(stored.read_text(encoding="utf-8"))
    ways = sorted({way for record in records for way in record["scores"]})
    parts = ["# Results on real sentences\n", findings(records), _INTRODUCTION, _MEANINGS]
    for way in ways:
        source, target = (_LANGUAGES[language] for language in way.split("-"))
        rungs = _by_rung([record for record in records if way in record["scores"]])
        parts += [f"## {source} to {target}\n", _scores(rungs, way), other_results.published(way)]
        parts += [_lengths(rungs, way), _figures(way, source)]
    parts += ["## How each row was made\n", _commands(_by_rung(records)), _signatures(records)]
    parts += [other_results.section()]
    return "\n".join(parts)


def _by_rung(records: Sequence[Record]) -> dict[str, list[Record]]:
    """The runs of each row, rows in the order of the papers."""
    order = list(_NAMES)
    rows: dict[str, list[Record]] = {}
    for record in sorted(records, key=lambda r: (order.index(r["model"]), r["rung"], r["seed"])):
        rows.setdefault(record["rung"], []).append(record)
    return rows


def _scores(rungs: dict[str, list[Record]], way: str) -> str:
    """The ladder in one direction: without regard to case, then with it."""
    head = ["network", "parameters"]
    for year in _YEARS.values():
        head += [f"{year} greedy", f"{year} beam 5"]
    lower = [
        [_name(runs), _millions(runs)]
        + [
            _spread(runs, lambda r, s=split, k=search: r["scores"][way][s][k]["bleu_lowercase"])
            for split in _YEARS
            for search in ("greedy", "beam5")
        ]
        for runs in rungs.values()
    ]
    rest_head = ["network", "cased, beam 5", "chrF, beam 5", "perplexity of a token", "of a word"]

    def rest(runs: list[Record]) -> list[str]:
        asked: list[Callable[[Record], float]] = [
            lambda s: s["beam5"]["bleu"],
            lambda s: s["beam5"]["chrf"],
            lambda s: s["perplexity"],
            lambda s: s["perplexity_per_word"],
        ]
        return [
            _spread(runs, lambda r, f=find: f(r["scores"][way]["test_2016_flickr"]))
            for find in asked
        ]

    others = [[_name(runs), *rest(runs)] for runs in rungs.values()]
    return "\n".join(
        [
            "BLEU without regard to case, on the tests of 2016 and 2017:\n",
            table(head, lower),
            "On the test of 2016:\n",
            table(rest_head, others),
        ]
    )


def _lengths(rungs: dict[str, list[Record]], way: str) -> str:
    """BLEU by source length: does the collapse of one vector show on real sentences?"""

    def bins(record: Record) -> list[dict[str, float]]:
        return record["scores"][way]["test_2016_flickr"]["greedy"]["by_length"]

    first = bins(next(iter(rungs.values()))[0])
    starts = [part["from"] for part in first]
    labels = [f"{low}–{high - 1}" for low, high in pairwise(starts)]
    head = ["words of the source", *labels, f"{starts[-1]} or more"]
    rows = [["sentences", *(str(part["sentences"]) for part in first)]]
    for runs in rungs.values():
        cells = [_spread(runs, lambda r, n=n: bins(r)[n]["bleu"]) for n in range(len(starts))]
        rows.append([_name(runs), *cells])
    return "BLEU of greedy decoding by source length, test of 2016:\n\n" + table(head, rows)


def _figures(way: str, source: str) -> str:
    """Drawn when the book builds (book/_ext/course_book/charts.py)."""
    captions = {
        "lengths": f"BLEU of greedy decoding by words of the {source} sentence, test of 2016.",
        "curves": "BLEU of greedy decoding on the validation split after so many epochs.",
    }
    return "\n".join(
        f"```{{results-figure}} {kind} {way}\n{caption}\n```\n"
        for kind, caption in captions.items()
    )


def _commands(rungs: dict[str, list[Record]]) -> str:
    """Under each row the command that makes it again, and what it took."""
    rows = []
    for runs in rungs.values():
        seeds = ", ".join(str(record["seed"]) for record in runs)
        command = runs[0]["command"].rsplit(" ", 1)[0]
        cut = [str(record["seed"]) for record in runs if record["stopped"] == "time"]
        stopped = f"; seed {' and '.join(cut)} stopped early by the clock" if cut else ""
        rows.append(
            [
                f"{_name(runs)}<br>`{command}`",
                seeds,
                f"{runs[0]['vocabulary']:,}",
                _spread(runs, lambda r: r["epochs"]),
                f"{_took(runs)}{stopped}",
                ", ".join(sorted({record["torch"] for record in runs})),
            ]
        )
    return table(
        ["network and command", "seeds", "vocabulary", "epochs", "seconds of training", "PyTorch"],
        rows,
    )


def _took(runs: Sequence[Record]) -> str:
    """Seconds of training, device by device."""
    told = []
    for device in sorted({record["device"] for record in runs}, reverse=True):
        there = [record for record in runs if record["device"] == device]
        most = max(record["side_by_side"] for record in there)
        beside = f", {most} runs at a time" if most > 1 else ""
        seconds = _spread(there, lambda r: r["training_seconds"], digits=0)
        told.append(f"{seconds} on {'a CPU' if device == 'cpu' else device}{beside}")
    return "; ".join(told)


def _signatures(records: Sequence[Record]) -> str:
    found = dict.fromkeys(s for record in records for s in record["signatures"])
    return "sacreBLEU's signatures: " + ", ".join(f"`{signature}`" for signature in found) + ".\n"


def _name(runs: Sequence[Record]) -> str:
    name = _NAMES[runs[0]["model"]]
    return f"{name}, both directions in one network" if runs[0]["direction"] == "both" else name


def _millions(runs: Sequence[Record]) -> str:
    return f"{runs[0]['parameters'] / 1e6:.1f} M"


def _spread(runs: Sequence[Record], find: Callable[[Record], float], digits: int = 1) -> str:
    return spread([find(record) for record in runs], digits)


def main(arguments: Sequence[str]) -> None:
    """Train what is missing and write the page; exit with a failed command's code."""
    python = [sys.executable, "-m"]
    if "--check" in arguments:
        sys.exit(subprocess.run([*python, "pytest", "tests/real"], cwd=ROOT).returncode)
    for command in [] if "--page" in arguments else commands(arguments):
        if code := subprocess.run([*python, *command], cwd=ROOT).returncode:
            sys.exit(code)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
