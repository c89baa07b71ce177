"""The ledger says what the notebooks say, and a verdict that turned is not written by itself."""

import pytest
import yaml

from tools import ledger


@pytest.fixture(scope="module")
def entries():
    return ledger.entries()


def test_page_and_record_are_what_the_notebooks_say(entries):
    for path, text in ledger.contents(entries).items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: make ledger"


def test_a_verdict_that_turned_or_vanished_stops_the_ledger(entries, monkeypatch):
    first, *rest = entries
    recorded = yaml.safe_load(ledger.RECORD.read_text(encoding="utf-8"))
    assert ledger.changes(recorded, ledger.by_chapter(entries)) == {}
    turned = first._replace(finding=first.finding._replace(verdict="does not hold"))
    for now, said in (([turned, *rest], "now 'does not hold'"), (rest, "now 'not measured'")):
        same = [e for e in now if e is turned or e[:2] != first[:2]]
        monkeypatch.setattr(ledger, "entries", lambda same=same: same)
        with pytest.raises(SystemExit, match=said):
            ledger.main([])


def test_claims_that_fail_come_first_and_are_counted_once(entries):
    first = entries[0].finding
    weak = entries[0]._replace(finding=first._replace(verdict="does not hold"), stem="later")
    other = next(e for e in entries if e.finding.identifier != first.identifier)
    strong = other._replace(finding=other.finding._replace(verdict="holds"))
    strong_too = entries[0]._replace(finding=first._replace(verdict="holds"))
    page = ledger.table([strong, strong_too, weak])
    assert "2 of 33 claims. does not hold: 1, holds in part: 0, holds: 1." in page
    places = [page.index(f"[{e.finding.identifier}]") for e in (weak, strong)]
    assert places == sorted(places)


def test_one_chapter_gives_one_verdict_on_a_claim(entries):
    first = entries[0]
    other = first._replace(finding=first.finding._replace(verdict="does not hold"))
    with pytest.raises(ValueError, match="gives two verdicts"):
        ledger.by_chapter([first, other])
