"""What all figures to touch share: words stay words, ids are counted."""

import json
import re

import pytest

from course_lab.figures.touch.attention import AttentionExample, attention_explorer
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.em import em_steps
from course_lab.figures.touch.length import length_explorer
from course_lab.figures.touch.plane import attention_plane
from course_lab.figures.touch.stack import Station, follow
from course_lab.figures.touch.swap import Intervention, swap
from course_lab.figures.touch.verdict import Menus, verdict

EVIL = '</script><img src=x onerror="alert(1)">&'


def figures(word: str = "house") -> dict[str, Interactive]:
    """Of each way in which words get into a page; tests/book opens every figure there is."""
    even = [[0.5, 0.5], [0.0, 1.0]]
    return {
        "length": length_explorer(
            [(1, 2), (3, 9)], {word: [[0.5, 0.25], [0.75, 0.0]]}, choose=word, y_name=word
        ),
        "em": em_steps([(["the", word], ["das", word])], [[even], [even]], [-4.0, -3.0]),
        "plane": attention_plane(["the", word], [[1.0, 0.0], [0.0, 1.0]], [0.5, 0.5]),
        "attention": attention_explorer(
            [AttentionExample(["the", word], [word], [[0.0, 2.0]], {(1, 0)}, title=word)]
        ),
        "stack": follow(
            {"source": ["the", word], "target": [word]},
            [Station(word, "target", "2 scores", "{word}", "there", guesses=[[(word, 0.5, 1.0)]])],
            chosen={"source": 0, "target": 0},
            opened=0,
        ),
        "swap": swap(
            [["the", word], ["the", "dog"]],
            1,
            word,
            [Intervention(word, word, [word, "die"], even)],
        ),
        "verdict": verdict(
            b"",
            ["∅", word],
            Menus({"who": (word,)}, (0,), (0,)),
            ["yes", "no"],
            premise=["∅", word],
            hypothesis=["∅", word],
            weights=even,
            shares=[0.75, 0.25],
        ),
    }


def told(html: str) -> dict:
    """The data that the script is given."""
    (data,) = re.findall(r"^startFigure\(\"[\w-]+\",\w+,(.*)\);$", html, flags=re.MULTILINE)
    return json.loads(data)


@pytest.mark.parametrize("kind", figures())
def test_words_that_are_markup_stay_words(kind):
    html = figures(EVIL)[kind]._repr_html_()
    assert "<img" not in html
    assert html.count("</script>") == html.count("<script>") == 1
    assert "&lt;/script&gt;&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;" in html
    assert EVIL in json.dumps(told(html), ensure_ascii=False).replace('\\"', '"')


def test_two_figures_of_a_kind_have_two_ids_that_their_data_do_not_change():
    ids = [figures(word)["plane"].id for word in ("house", "garden", "house")]
    numbers = [int(each.removeprefix("cl-plane-")) for each in ids]
    assert numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2]
