"""The numbers that a figure shows without a script, and those that its script gets."""

import re

import numpy as np
import pytest

from course_lab.figures.touch.asking import Asked, asking
from course_lab.figures.touch.beams import Node, Search, beam_tree
from course_lab.figures.touch.forecast import forecast
from course_lab.figures.touch.glances import Look, Scene, glances
from course_lab.figures.touch.switches import FirstAnswers, switches
from course_lab.figures.touch.tape import growing_tape
from course_lab.figures.touch.verdict import Menus, verdict

LOOKS = [[0.2, 0.5, 0.3], [0.0, 1.0, 0.0]]


def ask():
    net = {name: [[1, 0]] for name in ("queries", "keys", "values")}
    net |= {"words": [[1, 0], [0, 1]], "answers": [[1], [0]]}
    sentence = Asked(["_", "Hut"], ["der"], "the hat")
    steps = {"weights": [[0.2, 0.8], [0.5, 0.5]], "shares": [[0.9, 0.1], [0.5, 0.5]]}
    return asking({"every word": net}, ["_", "Hut"], [sentence], ["der", "den"], steps=steps)


def write():
    following = {"cats": {"sleep": 0.75, ".": 0.25}, "": {"cats": 1.0, "sleep": 0.0}}
    words, written = ["<s>", "cats", "sleep", "."], {0.5: ["cats sleep ."]}
    return forecast(b"net", words, following, written, sums={"verbs": ["sleep"]}, stop=".", most=5)


def switch():
    return switches(
        b"net",
        ["<gap>", "a", "dog", "sleeps", "waits"],
        [(("a", "dog", "sleeps"), 2), (("a", "dog", "waits"), 1)],
        heads=2,
        gap_token=0,
        shown=2,
        usual=[[[0.0, 0.1], [0.2, 0.0]]],
        opening=FirstAnswers(["sleeps", "waits"], (0.7, 0.2), [LOOKS]),
    )


def judge():
    menus = Menus({"who": ("a dog", "a cat"), "does": ("sleeps",)}, (0, 0), (1, 0))
    sides = {"premise": ["∅", "a", "dog"], "hypothesis": ["∅", "a"]}
    words, answers, shares = ["∅", "a", "dog"], ("yes", "open", "no"), [0.7, 0.2, 0.1]
    return verdict(b"net", words, menus, answers, **sides, weights=LOOKS, shares=shares)


@pytest.mark.parametrize(
    ("make", "parts"),
    [
        (ask, [".80"]),
        (lambda: growing_tape({"a b": [[], [1.0], [0.3, 0.7]]}, "start"), ["start"]),
        (write, ["<td>sleep 0.75</td>", "<td>cats sleep .</td>", '"sums":[["verbs",[2]]]']),
        (switch, [">0.70<", ">.50<", "layer 1, head 2"]),
        (judge, [">0.70<", ">.30<"]),
    ],
)
def test_the_table_holds_what_was_passed_in(make, parts):
    figure = make()
    html = figure._repr_html_()
    assert all(part in html for part in parts)
    again = make()
    assert again._repr_html_().replace(again.id, figure.id) == html


GREEDY = Search([[Node("der", 0, -0.5, False)], [Node("END", 0, -1.5, True)]], ["der"], -1.5)
WIDE = Search(
    [
        [Node("der", 0, -0.5, False), Node("ein", 0, -0.9, False)],
        [Node("END", 1, -1.0, True), Node("END", 0, -1.5, True)],
    ],
    ["ein"],
    -1.0,
)


def test_the_table_of_a_beam_search_follows_the_parents():
    figure = beam_tree(["a", "."], ["ein"], {1: GREEDY, 2: WIDE})
    assert figure.data["widths"] == [1, 2]
    assert figure.data["searches"][1]["steps"][1][0] == Node("END", 1, -1.0, True)
    rows = re.findall(r"<tr>(.*?)</tr>", figure._repr_html_())
    cells = [[re.sub("<.*?>", "", c) for c in re.findall(r"<t[hd].*?</t[hd]>", r)] for r in rows]
    assert cells[-2:] == [["2", "ein END", "−1.000", "yes"], ["2", "der END", "−1.500", "yes"]]
    assert ["1", "ein", "−0.900", "no"] in cells  # the narrow search did not keep it


def test_the_script_of_the_glances_gets_the_scenes():
    even = np.full(4, 0.25)
    look = Look(7, 1, even, 3, even, -np.arange(4.0), [0, 1, 2, 3])
    scene = Scene(np.linspace(0, 1, 16).reshape(4, 4), [look, look])
    data = glances([scene, scene], 2, [0.25, 0.123456789]).data
    assert data["draws"] == [0.25, 0.12346]
    assert data["scenes"][0]["ink"] == ["0123", "4567", "9abc", "defg"]
    assert data["scenes"][1]["looks"][0]["hard"] == [0.25] * 4
