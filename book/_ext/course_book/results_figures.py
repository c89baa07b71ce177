"""The figures of the page Results, drawn when the book builds from the ladder's stored file alone.

`{results-figure} curves de-en` is BLEU on the validation split while the networks train,
`{results-figure} lengths de-en` BLEU of the first test by source length. A network for both
directions stands in the tables alone: seven lines would not stay apart.
"""

import json
import os
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from course_lab.figures.still.lines import canvas, name_axes, name_lines, seeds_note
from course_lab.figures.style import CARD, Picture, house_style, line_styles

STORED = Path("book", "results", "ladder.json")
_NAMES = {name: name.title() for name in ("cho", "sutskever", "bahdanau", "luong", "transformer")}
_NAMES["lstmn"] = "LSTMN"
_TEST = "test_2016_flickr"
_STEP, _BLEU = 0, 3
"""What stands where in an entry of a record's curve."""
Points = tuple[np.ndarray, np.ndarray]
"""Places (n), and for each seed a value there (seeds, n)."""


def runs(root: Path, way: str) -> dict[str, list[dict]]:
    """The records of the networks of one direction alone, by name, in the order of the papers."""
    found: dict[str, list[dict]] = {}
    for record in json.loads((root / STORED).read_text(encoding="utf-8")):
        if record["direction"] == way:
            found.setdefault(_NAMES[record["model"]], []).append(record)
    return dict(sorted(found.items(), key=lambda item: list(_NAMES.values()).index(item[0])))


def curves(root: Path, way: str) -> Picture:
    """BLEU on the validation split by epochs."""
    lines = {}
    for name, records in runs(root, way).items():
        by_step = [{entry[_STEP]: entry[_BLEU] for entry in r["curve"]} for r in records]
        # A run that the clock cut short was judged at a last step of its own.
        steps = sorted(set.intersection(*map(set, by_step)))
        epochs = np.array(steps) * records[0]["epochs"] / records[0]["steps"]
        lines[name] = epochs, np.array([[one[step] for step in steps] for one in by_step])
    return _drawn("BLEU on the validation split while the networks train", "epochs", lines)


def lengths(root: Path, way: str) -> Picture:
    """BLEU of greedy decoding by source length."""
    lines, labels = {}, []
    for name, records in runs(root, way).items():
        bins = [r["scores"][way][_TEST]["greedy"]["by_length"] for r in records]
        starts = [part["from"] for part in bins[0]]
        labels = [*(f"{a}–{b - 1}" for a, b in pairwise(starts))]
        labels.append(f"{starts[-1]}+")
        values = np.array([[part["bleu"] for part in one] for one in bins])
        lines[name] = np.arange(len(starts), dtype=float), values
    picture = _drawn("BLEU by source length", "words of the source sentence", lines)
    (axes,) = picture.axes
    axes.set_xticks(range(len(labels)), labels)
    return picture


def _drawn(headline: str, x_name: str, lines: Mapping[str, Points]) -> Picture:
    """A line a network through its seeds' mean, a band around it from the lowest to the highest."""
    grid = np.unique(np.concatenate([x for x, _ in lines.values()]))
    middles = {}
    for name, (x, values) in lines.items():
        middles[name] = np.full(len(grid), np.nan)
        middles[name][np.searchsorted(grid, x)] = values.mean(0)
    told = "; ".join(
        f"{name}: {', '.join(f'{v:.0f}' for v in values.mean(0))}"
        for name, (_, values) in lines.items()
    )
    with house_style():
        note = seeds_note({name: values for name, (_, values) in lines.items()}, "mean")
        picture, axes = canvas(headline, f"Mean BLEU, from left to right. {told}.", [*lines], note)
        axes.set_ylim(0, 50)
        axes.set_yticks(range(0, 51, 10))
        axes.set_xlim(grid[0] - 0.03 * np.ptp(grid), grid[-1] + 0.01 * np.ptp(grid))
        name_axes(axes, x_name, "BLEU")
        for name, style in line_styles(lines).items():
            x, values = lines[name]
            band = {"color": style.colour, "alpha": 0.18, "linewidth": 0}
            axes.fill_between(x, values.min(0), values.max(0), **band)
            axes.plot(
                x,
                values.mean(0),
                color=style.colour,
                linestyle=style.dashes,
                marker=style.marker,
                markeredgecolor=CARD,
                markeredgewidth=0.8,
                markersize=4.5,
                clip_on=False,
                label=name,
            )
        name_lines(axes, grid, middles)
    return picture


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
        file.write_text(KINDS[kind](root, way).svg(), encoding="utf-8")
        self.env.note_dependency(str(root / STORED))
        uri = "/" + os.path.relpath(file, self.env.srcdir).replace(os.sep, "/")
        text, _ = self.state.inline_text(" ".join(self.content), self.lineno)
        legend = nodes.legend("", nodes.paragraph("", "", *text))
        figure = nodes.figure("", nodes.image(uri=uri, candidates={}), legend)
        self.set_source_info(figure)
        return [figure]


def setup(app) -> None:
    """Register the directive."""
    app.add_directive("results-figure", ResultsFigure)
