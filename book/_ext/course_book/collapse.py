"""The figure of the home page: quality against length, with one vector and with attention.

It is drawn when the book builds, from the counts that the experiment stored, and so are the
numbers in its caption: none of them is typed.
"""

import json
import math
import os
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from safetensors import safe_open
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

from course_lab.experiments import bahdanau
from course_lab.experiments.lab.stored import load_stored
from course_lab.figures.still.length_curve import length_curve
from course_lab.figures.still.narrow import narrowed
from course_lab.figures.style import Picture

STORED = Path(bahdanau.__file__).with_name("bottleneck.json")
NET = Path(bahdanau.__file__).with_name("in_page.safetensors")
"""The network that was trained in the same language; it knows every English word of it."""
NAMES = {
    "bahdanau": "attention",
    "cho4": "one vector, 4 × the training",
    "cho": "one vector",
}
PLACES = {"attention": (20.0, 0.87), NAMES["cho4"]: (17.5, 0.73), "one vector": (5.5, 0.05)}
"""Where the names stand in the figure: length in words, share; see `narrowed`."""


def curves() -> tuple[list[tuple[int, int]], dict[str, list[list[float]]], int]:
    """Bins of length, exact match for each model and seed, and the number of test sentences."""
    records = load_stored(STORED)
    bins = [(low, high) for low, high, _, _ in records[0]["bins"]]
    rates: dict[str, list[list[float]]] = {name: [] for name in NAMES.values()}
    for record in records:
        if record["model"] in NAMES:
            rates[NAMES[record["model"]]].append([e / n for _, _, n, e in record["bins"]])
    return bins, rates, sum(count for _, _, count, _ in records[0]["bins"])


def picture() -> Picture:
    """The figure, with words for those who can not see it."""
    bins, rates, _ = curves()
    drawn = length_curve(bins, rates, y_name="share of sentences without an error")
    return narrowed(drawn, {name: (1, place) for name, place in PLACES.items()})


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
        """A figure of its own file; a legend, since a caption would be numbered.

        The page gets the drawing itself (pictures.py), which says in words what it shows.
        """
        drawn = picture()
        file = Path(self.env.app.doctreedir).parent / "course" / "length_collapse.svg"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(drawn.svg(), encoding="utf-8")
        self.env.note_dependency(str(STORED))
        uri = "/" + os.path.relpath(file, self.env.srcdir).replace(os.sep, "/")
        image = nodes.image(uri=uri, candidates={})
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
