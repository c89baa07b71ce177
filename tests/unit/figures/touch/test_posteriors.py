"""A soft alignment to touch: the posteriors as they were given, in words of an aligner."""

import dataclasses
import re

from course_lab.figures.touch.attention import AttentionExample, posterior_explorer

PAIR = AttentionExample(
    ["he", "waits", "NULL"],
    ["er", "wartet"],
    [[0.75, 0.0, 0.25], [0.0, 1.0, 0.0]],
    {(0, 0)},
    {(1, 1)},
    "he waits (a title)",
    1,
)


def test_it_holds_the_posteriors():
    html = posterior_explorer([PAIR, PAIR])._repr_html_()
    cells = re.findall(r"<td class[^>]*>([^<]*)<", html)[:6]
    assert cells == [".75", "", ".25", "", "1", ""]
    assert "Posteriors: source across, target down; ◆ true link, ◇ possible link." in html
    assert "Attention weights" not in html
    assert '"opened":[1,1]' in html
    assert "he waits (a title)" in html


def test_a_tie_is_wrong_only_where_the_models_own_choice_is():
    tied = AttentionExample(["a", "b", "a", "NULL"], ["x", "y"], [[0.5, 0, 0.5, 0], [0, 1, 0, 0]])
    linked = dataclasses.replace(tied, links={(2, 0), (1, 1)})
    wrong = 'class="cl-mark" role="img" aria-label="wrong link"'
    # The first of the two is taken where nobody says which.
    assert posterior_explorer([linked])._repr_html_().count(wrong) == 1
    right = posterior_explorer([linked], chosen=[{(2, 0), (1, 1)}])
    assert right._repr_html_().count(wrong) == 0
    both = posterior_explorer([linked, linked], chosen=[{(2, 0), (1, 1)}, {(0, 0), (3, 1)}])
    assert both._repr_html_().count(wrong) == 1
    # Where no link is known, none is wrong.
    assert posterior_explorer([tied], chosen=[{(0, 0)}])._repr_html_().count(wrong) == 0
