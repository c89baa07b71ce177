"""The bibliography: entries that can be found again, under keys that say whose they are."""

import re
import unicodedata

import pytest
from pybtex.database import parse_file

from tools.project import ROOT

ENTRIES = parse_file(str(ROOT / "book" / "references.bib"), bib_format="bibtex").entries
_ARXIV = re.compile(r"arXiv:\d{4}\.\d{4,5}")
_DOI = re.compile(r"10\.\d{4,9}/\S+")


@pytest.mark.parametrize("key", list(ENTRIES))
def test_an_entry_can_be_found_again(key):
    fields = ENTRIES[key].fields
    assert fields["title"]
    assert re.fullmatch(r"(19|20)\d\d", fields["year"])
    places = [fields.get("doi", ""), fields.get("url", ""), fields.get("note", "")]
    assert any(_DOI.fullmatch(p) or p.startswith("https://") or _ARXIV.search(p) for p in places)
    if ENTRIES[key].type in ("article", "inproceedings"):
        assert fields.get("journal") or fields.get("booktitle")
    if ENTRIES[key].type == "article":
        assert fields["volume"]
    if "pages" in fields:
        first, last = map(int, re.fullmatch(r"(\d+)--(\d+)", fields["pages"]).groups())
        assert first <= last


@pytest.mark.parametrize("key", list(ENTRIES))
def test_a_key_is_first_author_year_and_a_word_of_the_title(key):
    entry = ENTRIES[key]
    plain = unicodedata.normalize("NFKD", str(entry.persons["author"][0]))
    surname = re.sub(r"[^a-z]", "", plain.split(",")[0].lower())
    who, year, word = re.fullmatch(r"([a-z]+)(\d{4})(\w+)", key).groups()
    assert surname.startswith(who) or who.startswith(surname)
    assert year == entry.fields["year"]
    letters = re.sub(r"[^a-z0-9]", "", entry.fields["title"].lower())
    assert word in letters


def test_no_paper_stands_there_twice():
    titles = [re.sub(r"[^a-z0-9]", "", e.fields["title"].lower()) for e in ENTRIES.values()]
    assert len(titles) == len(set(titles))
