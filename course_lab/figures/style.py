"""One look for every figure: a card with ink, light or, in a page that is dark, dark.

In a page of the book a figure is SVG in the page's colours. As an image it lies on light and dark
pages alike. No single text colour reaches the contrast of 4.5 (WCAG 2.1, 1.4.3) against both white
and a dark page, so it is not transparent: it brings its own light ground. The tests measure this,
and that the line colours stay apart in grey and to readers who confuse red with green or blue with
yellow.
"""

import base64
import io
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib import style
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from course_lab.figures.language import marked
from course_lab.figures.palette import (
    EMPTY,
    FULL,
    MODELS,
    NEUTRALS,
    SURFACES,
    model_of,
    untwinned,
)
from course_lab.figures.themed import themed
from course_lib.errors import CourseError, escaped
from course_lib.files import atomic_write

_, CARD, INK, MUTED, RULE, FRAME = (colour.light for colour in SURFACES.values())

MAX_WIDTH = 7.0
"""Inches: the width of a page of the book. Text is sized to be read when a phone halves it."""
DPI = 192
CSS_PIXELS_PER_INCH = 96
NARROW = 4.4
"""Inches: of a figure so wide a phone keeps five sixths, and its notes stay legible."""


class LineStyle(NamedTuple):
    """Colour, dashes and marker of a line.

    Of lines with a budget in common any one of the three tells them apart. A twin that trained
    longer has colour and marker of its model, and dashes of its own.
    """

    colour: str
    dashes: str | tuple[int, tuple[float, ...]]
    marker: str


_SHAPES: tuple[tuple[str | tuple[int, tuple[float, ...]], str], ...] = (
    ("-", "o"),
    ((0, (5, 1.6)), "s"),
    ((0, (1.2, 1.4)), "^"),
    ((0, (5, 1.4, 1.2, 1.4)), "D"),
    ((0, (8, 2.5)), "v"),
    ((0, (3, 1.2, 1.2, 1.2, 1.2, 1.2)), "P"),
)
TWIN_DASHES = (0, (1.2, 3.4))
"""Dots far apart: the model of this colour and marker, trained longer."""
_OF_MODELS = {
    model: LineStyle(colour.light, dashes, marker)
    for (model, colour), (dashes, marker) in zip(MODELS.items(), _SHAPES, strict=True)
}
LINES = tuple(_OF_MODELS.values())


def line_styles(names: Iterable[str]) -> dict[str, LineStyle]:
    """A style for each line: a model's own, a twin's, or for other names a neutral one.

    A second name of one model, and a second twin, are taken as no model's.

    Raises:
        ValueError: more names than styles.
    """
    names = list(dict.fromkeys(names))
    if len(names) > len(LINES):
        raise ValueError(f"at most {len(LINES)} lines stay apart in one figure, got {len(names)}")
    worn = {_OF_MODELS[model][1:] for name in names if (model := model_of(name))}
    shapes = (shape for shape in _SHAPES if shape not in worn)
    neutral = (
        LineStyle(colour.light, *shape) for colour, shape in zip(NEUTRALS, shapes, strict=False)
    )
    plain: dict[str, LineStyle] = {}
    styles: dict[str, LineStyle] = {}
    for name in names:
        base, model = untwinned(name), model_of(name)
        own = _OF_MODELS[model] if model else plain.get(base) or next(neutral)
        plain[base] = own
        style = own._replace(dashes=TWIN_DASHES) if base != name else own
        styles[name] = next(neutral) if style in styles.values() else style
    return styles


WEIGHTS = LinearSegmentedColormap.from_list("course_weights", [EMPTY.light, FULL.light])
"""Attention weights, 0 pale to 1 dark: lightness falls all the way, so grey tells the same."""

_SETTINGS: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so every machine draws the same
    "font.size": 12,
    "text.color": INK,
    "text.usetex": False,
    "figure.facecolor": CARD,
    "savefig.facecolor": CARD,
    "figure.dpi": DPI,
    "axes.facecolor": CARD,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.labelsize": 12,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": RULE,
    "grid.linewidth": 0.8,
    "xtick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.color": MUTED,
    "ytick.labelcolor": INK,
    "lines.linewidth": 2.0,
    "lines.markersize": 6.0,
    "svg.hashsalt": "course",
    "svg.fonttype": "path",
}


@contextmanager
def house_style() -> Iterator[None]:
    """Draws in the house style inside; outside, matplotlib's settings are what they were.

    It starts from matplotlib's defaults, so a reader's own settings change no figure of the course.
    """
    with style.context(["default", _SETTINGS]):
        yield


_made = count(1)


class Picture(Figure):
    """A matplotlib figure that knows in words what it shows.

    It is made without pyplot: nothing global is touched, and a notebook shows it once, where it is
    the last value of a cell or given to `display`. Its repr holds no measured figure, so nbval can
    compare it; the words go along as metadata of the image.

    Attributes:
        headline: what kind of picture it is and how large its data, the same on every machine.
        detail: what is to be seen in it, with the figures.
    """

    def __init__(self, width: float, height: float, headline: str, detail: str) -> None:
        super().__init__(figsize=(width, height), dpi=DPI)
        # They are written into the image's file, which takes no half characters.
        self.headline = escaped(headline)
        self.detail = escaped(detail)
        # Two pictures on one page share no id.
        self._own = f"fig-{next(_made)}"

    @property
    def alt(self) -> str:
        """Text for those who can not see the picture."""
        return f"{self.headline}. {self.detail}" if self.detail else f"{self.headline}."

    def __repr__(self) -> str:
        return f"<Picture: {self.headline}>"

    def png(self) -> bytes:
        """The picture as PNG; the same data gives the same bytes, without date or version."""
        return self._render("png", {"Software": None, "Description": self.alt})

    def save(self, path: Path | str) -> None:
        """Writes .png, .svg or .pdf, whole or not at all, without date or version.

        Raises:
            CourseError: another ending, or the file can not be written.
        """
        path = Path(path)
        kind = path.suffix.lower()
        if kind == ".png":
            content = self.png()
        elif kind == ".svg":
            content = self._render("svg", {"Date": None, "Creator": None, "Description": self.alt})
        elif kind == ".pdf":
            nothing = dict.fromkeys(("CreationDate", "Creator", "Producer"))
            content = self._render("pdf", {**nothing, "Subject": self.alt})
        else:
            raise CourseError(f"a figure is saved as .png, .svg or .pdf, not as {path.name!r}")
        atomic_write(path, content)

    def svg(self) -> str:
        """The picture for a page: it follows the page's scheme, its text is text (see `themed`)."""
        plain = self._render("svg", {"Date": None, "Creator": None}, {"svg.fonttype": "none"})
        drawn = plain.decode("utf-8")
        # Hebrew and Arabic are in the order in which they are seen; the page must not turn them.
        if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in drawn):
            drawn = drawn.replace("<text ", '<text unicode-bidi="bidi-override" direction="ltr" ')
        return marked(themed(drawn, self.headline, self.detail, self._own))

    def _render(
        self, kind: str, metadata: dict[str, str | None], settings: dict[str, Any] | None = None
    ) -> bytes:
        buffer = io.BytesIO()
        with house_style(), style.context(settings or {}):
            self.savefig(buffer, format=kind, dpi=DPI, metadata=metadata)
        return buffer.getvalue()

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, str], dict[str, Any]]:
        data = {
            "text/plain": repr(self),
            "image/png": base64.b64encode(self.png()).decode("ascii"),
            "image/svg+xml": self.svg(),
        }
        width = round(self.get_figwidth() * CSS_PIXELS_PER_INCH)
        return data, {"image/png": {"alt": self.alt, "width": width}}


def as_array(values: object, name: str, *, finite: bool = True) -> np.ndarray:
    """Numbers as a float64 array; takes torch tensors on any device, with or without gradient.

    Raises:
        ValueError: they are no numbers, or `finite` and there is infinity among them. NaN is let
            through.
    """
    if hasattr(values, "detach"):
        values = values.detach().cpu().double().numpy()
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be numbers in a rectangular array: {error}") from None
    if finite and np.isinf(array).any():
        raise ValueError(f"{name} must be finite; there is infinity among them")
    return array
