"""The home page's figure and headline say what was measured in chapter 4, and look like it."""

import math
import re
from itertools import pairwise

from course_book import collapse

from course_lab.experiments.bahdanau import in_page
from course_lab.experiments.lab.stored import load_stored
from course_lab.figures.palette import MODELS
from course_lab.figures.style import line_styles
from tools.contents import pages_listed
from tools.project import ROOT


def test_the_home_page_figure_says_what_was_stored():
    bins, rates, sentences = collapse.curves()
    records = [r for r in load_stored(collapse.STORED) if r["model"] in collapse.NAMES]
    assert sentences == sum(count for _, _, count, _ in records[0]["bins"])
    assert all(before[1] < after[0] for before, after in pairwise(bins))
    lowest = min(min(run) for run in rates["attention"])
    assert f"{math.floor(100 * lowest)} % or more at every length" in collapse.caption()
    squeezed = [run for name, runs in rates.items() if name != "attention" for run in runs]
    assert len(squeezed) == 2 * len(rates["attention"])
    found = collapse.measured()
    beyond = [low for low, _ in bins].index(found.words)
    assert found.one_vector == max(max(run[beyond:]) for run in squeezed)
    assert max(run[beyond - 1] for run in squeezed) > 0.05
    assert "one vector" in collapse.picture().alt
    assert f"of {found.words} words or more without an error" in collapse.headline()


def test_the_home_page_and_chapter_4_draw_a_model_alike() -> None:
    names = collapse.NAMES
    home = line_styles(names.values())
    text = (ROOT / "book" / "chapters" / "04_bahdanau.md").read_text(encoding="utf-8")
    drawn = dict(re.findall(r'"(\w+)": \("([^"]+)", \(\d, \(', text))
    assert {"bahdanau", "equal4", "cho4", "cho"} == set(drawn)
    chapter_4 = line_styles(drawn.values())
    for key, name in names.items():
        assert home[name] == chapter_4[drawn[key]], name
    assert chapter_4[drawn["equal4"]].colour == MODELS["equal"].light


def test_the_home_page_says_how_large_the_language_is():
    words = in_page.load().words["source"]
    number = len([word for word in words if re.fullmatch("[A-Za-z]+", word)])
    assert f"In a toy language of {number} words," in collapse.headline()


def test_every_chapter_has_a_card_on_the_home_page_and_a_row_for_instructors():
    home, teach = ((ROOT / "book" / f"{name}.md").read_text("utf-8") for name in ("index", "teach"))
    for page in pages_listed(ROOT):
        if found := re.match(r"notebooks/(\d\d[a-z]?)_", page):
            assert f":link: /{page}\n" in home, page
            assert f"| {{{{ ch{found[1]} }}}} |" in teach, page
