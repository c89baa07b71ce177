"""Every figure to touch, once: what the tests of all figures open, and those of its own.

A new figure gets a line in `MADE`. Pictures of all of them, at two widths, light and dark, to be
compared with those of before: `python -m tests.book.catalogue FOLDER [KIND ...]`.
"""

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from course_lab.experiments.bahdanau import in_page as bahdanau
from course_lab.experiments.decoding import tree
from course_lab.experiments.decomposable import in_page as decomposable
from course_lab.experiments.gpt import in_page as gpt
from course_lab.experiments.multi_head import in_page as multi_head
from course_lab.experiments.recurrence import in_page as recurrence
from course_lab.experiments.self_attention import in_page as self_attention
from course_lab.experiments.self_attention import tape
from course_lab.experiments.seq2seq import in_page as seq2seq
from course_lab.experiments.transformer import in_page as transformer
from course_lab.figures.touch.attention import AttentionExample, attention_explorer
from course_lab.figures.touch.chain import unrolled_chain
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.cost import growing_costs
from course_lab.figures.touch.em import em_steps
from course_lab.figures.touch.glances import Look, Scene, glances
from course_lab.figures.touch.heat import HeatedDocument, document_heat
from course_lab.figures.touch.length import length_explorer
from course_lab.figures.touch.lookup import soft_lookup
from course_lab.figures.touch.plane import attention_plane
from course_lab.figures.touch.posteriors import posterior_explorer
from course_lab.figures.touch.rows import attention_rows
from course_lab.figures.touch.scale import scale_laboratory
from course_lab.figures.touch.stack import Heads, Station, Strip, follow
from course_lab.figures.touch.swap import Intervention, swap
from course_lab.figures.touch.tape import growing_tape
from course_lab.figures.touch.unfold import DecoderStep, unfold
from course_lab.figures.touch.window import sliding_window
from tests.book.checks import DARK, LIGHT, page_of
from tests.book.test_gpt import NEXT_WORD_FIGURE
from tests.unit.figures.touch.test_cost import EXAMPLE as COSTS
from tests.unit.figures.touch.test_posteriors import PAIR
from tests.unit.figures.touch.test_window import EXAMPLE as WINDOW

# attention: two sentences, of two words and of thirteen.
SOURCE, TARGET = (
    sentence.split()
    for sentence in (
        "yesterday the very old woman in the garden saw a small dog .",
        "gestern sah die sehr alte Frau in dem Garten einen kleinen Hund .",
    )
)
DIAGONAL = 3.0 * np.eye(len(SOURCE)) + 0.1 * np.arange(len(SOURCE))
SHORT = AttentionExample(
    ["the", "house"], ["das", "Haus"], [[1.5, 0.0], [-1.0, 2.0]], {(0, 0)}, {(1, 1)}, "short"
)
LONG = AttentionExample(SOURCE, TARGET, DIAGONAL, {(0, 0), (8, 1)})
# glances: two digits, each read twice, with the chances and rewards of four patches.
CHANCES, REWARDS = [0.5, 0.3, 0.2, 0.0], [-3.0, -0.5, -2.0, -4.0]
# heat: two documents of the same two sentences.
YES = HeatedDocument(
    "yes",
    [["the", "king"], ["a", "dog", "runs"]],
    [0.75, 0.25],
    [[0.125, 0.875], [0.25, 0.25, 0.5]],
    [0.875, 0.125],
    [[0.25, 0.75], [0.8, 0.2]],
    [[[0.7, 0.3], [0.1, 0.9]], [[0.6, 0.4]] * 3],
)
NO = YES._replace(title="no", sentence_weights=[0.25, 0.75], answer=[0.25, 0.75])
# lookup and scale.
KEYS = np.array([[0.2, 1.1], [0.5, 0.5], [-1.1, 0.5], [1.5, 1.5]])
VALUES = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.25]])
QUERY = np.array([0.7, 0.45])
DIMENSIONS = [1, 4, 16, 64]
PRODUCTS = np.random.default_rng(0).normal(size=(2, 4, 5)) * np.sqrt(DIMENSIONS)[:, None]
# plane and rows.
H, STATE = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]), np.array([0.0, 1.0])
# stack: two words up to what comes next, past a look at themselves and one at the others.
WORDS = {"source": ["the", "house", "<end>"], "target": ["<start>", "das", "Haus"]}
_VECTORS = np.array([[1.0, 0.0, -1.0, 0.5]] * 3)
LOOK = np.array([[[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.25, 0.5, 0.25]]] * 2)
LOOK[1] = [[0.25, 0.25, 0.5]] * 3
_ONES = np.ones((2, 3, 2))
_SCORES = np.array([[[0.5, -1.5, 2.0]] * 3] * 2)
HEADS = Heads(_ONES, _ONES, _SCORES, LOOK, _ONES, _ONES, "source")
_LOOKS = {
    "entering": _VECTORS,
    "inside": [Strip("normed", _VECTORS), Strip("found", _VECTORS)],
    "adds": True,
    "heads": HEADS,
}
_GUESSES = [[("das", 4.0, 0.9)], [("Haus", 5.0, 0.8)], [("<end>", -1.5, 1.0)]]
_ROW = [Strip("row", _VECTORS)]
STATIONS = [
    Station(*row, "here", **more)
    for row, more in (
        (
            ("token", "source", "4 numbers", "{word} is number {number}."),
            {"inside": _ROW, "numbers": [4, 5, 6]},
        ),
        (("look", "source", "4 numbers", "{word} asks."), _LOOKS),
        (("cross", "target", "4 numbers", "{word} asks over there."), _LOOKS),
        (("words", "target", "4 numbers", "What comes after {word}?"), {"guesses": _GUESSES}),
    )
]
# swap: three sentences under three trials.
NOUNS = ("dog", "cat", "child")
_EACH = np.array([[0.0, 0.05, 0.05, 0.6, 0.2, 0.1, 0.0]] * 3)
TRIALS = [
    Intervention("as they are", "Three articles.", ["den", "die", "das"], _EACH),
    Intervention("cover the noun", "The same.", ["den", "die", "das"], _EACH, covered=4),
    Intervention("exchange the “the”s", "The next.", ["die", "das", "den"], _EACH, lent=3),
]
MAPS = tape.load_maps()


def scene(shift: int) -> Scene:
    """A digit of four by four whose best patch is another with each shift."""
    hard, reward = np.roll(CHANCES, shift), np.roll(REWARDS, shift)
    looks = [
        Look(3, (1 + shift) % 4, hard, 3, hard, reward, [8, 3, 5, 1]),
        Look(5, (2 + shift) % 4, hard, 9, hard[::-1], reward, [8, 3, 5, 1]),
    ]
    return Scene(np.linspace(0, 1, 16).reshape(4, 4), looks)


def walk(stations=STATIONS, opened: int = 2, **more) -> Interactive:
    """The stack with other stations."""
    return follow(WORDS, stations, chosen={"source": 1, "target": 2}, opened=opened, **more)


def _decoder() -> Interactive:
    state, context, after = [-0.5, 0.0, 1.0], [0.25, 0.0, -0.25], [1.0, -1.0, 0.0]
    rows = (
        ("START", [0.25, 0.75, 0.0, 0.0, 0.0], ("der", 0.75), ("ein", 0.25)),
        ("der", [0.0, 1.0, 0.0, 0.0, 0.0], ("Hund", 1.0), ("Junge", 0.0)),
        ("Hund", [0.0, 0.0, 1.0, 0.0, 0.0], ("schläft", 1.0), ("liest", 0.0)),
    )
    steps = [DecoderStep(read, state, w, context, after, words) for read, w, *words in rows]
    gloss = {"der": "the", "Hund": "dog", "schläft": "sleeps"}
    return unfold(["the", "dog", "sleeps", ".", "end"], steps, gloss, 1)


MADE: dict[str, Callable[[], Interactive]] = {
    "asking": self_attention.show,
    "attention": lambda: attention_explorer([SHORT, LONG]),
    "beams": tree.show,
    "chain": lambda: unrolled_chain(
        {
            "tanh": {"× 0.5": [1, 0.1, 1e-4, 1e-9, 0], "× 2": [1, 0.9, 0.8, 0.6, 0.5]},
            "ReLU": {"× 2": [1, 8, 3e3, 5e6, float("inf")], "× 3": [1, 9, 3e4, 5e9, 1e20]},
        },
        [0, 1, 5, 20, 50],
    ),
    "cost": lambda: growing_costs(**COSTS),
    "em": lambda: em_steps(
        [(["the", "house"], ["das", "Haus"])],
        [[[[0.5, 0.5], [0.5, 0.5]]], [[[0.7, 0.3], [0.4, 0.6]]], [[[0.999, 0.001], [0.1, 0.9]]]],
        [-4.0, -3.5, -3.25],
    ),
    "forecast": recurrence.show,
    "gaze": bahdanau.show,
    "glances": lambda: glances([scene(0), scene(1)], 2, [0.1, 0.6, 0.95, 0.4]),
    "gpt": gpt.show,
    "heat": lambda: document_heat([YES, NO], ["yes", "no"], question="Is it?"),
    "length": lambda: length_explorer(
        [(3, 9), (10, 19), (20, 30)],
        {"64": [[0.9, 0.2, 0.0], [0.8, 0.3, 0.1]], "256": [[1.0, 0.75, 0.5], [0.9, 0.65, 0.3]]},
        choose="width of the vector",
        y_name="exact match",
    ),
    "lookup": lambda: soft_lookup(
        ["dog", "cat", "horse", "sparrow"], KEYS, VALUES, QUERY, [1.5, 1.5]
    ),
    "nextword": lambda: NEXT_WORD_FIGURE,
    "plane": lambda: attention_plane(["the", "dog", "sleeps"], H, STATE),
    "posteriors": lambda: posterior_explorer([PAIR]),
    "rows": lambda: attention_rows(["the", "dog", "sleeps"], H, STATE),
    "scale": lambda: scale_laboratory(
        DIMENSIONS, PRODUCTS, {"without": [0.3, 0.2, 0.01, 1e-4], "with": [0.3] * 4}, first=16
    ),
    "squeeze": lambda: seq2seq.show(bahdanau.load().gloss),
    "stack": lambda: walk(gloss={"das": "the", "Haus": "house"}),
    "swap": lambda: swap(
        [("the", "woman", "sees", "the", noun, ".", "end") for noun in NOUNS],
        4,
        "die Frau sieht",
        TRIALS,
    ),
    "switches": multi_head.show,
    "tape": lambda: growing_tape(MAPS, tape.START_WORD),
    "unfold": _decoder,
    "verdict": decomposable.show,
    "window": lambda: sliding_window([WINDOW], 1),
    "writer": lambda: transformer.translator(bahdanau.load().gloss),
}
"""How a figure of each kind is made; some take seconds."""


@cache
def html(kind: str) -> str:
    """The HTML of a kind."""
    return MADE[kind]()._repr_html_()


def _shoot(folder: Path, kinds: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    from tools.inputs.machine import browser_path

    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        for kind in kinds or MADE:
            for width in (1280, 390):
                page = browser.new_page(viewport={"width": width, "height": 900})
                for name, ground in (("light", LIGHT), ("dark", DARK)):
                    page.set_content(page_of(html(kind), ground))
                    page.locator(".cl-fig[data-on]").wait_for()
                    picture = folder / f"{kind}-{width}-{name}.png"
                    page.screenshot(path=picture, full_page=True)
                page.close()


if __name__ == "__main__":
    _shoot(Path(sys.argv[1]), sys.argv[2:])
