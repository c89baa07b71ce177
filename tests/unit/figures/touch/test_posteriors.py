"""A soft alignment to touch: the posteriors as they were given, in words of an aligner."""

import re

import pytest

from course_lib.figures.touch.attention import AttentionExample
from course_lib.figures.touch.posteriors import posterior_explorer

PAIR = AttentionExample(
    ["he", "waits", "NULL"],
    ["er", "wartet"],
    [[0.75, 0.0, 0.25], [0.0, 1.0, 0.0]],
    {(0, 0)},
    {(1, 1)},
    "he waits (a title)",
    1,
)


def test_it_holds_the_posteriors_and_says_where_words_came_from():
    figure = posterior_explorer([PAIR, PAIR])
    assert figure.alt == (
        "Soft alignments, 2 sentence pairs. In the first, each target word came most from: "
        "“er” from “he” (0.75), “wartet” from “waits” (1.00)."
    )
    html = figure._repr_html_()
    cells = re.findall(r"<td class[^>]*>([^<]*)<", html)[:6]
    assert cells == [".75", "", ".25", "", "1", ""]
    assert "Posteriors: source across, target down; ◆ true link, ◇ possible link." in html
    assert "Attention weights" not in html
    assert '"opened":[1,1]' in html
    assert "he waits (a title)" in html


def test_a_word_that_nobody_can_have_written_came_from_no_word():
    figure = posterior_explorer([AttentionExample(["he"], ["er"], [[0.0]])])
    assert figure.detail.endswith("“er” from no word.")


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_what_is_no_posterior_is_refused(value):
    with pytest.raises(ValueError, match=r"must lie in 0\.\.1"):
        posterior_explorer([AttentionExample(["he"], ["er"], [[value]], title="small")])
