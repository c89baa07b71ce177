"""The tree of a beam search: what the script is given, the table, and what is refused."""

import json
import re

from course_lab.figures.touch.beams import Node, Search, beam_tree

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
    assert cells[-2:] == [["2", "ein END", "−1.000", "yes"], ["2", "der END", "−1.500", "yes"]]
    assert "1 beam: “der” −1.500, wrong; 2 beams: “ein” −1.000, right" in figure.alt
    # A narrow search did not keep what the widest one knows.
    assert ["1", "ein", "−0.900", "no"] in cells


def test_what_was_dropped_continues_what_was_kept_and_fills_no_more_rows_than_the_widest():
    a, b, c = Node("a", 0, -0.1, False), Node("b", 0, -1.0, False), Node("c", 0, -2.0, False)
    x, y, z = Node("x", 1, -2.0, False), Node("y", 0, -3.0, False), Node("z", 0, -4.0, False)
    narrow = [[a], [y], [Node("END", 0, -5.0, True)]]
    two, wide = [[a, b], [x]], [[a, b, c], [x, y, z]]
    html = beam_tree(
        ["a"], ["b"], {n: Search(s, [], -4.0) for n, s in ((1, narrow), (2, two), (3, wide))}
    )._repr_html_()
    (data,) = re.findall(r"^startFigure\(\"[\w-]+\",\w+,(.*)\);$", html, flags=re.MULTILINE)
    dropped = [found["dropped"] for found in json.loads(data)["searches"]]
    # x continues what one beam dropped; z continues what both kept.
    assert [[node[0] for node in step] for step in dropped[0]] == [["b", "c"], ["z"], []]
    assert [[node[0] for node in step] for step in dropped[1]] == [["c"], ["y", "z"]]
    assert dropped[2] == [[], []]
