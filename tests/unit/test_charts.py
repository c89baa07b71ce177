import io

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course_lab import charts


@pytest.fixture(autouse=True)
def style():
    with plt.style.context(["default", charts.STYLE]):
        yield
    plt.close("all")


def test_the_same_chart_has_the_same_bytes():
    def drawn():
        _, ax = plt.subplots()
        charts.seeds_band(ax, [1, 2], [[0.1, 0.2], [0.3, 0.4]], label="two seeds")
        buffer = io.BytesIO()
        plt.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
        return buffer.getvalue()

    assert drawn() == drawn()


def test_a_band_spans_the_runs_and_its_line_is_their_middle():
    _, ax = plt.subplots()
    charts.seeds_band(ax, [1, 2], [[0.0, 3.0], [0.0, 5.0], [6.0, 10.0]], middle="median")
    assert ax.lines[0].get_ydata().tolist() == [0, 5]
    heights = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (0, 10)


def test_each_run_is_a_dot_in_the_row_of_its_name():
    _, ax = plt.subplots()
    charts.seeds_dots(ax, {"Cho": [0.25, 0.75], "Luong": [0.5]}, digits=2)
    dots = [line.get_xydata().tolist() for line in ax.lines if line.get_marker() == "o"]
    assert dots == [[[0.25, 0], [0.75, 0]], [[0.5, 1]]]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Cho", "Luong"]
    assert ax.texts[0].get_text() == "0.50"
    assert ax.yaxis_inverted()  # the first row is on top


def test_a_map_has_a_row_for_each_target_word_and_frames_its_links():
    weights = np.array([[1.0, 0.0, 0.0], [0.0, 0.2, 0.8]])
    charts.attention_map(weights, ["the", "dog", "sleeps"], ["der", "Hund"], links=[(2, 1)])
    ax = plt.gca()
    assert ax.images[0].get_array().shape == (2, 3)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["der", "Hund"]
    assert sorted(t.get_text() for t in ax.texts) == ["0.2", "0.8", "1.0"]
    assert ax.patches[0].get_xy() == (1.5, 0.5)
    with pytest.raises(ValueError, match="want weights"):
        charts.attention_map(weights.T, ["the", "dog", "sleeps"], ["der", "Hund"])


def test_a_table_rounds_once_for_text_and_page():
    table = charts.Table("Right", ["model", "share", "n"], {"a<b": [0.126, 1200], "c": [None, 1]})
    assert str(table).splitlines()[2].split() == ["a<b", "0.13", "1,200"]
    assert '<th scope="row">a&lt;b</th><td>0.13</td><td>1,200</td>' in table._repr_html_()
    assert "<td>–</td>" in table._repr_html_()


def test_a_rate_that_was_not_tried_is_a_dash():
    table = charts.by_rate("Loss", {"GRU": {0.01: 1.0}, "LSTM": {0.003: 2.0}}, digits=1)
    assert [line.split() for line in str(table).splitlines()[1:]] == [
        ["model", "0.003", "0.01"],
        ["GRU", "–", "1.0"],
        ["LSTM", "2.0", "–"],
    ]


def test_a_german_word_has_its_meaning_and_its_language():
    lines = charts.Glossed({"wrote": ["der", "Hund"]}, {"Hund": "dog"}, {"wrote": [1]})
    assert repr(lines) == "wrote  der Hund"
    html = lines._repr_html_()
    assert '<ruby lang="de"' in html
    assert '<u class="cl-marked">Hund</u><rp>(</rp><rt lang="en">dog</rt>' in html
