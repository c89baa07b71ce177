"""The bibliography: every entry can be found again, and every key that a page cites is there."""

import re
from pathlib import Path

import pytest
from pybtex.database import parse_file

BOOK = Path(__file__).parents[2] / "book"
ENTRIES = parse_file(str(BOOK / "references.bib"), bib_format="bibtex").entries
_ARXIV = re.compile(r"arXiv:\d{4}\.\d{4,5}")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_CITED = re.compile(r"\{cite:\w+\}`([^`]+)`")


@pytest.mark.parametrize("key", list(ENTRIES))
def test_an_entry_is_complete(key):
    fields = ENTRIES[key].fields
    assert fields["title"]
    assert re.fullmatch(r"(19|20)\d\d", fields["year"])
    addresses = [fields.get("doi", ""), fields.get("url", ""), fields.get("note", "")]
    assert any(_DOI.fullmatch(a) or a.startswith("https://") or _ARXIV.search(a) for a in addresses)
    if ENTRIES[key].type in ("article", "inproceedings"):
        assert fields.get("journal") or fields.get("booktitle")
    if ENTRIES[key].type == "article":
        assert fields["volume"]
    if "pages" in fields:
        first, last = map(int, re.fullmatch(r"(\d+)--(\d+)", fields["pages"]).groups())
        assert first <= last


@pytest.mark.parametrize("page", sorted(BOOK.rglob("*.md")), ids=lambda path: path.stem)
def test_every_cited_key_is_in_the_bibliography(page):
    cited = _CITED.findall(page.read_text(encoding="utf-8"))
    keys = {key.strip() for group in cited for key in group.split(",")}
    assert keys <= set(ENTRIES), keys - set(ENTRIES)
