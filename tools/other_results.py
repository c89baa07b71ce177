"""The rows of the page Results beside the ladder: other corpora, and what others published.

Each table is read from the file that its experiment stores, and says by which command.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from tools import ROOT

EXPERIMENTS = ROOT / "course_lab" / "experiments"
SERIES = "{cite:t}`trevett2018seq2seq`"
PUBLISHED = {
    "de-en": (
        ("LSTM encoder and decoder, no attention", "13.9 M", "13.8", SERIES),
        ("Cho et al. 2014", "", "20.6", SERIES),
        ("Bahdanau et al. 2015", "20.5 M", "28.3", SERIES),
        ("convolutional", "37.4 M", "34.1", SERIES),
        ("Transformer", "9.0 M", "36.5", SERIES),
    ),
    "en-de": (("Transformer", "2.6 M", "41.0", "{cite:t}`wu2021misconceived`"),),
}
"""Name, parameters, BLEU on test 2016 without regard to case, source."""
_ABOUT_PUBLISHED = {
    "de-en": "A well-known series of tutorials uses the same captions and greedy decoding. Its "
    "BLEU was computed on lower-case text that was already cut into words, so these numbers are "
    "only roughly comparable with ours.",
    "en-de": "This number was computed on text that was prepared in another way, so it is only "
    "roughly comparable with ours.",
}


class Corpus(NamedTuple):
    """A corpus and the experiment that stores its rows.

    Attributes:
        title, about: the heading, and what is compared.
        experiment: its name for `python -m course_lab.experiments`.
        rows: gives name, parameters and values of each row from the stored records.
        unit: what a value is.
        published: what others report, in a sentence.
    """

    title: str
    about: str
    experiment: str
    rows: Any
    unit: str
    published: str


def _grouped(
    records: Iterable[Mapping[str, Any]], by: str, value: str, scale: float = 100
) -> list[tuple[str, str, list[float]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for record in records:
        found.setdefault(record[by], []).append(record)
    rows = []
    for name, same in found.items():
        count = same[0].get("parameters")
        values = [scale * record[value] for record in same]
        rows.append((name, f"{count:,}" if count else "", values))
    return sorted(rows, key=lambda row: mean(row[2]))


def _links(records: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, list[float]]]:
    """Error rates, the third of each triple; the three records differ in how ties are broken."""
    names = ("diagonal", "Dice", "Model 1", "Model 1 turned", "Model 1, intersection")
    return [(name, "", [100 * r["scores"][name][2] for r in records]) for name in names]


CORPORA = (
    Corpus(
        "SICK",
        "Does the second sentence follow from the first? {{ ch07 }}, {cite:t}`marelli2014sick`, "
        "five seeds, and two for the LSTM that trained longest. Settings were chosen on the "
        "trial split.",
        "decomposable/sick",
        lambda records: _grouped(records, "variant", "accuracy"),
        "test accuracy, %",
        "{cite:t}`bowman2015large` report 71.3 % for an LSTM that learned from SICK alone and "
        "80.8 % for one that learned from SNLI first. The best system of SemEval 2014 reached "
        "84.6 %.",
    ),
    Corpus(
        "Film reviews",
        "Is a film review positive or negative? {{ ch06c }}, {cite:t}`pang2004sentimental`. Ten "
        "folds: the worst and the best fold are in brackets.",
        "two_levels/reviews",
        lambda records: _grouped(records, "model", "accuracy"),
        "accuracy, %",
        "{cite:t}`pang2004sentimental` report 87.2 %.",
    ),
    Corpus(
        "Hansards",
        "Which words belong together? {{ ch03 }}, {cite:t}`och2000improved`: 447 sentence pairs "
        "with links that people drew. Nothing is random here. The lowest and the highest rate "
        "over three rules for equal scores are in brackets.",
        "alignment/hansards",
        _links,
        "alignment error rate, %",
        "Trained on 1.1 million pairs, `fast_align` has 16.4 % and `mgiza` 8.0 % "
        "{cite:p}`lilt2019scripts`. Our rows saw only the 447 pairs.",
    ),
    Corpus(
        "Tiny Shakespeare",
        "Which character comes next? {{ ch14 }}, three seeds.",
        "gpt/shakespeare",
        lambda records: _grouped(records, "variant", "nats", 1),
        "validation loss, nats a character",
        "{cite:t}`karpathy2022nanogpt` reports 1.88 with 0.8 M parameters on a laptop, and 1.47 "
        "with 10.65 M on a GPU.",
    ),
    Corpus(
        "Tiny Shakespeare, attention or a linear state",
        "Which character comes next? {{ ch15 }}: four mixers in a smaller network that reads a "
        "third as much, with and without a short convolution, three seeds. *Longer* is four times "
        "as many updates, one seed.",
        "back_to_recurrence/shakespeare",
        lambda records: _grouped(records, "variant", "nats", 1),
        "validation loss, nats a character",
        "The network of {{ ch14 }} is larger and reads three times as much.",
    ),
)
_SNLI = """\
### SNLI

We have not measured SNLI. `python -m course_lib train decomposable --data snli` trains on its
550,000 pairs.
"""


def section(experiments: Path = EXPERIMENTS) -> str:
    """The tables of all corpora, each with its command."""
    parts = ["## Other tasks on real sentences\n"]
    for corpus in CORPORA:
        parts += [f"### {corpus.title}\n", f"{corpus.about}\n", _table_of(corpus, experiments)]
        parts += [f"Command: `python -m course_lab.experiments {corpus.experiment}`\n"]
        parts += [f"{corpus.published}\n"]
    return "\n".join([*parts, _SNLI])


def published(way: str) -> str:
    """What others report in a direction of the ladder."""
    head = ["published elsewhere", "parameters", "BLEU, test 2016", "source"]
    return f"{_ABOUT_PUBLISHED[way]}\n\n{table(head, PUBLISHED[way])}"


def _table_of(corpus: Corpus, experiments: Path) -> str:
    path = experiments / f"{corpus.experiment}.json"
    if not path.exists():
        return "Not measured yet.\n"
    rows = corpus.rows(json.loads(path.read_text(encoding="utf-8")))
    digits = 2 if corpus.unit.startswith("validation loss") else 1
    cells = [[name, count, spread(values, digits)] for name, count, values in rows]
    head = ["model", "parameters", corpus.unit]
    if not any(count for _, count, _ in cells):
        head, cells = [head[0], head[2]], [[name, value] for name, _, value in cells]
    return table(head, cells)


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
