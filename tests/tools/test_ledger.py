"""The ledger says what the notebooks say."""

import pytest

from course_lab.claims import CLAIMS
from tools import ledger


@pytest.fixture(scope="module")
def entries():
    return ledger.entries()


def test_the_page_is_what_the_notebooks_say(entries):
    assert ledger.PAGE.read_text(encoding="utf-8") == ledger.contents(entries), "make notebooks"


def test_every_claim_is_measured(entries):
    assert {entry.finding.identifier for entry in entries} == {*CLAIMS}


def test_claims_that_fail_come_first_and_are_counted_once(entries):
    first = entries[0].finding
    weak = entries[0]._replace(finding=first._replace(verdict="does not hold"), stem="later")
    other = next(e for e in entries if e.finding.identifier != first.identifier)
    strong = other._replace(finding=other.finding._replace(verdict="holds"))
    strong_too = entries[0]._replace(finding=first._replace(verdict="holds"))
    page = ledger.table([strong, strong_too, weak])
    assert "2 claims. does not hold: 1, holds in part: 0, holds: 1." in page
    places = [page.index(f"[{e.finding.identifier}]") for e in (weak, strong)]
    assert places == sorted(places)
