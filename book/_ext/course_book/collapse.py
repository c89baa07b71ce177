"""The figure of the home page: quality against length, with one vector and with attention.

It is drawn when the book builds, from the counts that the experiment stored, and so are the
numbers in its caption: none of them is typed.
"""

import json
import math
import os
from pathlib import Path
from typing import NamedTuple

import matplotlib.pyplot as plt
from docutils import nodes
from matplotlib.figure import Figure
from safetensors import safe_open
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

from course_lab import charts
from course_lab.experiments import bahdanau
from course_lab.experiments.lab.stored import load_stored

STORED = Path(bahdanau.__file__).with_name("bottleneck.json")
NET = Path(bahdanau.__file__).with_name("in_page.safetensors")
"""The network that was trained in the same language; it knows every English word of it."""
NAMES = {
    "bahdanau": "attention",
    "cho4": "one vector, 4 × the training",
    "cho": "one vector",
}
ALT = (
    "The share of sentences without an error against their length, three lines. With attention it "
    "stays near 1 up to fifty words. With one vector it falls to 0, later after longer training."
)


def curves() -> tuple[list[tuple[int, int]], dict[str, list[list[float]]], int]:
    """Bins of length, exact match for each model and seed, and the number of test sentences."""
    records = load_stored(STORED)
    bins = [(low, high) for low, high, _, _ in records[0]["bins"]]
    rates: dict[str, list[list[float]]] = {name: [] for name in NAMES.values()}
    for record in records:
        if record["model"] in NAMES:
            rates[NAMES[record["model"]]].append([e / n for _, _, n, e in record["bins"]])
    return bins, rates, sum(count for _, _, count, _ in records[0]["bins"])


def chart() -> Figure:
    """Draw the figure."""
    bins, rates, _ = curves()
    centres = [(low + high) / 2 for low, high in bins]
    with plt.style.context(["default", charts.STYLE]):
        fig, ax = plt.subplots(figsize=(4.6, 3.6))
        for name, runs in rates.items():
            charts.seeds_band(ax, centres, runs, label=name, marker="o")
        ax.set_xticks(centres, [f"{low}–{high}" for low, high in bins])
        ax.set(xlabel="words of the source", ylabel="sentences without an error")
        fig.legend(loc="outside lower center")
    return fig


class Collapse(NamedTuple):
    """The measured fact: from so many words on, the best run with one vector, the worst with more.

    One vector was trained four times as long too, and the better of the two counts.

    Attributes:
        words: a length from which one vector gets at most 5 % right.
        one_vector: the largest share from there on, of every run and length.
        attention: the smallest share, of every run and every length at all.
        sentences: how many were tried.
        runs: how many of each kind.
    """

    words: int
    one_vector: float
    attention: float
    sentences: int
    runs: int


def measured() -> Collapse:
    """From the stored counts."""
    bins, rates, sentences = curves()
    one, many = rates[NAMES["cho"]] + rates[NAMES["cho4"]], rates[NAMES["bahdanau"]]
    beyond = next(i for i in range(len(bins)) if max(max(run[i:]) for run in one) <= 0.05)
    best, worst = max(max(run[beyond:]) for run in one), min(map(min, many))
    return Collapse(bins[beyond][0], best, worst, sentences, len(many))


def caption() -> str:
    """What the figure shows, with the figures themselves."""
    found = measured()
    return (
        f"How many of {found.sentences} English sentences come out in German without a single "
        f"error. From {found.words} words on, a network that must squeeze the sentence into one "
        f"vector gets {_at_most(found.one_vector)} right, even with four times the training. A "
        f"network that may look back at the words gets {_at_least(found.attention)} or "
        f"more at every length, in the worst of {found.runs} runs."
    )


def headline() -> str:
    """The same in two sentences, with the size of the language."""
    found = measured()
    return (
        f"In a toy language of {vocabulary()} words, a network that squeezes an English sentence "
        f"into one vector translates {_at_most(found.one_vector)} of the sentences of "
        f"{found.words} words or more without an error. A network that looks back at the words "
        f"translates at least {_at_least(found.attention)}."
    )


def vocabulary() -> int:
    """How many English words the language has, without its marks."""
    # Read without torch, which a book that shows no network can do without.
    with safe_open(NET, "np") as file:
        (told,) = file.metadata().values()
    return sum(word.isalpha() for word in json.loads(told)["words"]["source"])


def _at_least(rate: float) -> str:
    return f"{math.floor(100 * rate)} %"


def _at_most(rate: float) -> str:
    return "none" if rate == 0 else f"at most {math.ceil(100 * rate)} %"


class LengthCollapse(SphinxDirective):
    """`{length-collapse}`: the figure with its caption, linked to the document that is named."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """A figure of its own file; a legend, since a caption would be numbered."""
        file = Path(self.env.app.doctreedir).parent / "course" / "length_collapse.svg"
        file.parent.mkdir(parents=True, exist_ok=True)
        fig = chart()
        with plt.style.context(["default", charts.STYLE]):
            fig.savefig(file, metadata={"Date": None, "Creator": None})
        plt.close(fig)
        self.env.note_dependency(str(STORED))
        uri = "/" + os.path.relpath(file, self.env.srcdir).replace(os.sep, "/")
        image = nodes.image(uri=uri, candidates={}, alt=ALT)
        text, _ = self.state.inline_text(
            f"{caption()} {{doc}}`What was measured, and how <{self.arguments[0]}>`.", self.lineno
        )
        figure = nodes.figure(
            "", image, nodes.legend("", nodes.paragraph("", "", *text)), classes=["collapse"]
        )
        self.set_source_info(figure)
        return [figure]


def _substitute(app: Sphinx, config: Config) -> None:
    config.myst_substitutions = {**config.myst_substitutions, "collapse": headline()}


def setup(app: Sphinx) -> None:
    """Register the directive, and the fact in words as `{{ collapse }}`."""
    app.add_directive("length-collapse", LengthCollapse)
    app.connect("config-inited", _substitute)
