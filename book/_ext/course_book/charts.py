"""Charts of stored results on the home page and on the page Results, drawn when the book builds."""

import json
import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from docutils import nodes
from matplotlib.figure import Figure
from sphinx.util.docutils import SphinxDirective

from course_lab.charts import STYLE, seeds_band

BOTTLENECK = "course_lab/experiments/bahdanau/bottleneck.json"
LADDER = "book/results/ladder.json"
_MODELS = {"bahdanau": "attention", "cho4": "one vector, 4 × the training", "cho": "one vector"}
_PAPERS = {"cho": "Cho", "sutskever": "Sutskever", "bahdanau": "Bahdanau", "luong": "Luong"}
_PAPERS |= {"transformer": "Transformer", "lstmn": "LSTMN"}
_STEP, _BLEU = 0, 3
"""What stands where in an entry of a record's curve."""


def collapse(root: Path) -> Figure:
    """Draw the share of sentences without an error by length, with one vector and attention."""
    records = json.loads((root / BOTTLENECK).read_text(encoding="utf-8"))
    figure, axes = plt.subplots()
    for model, name in _MODELS.items():
        runs = [record["bins"] for record in records if record["model"] == model]
        middles = [(low + high) / 2 for low, high, _, _ in runs[0]]
        rates = [[exact / tried for _, _, tried, exact in run] for run in runs]
        seeds_band(axes, middles, rates, label=name)
    axes.set(xlabel="words of the sentence", ylabel="share without an error", ylim=(-0.02, 1.02))
    axes.legend(loc="upper right", bbox_to_anchor=(1, 0.92))
    return figure


def curves(root: Path, way: str) -> Figure:
    """Draw BLEU on the validation split by epochs."""
    figure, axes = plt.subplots(figsize=(4.6, 3.6))
    for name, records in runs(root, way).items():
        by_step = [{entry[_STEP]: entry[_BLEU] for entry in r["curve"]} for r in records]
        # A run that the clock cut short was judged at a last step of its own.
        steps = sorted(set.intersection(*map(set, by_step)))
        epochs = np.array(steps) * records[0]["epochs"] / records[0]["steps"]
        seeds_band(axes, epochs, [[one[s] for s in steps] for one in by_step], label=name)
    axes.set(xlabel="epochs", ylabel="BLEU", ylim=(0, 50))
    axes.legend(ncols=2, loc="lower right")
    return figure


def lengths(root: Path, way: str) -> Figure:
    """Draw BLEU of greedy decoding by source length."""
    figure, axes = plt.subplots(figsize=(4.6, 3.6))
    for name, records in runs(root, way).items():
        bins = [r["scores"][way]["test_2016_flickr"]["greedy"]["by_length"] for r in records]
        starts = [f"from {part['from']}" for part in bins[0]]
        bleu = [[part["bleu"] for part in one] for one in bins]
        seeds_band(axes, range(len(starts)), bleu, label=name)
    axes.set_xticks(range(len(starts)), starts)
    axes.set(xlabel="words of the source sentence", ylabel="BLEU", ylim=(0, 50))
    axes.legend(ncols=2, loc="lower left")
    return figure


def runs(root: Path, way: str) -> dict[str, list[dict]]:
    """Return the records of the networks of one direction alone, by name, in the papers' order."""
    records = json.loads((root / LADDER).read_text(encoding="utf-8"))
    by_name = {name: [r for r in records if r["model"] == m] for m, name in _PAPERS.items()}
    alone = {name: [r for r in one if r["direction"] == way] for name, one in by_name.items()}
    return {name: one for name, one in alone.items() if one}


CHARTS = {"collapse": collapse, "curves": curves, "lengths": lengths}


class Chart(SphinxDirective):
    """`{results-figure} curves de-en`: a chart, with its caption as content."""

    required_arguments = 1
    optional_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the figure of a file of its own."""
        root = Path(self.env.srcdir)
        file = Path(self.env.app.doctreedir).parent / "course" / f"{'_'.join(self.arguments)}.svg"
        file.parent.mkdir(parents=True, exist_ok=True)
        with plt.style.context(STYLE):
            figure = CHARTS[self.arguments[0]](root, *self.arguments[1:])
            figure.savefig(file, metadata={"Date": None, "Creator": None})
            plt.close(figure)
        for stored in (BOTTLENECK, LADDER):
            self.env.note_dependency(str(root / stored))
        uri = "/" + os.path.relpath(file, root).replace(os.sep, "/")
        text, _ = self.state.inline_text(" ".join(self.content), self.lineno)
        alt = nodes.paragraph("", "", *text).astext()
        image = nodes.image(uri=uri, alt=alt, candidates={})
        # A legend, since a caption would be numbered.
        return [nodes.figure("", image, nodes.legend("", nodes.paragraph("", "", *text)))]


def setup(app) -> None:
    """Register the directive."""
    app.add_directive("results-figure", Chart)
