"""Figures to touch with numbers small enough to check by hand: each control says what it should."""

import numpy as np
import pytest

from course_lab.experiments.self_attention import tape
from course_lab.figures.touch.attention import (
    AttentionExample,
    attention_explorer,
    posterior_explorer,
)
from course_lab.figures.touch.chain import unrolled_chain
from course_lab.figures.touch.cost import Cache, Quantity, growing_costs
from course_lab.figures.touch.em import em_steps
from course_lab.figures.touch.glances import Look, Scene, glances
from course_lab.figures.touch.heat import HeatedDocument, document_heat
from course_lab.figures.touch.length import length_explorer
from course_lab.figures.touch.lookup import soft_lookup
from course_lab.figures.touch.memory import matrix_memory
from course_lab.figures.touch.plane import attention_plane
from course_lab.figures.touch.rows import attention_rows
from course_lab.figures.touch.scale import scale_laboratory
from course_lab.figures.touch.stack import Heads, Station, Strip, follow
from course_lab.figures.touch.swap import Intervention, swap
from course_lab.figures.touch.tape import growing_tape
from course_lab.figures.touch.unfold import DecoderStep, unfold
from course_lab.figures.touch.window import WindowExample, sliding_window
from tests.book.driver import SAY, check_figure


def make_attention():
    short = AttentionExample(
        ["the", "house"], ["das", "Haus"], [[1.5, 0.0], [-1.0, 2.0]], {(0, 0)}, {(1, 1)}, "short"
    )
    cat = AttentionExample(["a", "cat"], ["eine", "Katze"], np.eye(2), title="a cat")
    return attention_explorer([short, cat])


def make_chain():
    tanh = {"× 0.5": [1, 0.1, 1e-4, 1e-9, 0], "× 2": [1, 0.9, 0.8, 0.6, 0.5]}
    relu = {"× 2": [1, 8, 3e3, 5e6, float("inf")], "× 3": [1, 9, 3e4, 5e9, 1e20]}
    return unrolled_chain({"tanh": tanh, "ReLU": relu}, [0, 1, 5, 20, 50])


def make_cost():
    operations = {"attention": [3e7, 3e8, 1.9e10], "GRU": [5e7, 3e8, 3.2e9]}
    seconds = {"attention": [0.002, 0.02, None], "GRU": [0.01, 0.06, 0.7]}
    quantities = [Quantity("operations", "", operations), Quantity("seconds", "s", seconds)]
    cache = Cache(2**30, {"eight heads": 2**18, "one head": 2**15})
    return growing_costs(lengths=[64, 384, 768], quantities=quantities, cache=cache, first=384)


def make_em():
    pairs = [(["the", "house"], ["das", "Haus"]), (["a"], ["ein"])]
    links = [[[[0.5, 0.5], [0.5, 0.5]], [[1.0]]], [[[0.7, 0.3], [0.4, 0.6]], [[1.0]]]]
    tables = [
        {"the": {"das": 0.5, "Haus": 0.5}, "house": {"das": 0.5, "Haus": 0.5}, "a": {"ein": 1.0}},
        {"the": {"das": 0.9, "Haus": 0.1}, "house": {"das": 0.2, "Haus": 0.8}, "a": {"ein": 1.0}},
    ]
    return em_steps(pairs, links, [-4.0, -3.5], tables=tables)


def make_glances():
    """Two digits of four patches, each read in two ways."""

    def scene(shift: int) -> Scene:
        hard, reward = np.roll([0.5, 0.3, 0.2, 0.0], shift), np.roll([-3, -0.5, -2, -4.0], shift)
        looks = [
            Look(3, (1 + shift) % 4, hard, 3, hard, reward, [8, 3, 5, 1]),
            Look(5, (2 + shift) % 4, hard, 9, hard[::-1], reward, [8, 3, 5, 1]),
        ]
        return Scene(np.linspace(0, 1, 16).reshape(4, 4), looks)

    return glances([scene(0), scene(1)], 2, [0.1, 0.6, 0.95, 0.4])


def make_heat():
    yes = HeatedDocument(
        "yes",
        [["the", "king"], ["a", "dog", "runs"]],
        [0.75, 0.25],
        [[0.125, 0.875], [0.25, 0.25, 0.5]],
        [0.875, 0.125],
        [[0.25, 0.75], [0.8, 0.2]],
        [[[0.7, 0.3], [0.1, 0.9]], [[0.6, 0.4]] * 3],
    )
    no = yes._replace(title="no", sentence_weights=[0.25, 0.75], answer=[0.25, 0.75])
    return document_heat([yes, no], ["yes", "no"], question="Is it?")


def make_length():
    curves = {"64": [[0.9, 0.2, 0.0], [0.8, 0.3, 0.1]], "256": [[1, 0.75, 0.5], [0.9, 0.65, 0.3]]}
    buckets = [(3, 9), (10, 19), (20, 30)]
    return length_explorer(buckets, curves, choose="width of the vector", y_name="exact match")


def make_lookup():
    keys = np.array([[0.2, 1.1], [0.5, 0.5], [-1.1, 0.5], [1.5, 1.5]])
    values = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.25]])
    words = ["dog", "cat", "horse", "sparrow"]
    return soft_lookup(words, keys, values, np.array([0.7, 0.45]), [1.5, 1.5])


def make_memory():
    """The two keys of chapter 15, at right angles in a wider matrix."""
    words = [("one", "red"), ("two", "blue")]
    narrow = np.array([[1.0, 0.0], [0.6, 0.8]]), np.array([[1.0, 0.0], [0.6, 0.8]])
    wide = np.eye(3)[:2], np.eye(3)[:2]
    return matrix_memory(words, {2: narrow, 3: wide}, width=2, pairs=2, asked=0)


PLANE = ["the", "dog", "sleeps"], np.array([[1.0, 0], [0, 1], [-1, -1]]), np.array([0.0, 1.0])


def make_posteriors():
    words, written = ["he", "waits", "NULL"], ["er", "wartet"]
    weights = [[0.25, 0.75, 0.0], [0.0, 1.0, 0.0]]
    pair = AttentionExample(words, written, weights, {(0, 0)}, {(1, 1)}, "he waits", 1)
    return posterior_explorer([pair])


def make_scale():
    dimensions = [1, 4, 16, 64]
    products = np.random.default_rng(0).normal(size=(2, 4, 5)) * np.sqrt(dimensions)[:, None]
    gradients = {"without": [0.3, 0.2, 0.01, 1e-4], "with": [0.3] * 4}
    return scale_laboratory(dimensions, products, gradients, first=16)


def make_stack():
    """Two words up to what comes next, past a look at themselves and one at the others."""
    words = {"source": ["the", "house", "<end>"], "target": ["<start>", "das", "Haus"]}
    vectors = np.array([[1.0, 0.0, -1.0, 0.5]] * 3)
    weights = np.array([[[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.25, 0.5, 0.25]]] * 2)
    weights[1] = [[0.25, 0.25, 0.5]] * 3
    scores, ones = np.array([[[0.5, -1.5, 2.0]] * 3] * 2), np.ones((2, 3, 2))
    heads = Heads(ones, ones, scores, weights, ones, ones, "source")
    own = heads._replace(reads="target", hides=True)
    inside = [Strip("normed", vectors), Strip("found", vectors)]
    look = {"entering": vectors, "inside": inside, "adds": True, "heads": heads}
    guesses = [[("das", 4.0, 0.9)], [("Haus", 5.0, 0.8)], [("<end>", -1.5, 1.0)]]

    def station(name: str, side: str, words: str, **more) -> Station:
        return Station(name, side, "4 numbers", words, "here", **more)

    stations = [
        station("token", "source", "{word}.", inside=[Strip("row", vectors)], numbers=[4, 5, 6]),
        station("1 look", "source", "{word} asks.", **look),
        station("own", "target", "{word} looks back.", **{**look, "heads": own}),
        station("cross", "target", "{word} asks over there.", **look),
        station("words", "target", "What comes after {word}?", guesses=guesses),
    ]
    gloss = {"das": "the", "Haus": "house"}
    return follow(words, stations, chosen={"source": 1, "target": 2}, opened=3, gloss=gloss)


def make_swap():
    each = np.array([[0.0, 0.05, 0.05, 0.6, 0.2, 0.1, 0.0]] * 3)
    trials = [
        Intervention("as they are", "Three articles.", ["den", "die", "das"], each),
        Intervention("cover the noun", "The same.", ["den", "die", "das"], each, covered=4),
        Intervention("exchange the “the”s", "The next.", ["die", "das", "den"], each, lent=3),
    ]
    nouns = ("dog", "cat", "child")
    sentences = [("the", "woman", "sees", "the", noun, ".", "end") for noun in nouns]
    return swap(sentences, 4, "die Frau sieht", trials)


def make_unfold():
    state, context, after = [-0.5, 0.0, 1.0], [0.25, 0.0, -0.25], [1.0, -1.0, 0.0]
    rows = (
        ("START", [0.25, 0.75, 0.0, 0.0, 0.0], ("der", 0.75), ("ein", 0.25)),
        ("der", [0.0, 1.0, 0.0, 0.0, 0.0], ("Hund", 1.0), ("Junge", 0.0)),
        ("Hund", [0.0, 0.0, 1.0, 0.0, 0.0], ("schläft", 1.0), ("liest", 0.0)),
    )
    steps = [DecoderStep(read, state, w, context, after, words) for read, w, *words in rows]
    gloss = {"der": "the", "Hund": "dog", "schläft": "sleeps"}
    return unfold(["the", "dog", "sleeps", ".", "end"], steps, gloss, 1)


def make_window():
    scores = [[0, -100, -700, -300], [-50, 0, -20, -900], [-10, -400, 0, -30]]
    example = WindowExample(
        ["we", "saw", "it", "."],
        ["es", "sahen", "wir"],
        scores,
        [2.2, 1.0, 0.4],
        [(2, 0), (1, 1), (0, 2)],
        ["it", "saw", "we"],
    )
    return sliding_window([example], 1)


BOXES, BARS = ".cl-chain-row .cl-box", ".cl-bar-row .cl-share"
LINKS, MATRIX, WEIGHTS = ".cl-pair .cl-number", ".cl-t tbody td", "table:visible td"
PLANE_ROWS, LOOKS = ".cl-stage tbody tr:nth-child(1) td", ".cl-panel td.cl-w"
COLUMNS, OPEN = ".cl-panel thead th:not(.cl-unseen)", ".cl-station[aria-current=step]"
WINDOW, COLUMN = (
    ".cl-window-bars tbody td:last-child",
    ".cl-stage tbody tr:not(.cl-sums) td:nth-child({})",
)
FIGURES = {
    "attention": (make_attention, [
        ("see", WEIGHTS, ["", ".82◆", ".18", ".05", ".95◇"]),
        ("see", SAY, "Step 1 of 2: “das” looks at “the” 0.82, “house” 0.18. True: “the”."),
        ("point", ".cl-word:has-text('Haus')", SAY, "Step 2 of 2: “Haus” looks at “house” 0.95"),
        ("point", "tbody tr:visible >> nth=0", SAY, "Step 1 of 2"),
        ("focus", ".cl-target input >> nth=0", SAY, "Step 1 of 2"),
        ("keys", "ArrowRight", SAY, "Step 2 of 2"),
        ("keys", "ArrowRight", SAY, "“the” is looked at by “das” 0.82, “Haus” 0.05."),
        ("see", "td.cl-near-column", 2),
        ("slide", "Temperature", "3", SAY, "Temperature 8.00."),
        ("slide", "Temperature", "-3", SAY, "Temperature 0.125."),
        ("see", WEIGHTS, ["", "1◆", "", "", "1◇"]),
        ("check", "True links", False, "table:visible .cl-mark:visible", 0),
        ("check", "True links", True, "table:visible .cl-mark:visible", ["◆", "◇"]),
        ("take", "Sentence", 1, ".cl-target .cl-word", ["eine", "Katze"]),
    ]),
    "chain": (make_chain, [
        ("see", BOXES, ["0", "10⁻⁹", "10⁻⁴", "0.1", "1"]),
        ("choose", "× 2", BOXES, ["0.5", "0.6", "0.8", "0.9", "1"]),
        ("see", ".cl-chain-row .cl-grown", 0),
        ("choose", "ReLU", BOXES, ["∞", "5·10⁶", "3·10³", "8", "1"]),
        ("see", SAY, "explodes"),
        ("see", ".cl-chain-row .cl-grown", 3),
        ("choose", "× 3", BOXES, ["10²⁰", "5·10⁹", "3·10⁴", "9", "1"]),
    ]),
    "cost": (make_cost, [
        ("see", BARS, ["300 million", "300 million", "96 MiB", "12 MiB"]),
        ("slide", "words", "2", BARS, ["19 billion", "3.2 billion", "192 MiB", "24 MiB"]),
        ("see", ".cl-bar-row .cl-bar >> nth=1@style", "width: 16.8%;"),
        ("see", ".cl-bar-row .cl-mark >> nth=1@style", "left: 1.6%;"),  # of 384 words
        ("choose", "seconds", SAY, "768 words, seconds: attention not measured, GRU 700 ms."),
        ("slide", "words", "0", SAY, "64 words, seconds: attention 2 ms, GRU 10 ms."),
        ("press", "Step", SAY, "384 words, seconds: attention 20 ms, GRU 60 ms."),
        ("press", "Play", SAY, "768 words"),
    ]),
    "em": (make_em, [
        ("see", LINKS, [".50", ".50", "1"]),
        ("see", MATRIX, [".50", ".50", "", ".50", ".50", "", "", "", "1"]),
        ("slide", "rounds done", "1", LINKS, [".70", ".60", "1"]),
        ("see", MATRIX, [".90", ".10", "", ".20", ".80", "", "", "", "1"]),
        ("see", SAY, "After 1 iteration: log-likelihood −3.500, +0.500"),
        ("see", ".cl-strong", 3),
        ("press", "Step", SAY, "At the start: log-likelihood −4.000"),
        ("press", "Play", SAY, "After 1 iteration"),
    ]),
    "glances": (make_glances, [
        ("see", SAY, "The second digit. 30 glances at 3 patches."),
        ("see", ".cl-foot", ["the 3", "", "the 5", "to report", "2 others", "together"]),
        ("see", ".cl-dot", 90),
        ("press", "Step", SAY, "The first digit. 1 glance "),
        ("see", BARS, ["2.11", "0.29"]),
        ("choose", "expected reward", ".cl-title >> nth=2", "with a baseline"),
        ("press", "Look again", ".cl-read >> nth=1", "row 1, column 2 and says 3"),
        ("press", "Look again", ".cl-read >> nth=1", "row 2, column 1 and says 5"),
        ("choose", "second", SAY, "The second"),
        ("choose", "2", SAY, "It looks at row 2, column 1 and says 5: right. Reward −0.50."),
        ("press", "Reset", SAY, "30 glances"),
        ("see", ".cl-read >> nth=0", "wrong, it is 5"),
        ("press", "Step", SAY, "The first digit. 1 glance "),
        ("press", "Play", SAY, "The second digit. 1 glance "),
        ("press", "Draw 20 glances", SAY, "21 glances"),
    ]),
    "heat": (make_heat, [
        ("see", ".cl-word .cl-share", [".13", ".88"]),
        ("see", BARS, ["0.88", "0.13"]),
        ("press", "Cover sentence 1", BARS, ["0.25", "0.75"]),
        ("see", SAY, "The answer is now “no”"),
        ("see", ".cl-gone", ["the", "king", "the", "king"]),
        ("press", "Cover sentence 1", ".cl-gone", 0),
        ("click", ".cl-line >> nth=1", ".cl-word .cl-text", ["a", "dog", "runs"]),
        ("click", ".cl-word >> nth=2", BARS, ["0.60", "0.40"]),
        ("see", SAY, "“runs” in sentence 2, weight 0.50"),
        ("choose", "no", BARS, ["0.25", "0.75"]),
    ]),
    "length": (make_length, [
        ("see", "svg .cl-number", ["0.85", "0.25", "0.05"]),
        ("choose", "256", "svg .cl-number", ["0.95", "0.70", "0.40"]),
        ("see", SAY, "width of the vector 256: 0.95 at 3–9 words"),
        ("see", "polyline.cl-behind", 1),
    ]),
    "lookup": (make_lookup, [
        ("see", SAY, "Query (0.70, 0.45), dot product: most weight, 0.57, on sparrow."),
        ("choose", "distance", SAY, "distance: most weight, 0.76, on cat."),
        ("choose", "dot product", SAY, "dot product: most weight, 0.57, on sparrow."),
        ("slide", "temperature", "-3", COLUMN.format(3), ["0.00", "0.00", "0.00", "1.00"]),
        ("focus", ".cl-q", SAY, "Query (0.70"),
        ("keys", "ArrowLeft ArrowUp", SAY, "Query (0.60, 0.55)"),
        ("drag", ".cl-q .cl-grip", (-90, 40), SAY,
         "Query (-0.90, -0.10), dot product: most weight, 1.00, on horse."),
        ("see", ".cl-sum", "c = (0.00, 1.00); 1.58 from the star."),
    ]),
    "memory": (make_memory, [
        ("see", SAY, "2 pairs, width 2, add. Ask for one: red comes back, which is right."),
        ("see", "td.cl-barred", ["1.36", "1.20"]),
        ("choose", "two", "td.cl-barred", ["1.20", "1.36"]),
        ("choose", "delta", "td.cl-barred", ["0.60", "1.00"]),
        ("choose", "one", "td.cl-barred", ["1.00", "0.98"]),
        ("choose", "decay", "td.cl-barred", ["1.16", "1.08"]),
        ("choose", "attention", "td.cl-barred", ["0.99", "0.61"]),
        ("see", ".cl-bar-rows .cl-share", ["8", "8"]),
        ("choose", "3", ".cl-bar-rows .cl-share", ["12", "12"]),
        ("choose", "add", "td.cl-barred", ["1.00", "0.00"]),
        ("see", ".cl-bar-rows .cl-share", ["9", "12"]),
        ("slide", "pairs", "1", SAY, "1 pair, width 3, add. Ask for one: red comes back"),
        ("press", "Step", SAY, "2 pairs"),
        ("press", "Reset", SAY, "2 pairs, width 2, add."),
        ("slide", "pairs", "1", SAY, "1 pair, width 2, add."),
        ("press", "Play", SAY, "2 pairs, width 2, add."),
        ("choose", "3", SAY, "2 pairs, width 3, add."),
    ]),
    "plane": (lambda: attention_plane(*PLANE), [
        ("see", PLANE_ROWS, ["1.523", "4.587", "0.598"]),
        ("see", ".cl-sum", "c = (0.54, 0.28)"),
        ("press", "Step", ".cl-c:visible", 0),
        ("press", "Step", PLANE_ROWS, ["1.523", "", ""]),
        ("press", "Step", PLANE_ROWS, ["1.523", "4.587", "0.598"]),
        ("press", "Step", SAY, "never leaves the triangle"),
        ("press", "Play", SAY, "Three words, three annotations."),
        ("focus", ".cl-q", SAY, ""),
        ("keys", "ArrowRight ArrowDown", SAY, "s = (0.10, 0.90)"),
        ("drag", ".cl-q .cl-grip", (-900, 60), SAY,
         "s = (-2.00, 0.05), weights 0.33, 0.56, 0.12, c = (0.21, 0.44)"),
    ]),
    "posteriors": (make_posteriors, [
        ("see", SAY, "“wartet” came from “waits” 1.00. No true link."),
        ("see", "input[type=range]", 0),
        ("choose", "er", SAY, "“er” came from “waits” 0.75, “he” 0.25. True: “he”."),
        ("click", ".cl-source .cl-word >> nth=2", SAY, "“NULL”"),
        ("see", "td.cl-wrong", [".75×"]),
        ("see", "td.cl-sure", [".25◆"]),
        ("check", "True links", False, "table:visible .cl-mark:visible", 0),
    ]),
    "rows": (lambda: attention_rows(*PLANE), [
        ("see", ".cl-stage tbody tr:nth-child(3) td", ["1.5", "1.0", "−0.8"]),
        ("see", ".cl-stage tbody tr:nth-child(4) td", ["0.60", "0.34", "0.06"]),
        ("see", ".cl-stage tbody tr:nth-child(6) td", ["0.540.28"]),
        ("press", "Step", SAY, "The encoder has left one annotation for each word."),
        ("press", "Step", SAY, "The decoder's state asks each of them"),
        ("press", "Play", SAY, "Their sum is the context."),
        ("press", "Step", SAY, "The encoder has left one annotation for each word."),
    ]),
    "scale": (make_scale, [
        ("see", SAY, "Dimension 16: the largest weight is 0.70 without the scale, 0.38 with it."),
        ("slide", "dimension", "3", COLUMN.format(3), ["0.00", "0.00", "0.00", "0.01", "0.99"]),
        ("see", COLUMN.format(4), ["0.08", "0.09", "0.12", "0.25", "0.46"]),
        ("press", "Other keys", COLUMN.format(2), ["2.8", "-5.2", "-1.0", "6.3", "11.9"]),
        ("press", "Step", SAY, "Dimension 1:"),
        ("press", "Play", SAY, "Dimension 64:"),
    ]),
    "stack": (make_stack, [
        ("see", SAY, "“Haus” asks over there."),
        ("see", LOOKS, [".25", ".50", ".25"]),
        ("see", COLUMNS, ["key", "score", "weight", "value", "× weight"]),
        ("see", ".cl-panel tbody th", ["the", "house", "<end>", "sum"]),
        ("see", ".cl-panel tbody td:nth-of-type(2)", ["0.5", "−1.5", "2.0", ""]),
        ("press", "head 2", LOOKS, [".25", ".25", ".50"]),
        ("press", "Back", OPEN, "token"),
        ("press", "Step", COLUMNS, ["key", "score"]),
        ("press", "Step", COLUMNS, ["key", "score", "weight"]),
        ("press", "Step", COLUMNS, ["key", "score", "weight", "value", "× weight"]),
        ("press", "Back", COLUMNS, ["key", "score", "weight"]),
        ("click", ".cl-station:has-text('look')", SAY, "“house” asks."),
        ("keys", "ArrowUp", OPEN, "own"),
        ("see", ".cl-panel tbody th", ["<start>", "das", "Haus", "sum"]),
        ("click", ".cl-chip:has-text('das')", ".cl-panel tbody th",
         ["<start>", "das", "1 later", "sum"]),
        ("see", ".cl-chip.cl-later", "Haus"),
        ("press", "Step", OPEN, "cross"),
        ("press", "Step", OPEN, "words"),
        ("press", "Step", SAY, "“Haus” was written and is fed in"),
        ("press", "the", SAY, "“the”."),
        ("see", ".cl-strip .cl-note", ["row"]),
        ("press", "Play", SAY, "What comes after “Haus”?"),
        ("click", ".cl-station:has-text('token')", OPEN, "token"),
    ]),
    "swap": (make_swap, [
        ("see", SAY, "Three articles."),
        ("choose", "cover the noun", ".cl-stage table:visible b", ["den", "die", "das"]),
        ("see", ".cl-covered:visible", 3),
        ("see", ".cl-new:visible", 0),
        ("choose", "exchange the “the”s", ".cl-stage table:visible b", ["die", "das", "den"]),
        ("see", ".cl-new:visible", 3),
        ("see", ".cl-lent:visible > small:last-child", ["cat’s", "child’s", "dog’s"]),
        ("see", SAY, "The next."),
    ]),
    "tape": (lambda: growing_tape(tape.load_maps(), tape.START_WORD), [
        ("see", SAY, "Step 10 reads “.”: 0.50 of its weight goes to the last place, “slept”"),
        ("press", "Back", SAY, "Step 9 reads"),
        ("see", ".cl-tape-cell", 18),
        ("take", "sentence", 1, SAY, "Step 8 reads “.”: 0.94 of its weight goes to the last place"),
        ("see", ".cl-tape-weight", ["0", "0", "0", ".02", ".04", "0", ".94"]),
        ("press", "Step", SAY, "Step 1 reads"),
        ("press", "Step", ".cl-tape-cell", ["h₁", "c₁", "h₂", "c₂"]),
        ("press", "Play", SAY, "Step 8 reads “.”"),
        ("press", "Back", SAY, "Step 7 reads “children”: 0.01 of its weight"),
    ]),
    "unfold": (make_unfold, [
        ("see", ".cl-written .cl-word:not(.cl-later)", ["der", "Hund"]),
        ("press", "Step", "tbody tr:not(.cl-off) th:visible", 1),
        ("press", "Step", "tbody tr:not(.cl-off) th:visible", 2),
        ("press", "Step", "tbody tr:not(.cl-off) th:visible", 3),
        ("press", "Step", "tbody tr:not(.cl-off) th:visible", 4),
        ("press", "Step", SAY, "“schläft” (sleeps) comes out"),
        ("see", "table:visible caption", "Step 3, after “Hund”"),
        ("press", "Step", SAY, "“START” stands written"),
        ("press", "Step", SAY, "most is on “dog”"),
        ("press", "Play", SAY, "“schläft” (sleeps) comes out, and the next step reads it."),
        ("press", "Step", SAY, "“START” stands written"),
    ]),
    "window": (make_window, [
        ("see", SAY, "Step 2, “wir” (we): position 2, the window holds “saw it .”."),
        ("see", ".cl-window-count", "2 of 3 gold links fall outside"),
        ("see", WINDOW, ["0.00", "0.10", "0.48", "0.42", "1.00"]),
        ("choose", "local-p", ".cl-window-count", "0 of 3"),
        ("see", WINDOW, ["0.60", "0.09", "0.00", "0.00", "0.68"]),
        ("slide", "Radius D", "2", WINDOW, ["0.41", "0.08", "0.13", "0.00", "0.62"]),
        ("choose", "sahen", SAY, "Step 1, “sahen”"),
        ("press", "Step", SAY, "Step 2, “wir”"),
        ("press", "Step", SAY, "Step 0, “es”"),
        ("press", "Play", SAY,
         "Step 2, “wir” (we): predicted position 0.4, the window holds “we saw it”."),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("kind", FIGURES)
def test_figure(show, kind):
    make, rows = FIGURES[kind]
    # Soft alignments are the explorer of attention in other words.
    key = "attention" if kind == "posteriors" else kind
    check_figure(show, make()._repr_html_(), key, rows)
