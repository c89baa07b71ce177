"""Drawings: what is drawn is told, stands inside, has a colour, and follows light and dark."""

import re
import xml.etree.ElementTree as ET
from fractions import Fraction

import numpy as np
import pytest
import torch

from course_lab.figures.drawn import (
    bell,
    gradient_way,
    hand_states,
    kept_number,
    readings_in_plane,
    shares_by_hand,
    three_glances,
    three_pairs,
)
from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Cells, Group, Label
from course_lab.figures.drawn.plane_by_hand import ANIMAL, BARKS, DOG, found
from course_lab.figures.drawn.shelf import DRAWINGS, drawing
from course_lab.figures.drawn.three_keys import KEYS, QUERY
from course_lab.figures.palette import ROLES, SURFACES
from course_lab.figures.text import width_of
from course_lib.alignment.ibm1 import IBMModel1
from course_lib.attention.local import local_attention
from course_lib.recurrent.cells import lstm_update
from tools.project import ROOT

GREEK = {"α": "alpha", "β": "beta"}
SVG = "{http://www.w3.org/2000/svg}"

each_drawing = pytest.mark.parametrize("name", DRAWINGS)


def texts(drawn: Drawing) -> list[str]:
    root = ET.fromstring(drawn.svg())
    return ["".join(e.itertext()).replace("\u200b", "") for e in root.iter(f"{SVG}text")]


@each_drawing
def test_a_drawing_says_what_it_shows(name: str) -> None:
    drawn = drawing(name)
    inline, file = drawn.svg(), drawn.file()
    root = ET.fromstring(inline)
    assert root.get("role") == "img"
    for attribute, kind, text in (
        ("aria-labelledby", "title", drawn.title),
        ("aria-describedby", "desc", drawn.description),
    ):
        (found,) = (e for e in root if e.get("id") == root.get(attribute))
        # Its German words are marked, each an element of its own.
        assert (found.tag, "".join(found.itertext())) == (f"{SVG}{kind}", text)
    # Every letter of a symbol, and every word, is in the description too.
    told = drawn.description.lower()
    for part in drawn.parts:
        for letter in re.findall(r"\$(\w)", getattr(part, "text", "")):
            assert re.search(rf"\b{GREEK.get(letter, letter.lower())}\b", told), letter
    # Every colour is of the palette and follows the page; a file has both schemes and its ground.
    for role in {part.role for part in drawn.parts if not isinstance(part, Group)}:
        assert role in {*ROLES, *SURFACES}
        assert f"--mark:var(--course-{role}," in inline
    body = inline.split("</style>")[1]
    assert not re.findall(r"#[0-9a-f]{3}", body)
    assert not re.findall(r"<(?:text|rect|path|circle|polygon)[^>]* (?:fill|stroke)=", body)
    root = ET.fromstring(file)
    first = next(e for e in root if e.tag == f"{SVG}rect")
    assert (first.get("width"), first.get("height")) == ("100%", "100%")
    assert "prefers-color-scheme:dark" in file
    assert "prefers-color-scheme" not in inline
    assert float(root.get("width")) == 1.25 * drawn.width
    assert "http" not in file.replace("http://www.w3.org/2000/svg", "")


@each_drawing
def test_everything_stands_inside_and_on_a_phone_it_is_as_wide_as_the_page(name: str) -> None:
    drawn = drawing(name)
    assert drawn.width <= 360
    for part in drawn.parts:
        if isinstance(part, Label):
            wide = width_of(re.sub(r"[_{}$]", "", part.text), 13.0)
            share = {"start": 0, "middle": 0.5, "end": 1}[part.anchor]
            edges = [(part.x - share * wide, part.y - 10), (part.x + (1 - share) * wide, part.y)]
        elif isinstance(part, Arrow):
            edges = list(part.points)
        elif isinstance(part, Cells):
            (x, y), (dx, dy) = (part.x, part.y), part.half
            edges = [(x - dx, y - dy), (x + dx, y + dy)]
        elif isinstance(part, Group):
            edges = [(part.left, part.top), (part.left + part.wide, part.top + part.high)]
        else:
            edges = [(part.x - 10, part.y - 10), (part.x + 10, part.y + 10)]
        for x, y in edges:
            assert 0 <= x <= drawn.width, part
            assert 0 <= y <= drawn.height, part


def test_the_plane_shows_the_numbers_of_the_page() -> None:
    a, b = torch.tensor([DOG, BARKS]), torch.tensor([ANIMAL, BARKS])
    beta = (a @ b.T).softmax(dim=1) @ b
    assert found() == pytest.approx(beta[0].tolist(), abs=1e-6)
    drawn = drawing("plane_by_hand")
    assert f"the dog has {2 - beta[0, 0]:.3f} more" in texts(drawn)
    (dashed,) = (p for p in drawn.parts if isinstance(p, Arrow) and p.dashed and p.head)
    (x0, y0), (x, y) = dashed.points
    unit = (x - x0) / beta[0, 0].item()
    assert (y0 - y) / unit == pytest.approx(beta[0, 1].item(), abs=1e-5)


def test_the_states_of_the_hand_example_are_those_of_the_table_and_lie_where_they_say() -> None:
    table = {"dog": [(0.762, -0.762), (-0.845, -0.642)], "cat": [(-0.762, 0.762)]}
    for name, wanted in table.items():
        found = hand_states.states(hand_states.VECTORS[name])[1:]
        np.testing.assert_allclose(found[: len(wanted)], wanted, atol=5e-4)
    regions = {
        name: [
            np.argmax([2 * x, 2 * y, 0]) for x, y in hand_states.states(hand_states.VECTORS[name])
        ]
        for name in hand_states.VECTORS
    }
    # 0 is Hund, 1 Katze, 2 the end mark, as the description has it.
    assert regions == {"dog": [0, 0, 2], "cat": [1, 1, 1]}
    # The vectors (1, -1) and (-1, 1) stand above the ticks of their first numbers.
    parts = drawing("hand_states").parts
    ticks = {part.text: part.x for part in parts if isinstance(part, Label) and part.y > 300}
    dots = [part.x for part in parts if isinstance(part, Box)]
    assert list(ticks) == ["\N{MINUS SIGN}1", "0", "1"]
    assert (min(dots), max(dots)) == pytest.approx((ticks["\N{MINUS SIGN}1"], ticks["1"]), abs=2)


def test_the_three_keys_stand_above_the_numbers_that_are_their_dot_products() -> None:
    labels = {p.text: p for p in drawing("three_keys").parts if isinstance(p, Label)}
    for name, key in KEYS.items():
        score = f"{np.dot(QUERY, key):g}"
        assert labels[score].x == labels[name].x
        assert f"{name} {score}" in drawing("three_keys").description


def test_the_bars_under_the_bell_are_those_of_local_attention() -> None:
    near = local_attention(
        torch.ones(1, 1),
        torch.tensor(bell.SCORES)[:, None],
        torch.eye(5),
        torch.tensor([bell.PLACE]),
        radius=bell.RADIUS,
        score=lambda q, k: q @ k.mT,
        gaussian=True,
    )
    final = bell.weights()[1]
    np.testing.assert_allclose(near.over(5)[0], final, atol=1e-6)
    bars = [p for p in drawing("bell").parts if isinstance(p, Box) and p.role == "weight"]
    tall = [bar.high / max(bar.high for bar in bars) for bar in bars]
    np.testing.assert_allclose(tall, np.array(final[:4]) / max(final), atol=1e-6)


def test_the_three_glances_are_those_of_the_hand_example() -> None:
    alpha = torch.tensor(three_glances.CHANCES)
    exact = [-0.25, 0.375, -0.125]
    for baseline, middle in ((0.0, -0.75), (-2.5, 1.125)):
        rows = three_glances.says(baseline)
        np.testing.assert_allclose(alpha.numpy() @ rows, exact)
        assert rows[1, 1] == middle
    arrows = [p for p in drawing("three_glances").parts if isinstance(p, Arrow)]
    unit = three_glances.UNIT
    for baseline, glances in ((0.0, arrows[2:5]), (-2.5, arrows[8:11])):
        steps = [np.subtract(a.points[1], a.points[0]) * (1, -1) / unit for a in glances]
        np.testing.assert_allclose(steps, three_glances.says(baseline)[:, :2], atol=1e-9)
    means = [p for p in arrows if p.role == "ink"]
    for arrow in means:
        step = np.subtract(arrow.points[1], arrow.points[0]) * (1, -1) / unit
        np.testing.assert_allclose(step, exact[:2], atol=1e-9)
    assert len(means) == 2


def test_the_shares_by_hand_are_those_of_em() -> None:
    for done, shares in enumerate(shares_by_hand.ROUNDS):
        model = IBMModel1.fit(three_pairs.PAIRS, done, null=False)
        for (source, target), of_pair in zip(three_pairs.PAIRS[:2], shares, strict=True):
            numbers = [[float(Fraction(share)) for share in row] for row in of_pair]
            np.testing.assert_allclose(model.posterior(source, target), numbers, atol=1e-12)
    ways = [part for part in drawing("shares_by_hand").parts if isinstance(part, Arrow)]
    assert len(ways) == 2 * 2 * 4
    assert len({way.wide for way in ways[:8]}) == 1
    # As thick as in the figure to touch that goes on from here, so that 5/8 is seen to be more.
    script = (ROOT / "course_lab/figures/touch/em.js").read_text(encoding="utf-8")
    least, more = re.search(r'"stroke-width": \(([\d.]+) \+ ([\d.]+) \* weight\)', script).groups()
    assert (float(least), float(more)) == (shares_by_hand.THINNEST, shares_by_hand.PER_SHARE)
    assert ways[8].wide - ways[9].wide == pytest.approx(9.0 * (5 - 3) / 8)
    assert "round 2, “sie”: she 2/3, laughs 1/3" in drawing("shares_by_hand").description


def test_the_readings_in_plane_end_where_a_recurrent_net_ends() -> None:
    turn = torch.tensor([[0.5, -0.5], [0.5, 0.5]], dtype=torch.float64)
    for line in (["dog", "sees", "cat"], ["cat", "sees", "dog"]):
        h = torch.zeros(2, dtype=torch.float64)
        for word, state in zip(line, readings_in_plane.read(line)[1:], strict=True):
            h = torch.tanh(torch.tensor(readings_in_plane.WORDS[word]) + turn @ h)
            np.testing.assert_allclose(h.numpy(), state, atol=1e-12)
        end = ", ".join(f"{number:.3f}" for number in h.tolist())
        assert f"to {end}." in drawing("readings_in_plane").description
    parts = drawing("readings_in_plane").parts
    ways = [part for part in parts if isinstance(part, Arrow) and part.wide == 2]
    assert {way.role for way in ways} == {"state"}, "both are states"
    assert [way.dashed for way in ways] == [False] * 3 + [True] * 3
    ticks = {part.text: part.x for part in parts if getattr(part, "text", "") in ("1", "−1")}
    labels = {part.text for part in parts if isinstance(part, Label)}
    assert {"first component", "second component"} < labels
    assert ticks.keys() == {"1", "−1"}
    assert ways[0].points[1][0] - 180 == pytest.approx(0.762 * readings_in_plane.UNIT, abs=0.1)


def test_the_gradients_way_has_the_factors_that_autograd_finds() -> None:
    w = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    h0 = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    h1 = torch.tanh(w * h0)
    h2 = torch.tanh(w * h1)
    found = torch.autograd.grad(h2, (h0, h1, w))
    told = gradient_way.hand()
    np.testing.assert_allclose(told["gradients"][:2], [g.item() for g in found[:2]])
    np.testing.assert_allclose(sum(told["terms"]), found[2].item())
    ways = [p for p in drawing("gradient_way").parts if isinstance(p, Arrow) and p.role == "ink"]
    assert ways[1].wide / ways[0].wide == pytest.approx(told["gradients"][2] / told["gradients"][1])


def test_the_number_on_the_road_is_what_an_lstm_keeps_and_shows() -> None:
    cell, far = torch.zeros(1), 50.0  # sigmoid(50) is 1, tanh(50) is 1
    for step, (kept, state) in zip(kept_number.STEPS, kept_number.held(), strict=True):
        shut = [far * (2 * gate - 1) for gate in (step.write, step.forget, step.show)]
        gates = torch.tensor([[shut[0], shut[1], far * step.candidate, shut[2]]])
        hidden, cell = lstm_update(gates, cell.view(1, 1))
        assert (cell.item(), hidden.item()) == pytest.approx((kept, state), abs=1e-6)
    assert "cats f is 1, i is 0, the candidate -1" in drawing("kept_number").description
    drawn = texts(drawing("kept_number"))
    assert drawn.count("×") == 2 * len(kept_number.STEPS)
    assert drawn.count("1") == len(kept_number.STEPS)
