"""The home page gives what chapter 4 stored; every chapter is announced."""

import json
import math
import re
from pathlib import Path

import yaml
from course_book import charts

from course_lab.experiments.bahdanau import in_page

ROOT = Path(__file__).parents[2]


def test_home_gives_the_stored_numbers():
    home = " ".join((ROOT / "book" / "index.md").read_text("utf-8").split())
    records = json.loads((ROOT / charts.BOTTLENECK).read_text("utf-8"))
    tried = [tried for _, _, tried, _ in records[0]["bins"]]

    def rates(*models, least=0):
        runs = [record["bins"] for record in records if record["model"] in models]
        return [exact / n for run in runs for low, _, n, exact in run if low >= least]

    assert f"How many of {sum(tried)} English sentences" in home
    one_vector = math.ceil(100 * max(rates("cho", "cho4", least=30)))
    assert f"at most {one_vector} % of the sentences of 30 words or more" in home
    assert f"gets at most {one_vector} % right" in home
    attention = math.floor(100 * min(rates("bahdanau")))
    assert f"translates at least {attention} %." in home
    assert f"{attention} % or more at every length" in home


def test_home_gives_the_size_of_the_vocabulary():
    words = in_page.load().words["source"]
    number = len([word for word in words if re.fullmatch("[A-Za-z]+", word)])
    home = (ROOT / "book" / "index.md").read_text("utf-8")
    assert f"In a toy language of {number} words," in home


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
