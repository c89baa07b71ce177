"""The tree of a beam search: what the script is given, the table, and what is refused."""

import json
import re

import pytest

from course_lib.figures.touch.beams import Node, Search, beam_tree

GREEDY = Search([[Node("der", 0, -0.5, False)], [Node("END", 0, -1.5, True)]], ["der"], -1.5)
WIDE = Search(
    [
        [Node("der", 0, -0.5, False), Node("ein", 0, -0.9, False)],
        [Node("END", 1, -1.0, True), Node("END", 0, -1.5, True)],
    ],
    ["ein"],
    -1.0,
)


def test_what_the_script_is_given():
    html = beam_tree(["a", "."], ["ein"], {1: GREEDY, 2: WIDE})._repr_html_()
    (data,) = re.findall(r"^startFigure\(\"[\w-]+\",\w+,(.*)\);$", html, flags=re.MULTILINE)
    told = json.loads(data)
    assert told["widths"] == [1, 2]
    assert told["searches"][1]["steps"][1][0] == ["END", 1, -1.0, True]
    assert told["right"] == ["ein"]


def test_the_table_follows_the_parents():
    figure = beam_tree(["a", "."], ["ein"], {1: GREEDY, 2: WIDE})
    rows = re.findall(r"<tr>(.*?)</tr>", figure._repr_html_())
    cells = [[re.sub("<.*?>", "", c) for c in re.findall(r"<t[hd].*?</t[hd]>", r)] for r in rows]
    assert cells[-2:] == [["2", "ein END", "−1.00"], ["2", "der END", "−1.50"]]
    assert "1 beam: “der” −1.50, wrong; 2 beams: “ein” −1.00, right" in figure.alt


@pytest.mark.parametrize(
    ("searches", "said"),
    [
        ({2: WIDE}, "one beam"),
        ({1: GREEDY}, "wider"),
        ({1: WIDE, 2: WIDE}, "1 to 1"),
        ({1: GREEDY, 2: Search([[]], [], 0.0)}, "1 to 2"),
        ({1: GREEDY, 2: Search([[Node("a", 1, 0, False)]], [], 0.0)}, "not there"),
        (
            {1: GREEDY, 2: Search([[Node("E", 0, 0, True)], [Node("b", 0, 0, False)]], [], 0.0)},
            "not there",
        ),
    ],
)
def test_what_is_refused(searches, said):
    with pytest.raises(ValueError, match=said):
        beam_tree(["a"], ["b"], searches)
