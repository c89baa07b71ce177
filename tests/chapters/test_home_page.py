"""The home page's figure and headline give what chapter 4 stored; every chapter is announced."""

import math
import re
from pathlib import Path

import yaml
from course_book import collapse

from course_lab.experiments.bahdanau import in_page
from course_lab.experiments.lab.stored import load_stored

ROOT = Path(__file__).parents[2]


def test_the_figure_and_the_headline_give_the_stored_numbers():
    bins, rates, sentences = collapse.curves()
    records = [r for r in load_stored(collapse.STORED) if r["model"] in collapse.NAMES]
    assert sentences == sum(count for _, _, count, _ in records[0]["bins"])
    lowest = min(min(run) for run in rates["attention"])
    assert f"{math.floor(100 * lowest)} % or more at every length" in collapse.caption()
    one_vector = [run for name, runs in rates.items() if name != "attention" for run in runs]
    measured = collapse.measured()
    beyond = [low for low, _ in bins].index(measured.words)
    assert measured.one_vector == max(max(run[beyond:]) for run in one_vector)
    assert f"of {measured.words} words or more without an error" in collapse.headline()
    (line, *_) = collapse.chart().axes[0].lines
    assert line.get_label() == "attention"
    assert min(line.get_ydata()) >= lowest


def test_the_headline_gives_the_size_of_the_vocabulary():
    words = in_page.load().words["source"]
    number = len([word for word in words if re.fullmatch("[A-Za-z]+", word)])
    assert f"In a toy language of {number} words," in collapse.headline()


def test_every_chapter_has_a_card_on_the_home_page_and_a_row_for_instructors():
    home, teach = ((ROOT / "book" / f"{name}.md").read_text("utf-8") for name in ("index", "teach"))
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    pages = [page["file"] for part in toc["parts"] for page in part["chapters"]]
    numbers = {page: re.match(r"notebooks/(\d\d[a-z]?)_", page) for page in pages}
    chapters = {page: found[1] for page, found in numbers.items() if found}
    assert len(chapters) == len(list((ROOT / "notebooks").glob("*.ipynb")))
    for page, number in chapters.items():
        assert f":link: /{page}\n" in home, page
        assert f"| {{{{ ch{number} }}}} |" in teach, page


def test_every_drawing_of_a_chapter_exists_and_none_is_left_over():
    chapters = (ROOT / "book" / "chapters").glob("*.md")
    text = "".join(path.read_text(encoding="utf-8") for path in chapters)
    shown = set(re.findall(r"\]\(drawings/([\w.]+)\)", text))
    assert shown == {path.name for path in (ROOT / "notebooks" / "drawings").iterdir()}
