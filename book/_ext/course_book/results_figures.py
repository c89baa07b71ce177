"""The figures of the page Results, drawn when the book builds from the ladder's stored file alone.

`{results-figure} curves de-en` is BLEU on the validation split while the networks train,
`{results-figure} lengths de-en` BLEU of the first test by source length. A network for both
directions stands in the tables alone: seven lines would not stay apart.
"""

import json
import os
from itertools import pairwise
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from docutils import nodes
from matplotlib.figure import Figure
from sphinx.util.docutils import SphinxDirective

from course_lab import charts

STORED = Path("book", "results", "ladder.json")
_NAMES = {name: name.title() for name in ("cho", "sutskever", "bahdanau", "luong", "transformer")}
_NAMES["lstmn"] = "LSTMN"
_TEST = "test_2016_flickr"
_STEP, _BLEU = 0, 3
"""What stands where in an entry of a record's curve."""


def runs(root: Path, way: str) -> dict[str, list[dict]]:
    """The records of the networks of one direction alone, by name, in the order of the papers."""
    found: dict[str, list[dict]] = {}
    for record in json.loads((root / STORED).read_text(encoding="utf-8")):
        if record["direction"] == way:
            found.setdefault(_NAMES[record["model"]], []).append(record)
    return dict(sorted(found.items(), key=lambda item: list(_NAMES.values()).index(item[0])))


def curves(root: Path, way: str) -> Figure:
    """BLEU on the validation split by epochs."""
    figure, ax = _axes("epochs")
    for name, records in runs(root, way).items():
        by_step = [{entry[_STEP]: entry[_BLEU] for entry in r["curve"]} for r in records]
        # A run that the clock cut short was judged at a last step of its own.
        steps = sorted(set.intersection(*map(set, by_step)))
        epochs = np.array(steps) * records[0]["epochs"] / records[0]["steps"]
        bleu = [[one[step] for step in steps] for one in by_step]
        charts.seeds_band(ax, epochs, bleu, label=name)
    return figure


def lengths(root: Path, way: str) -> Figure:
    """BLEU of greedy decoding by source length."""
    figure, ax = _axes("words of the source sentence")
    for name, records in runs(root, way).items():
        bins = [r["scores"][way][_TEST]["greedy"]["by_length"] for r in records]
        starts = [part["from"] for part in bins[0]]
        labels = [*(f"{a}–{b - 1}" for a, b in pairwise(starts))]
        labels.append(f"{starts[-1]}+")
        bleu = [[part["bleu"] for part in one] for one in bins]
        charts.seeds_band(ax, labels, bleu, label=name)
    return figure


def _axes(x_name: str) -> tuple[Figure, plt.Axes]:
    """A chart for BLEU; a line is the mean of the seeds, its band goes from lowest to highest."""
    charts.use_style()
    figure, ax = plt.subplots(figsize=(4.6, 3.6))
    ax.set(xlabel=x_name, ylabel="BLEU", ylim=(0, 50))
    return figure, ax


KINDS = {"curves": curves, "lengths": lengths}


class ResultsFigure(SphinxDirective):
    """The figure with the caption that is the directive's content."""

    required_arguments = 2
    has_content = True

    def run(self) -> list[nodes.Node]:
        """A figure of its own file, which pictures.py puts into the page."""
        kind, way = self.arguments
        root = Path(self.env.srcdir)
        file = Path(self.env.app.doctreedir).parent / "course" / f"results_{kind}_{way}.svg"
        file.parent.mkdir(parents=True, exist_ok=True)
        figure = KINDS[kind](root, way)
        figure.legend(loc="outside upper left", ncols=3)
        figure.savefig(file, metadata={"Date": None, "Creator": None})
        plt.close(figure)
        self.env.note_dependency(str(root / STORED))
        uri = "/" + os.path.relpath(file, self.env.srcdir).replace(os.sep, "/")
        text, _ = self.state.inline_text(" ".join(self.content), self.lineno)
        legend = nodes.legend("", nodes.paragraph("", "", *text))
        image = nodes.image(uri=uri, candidates={}, alt=" ".join(self.content))
        shown = nodes.figure("", image, legend)
        self.set_source_info(shown)
        return [shown]


def setup(app) -> None:
    """Register the directive."""
    app.add_directive("results-figure", ResultsFigure)
