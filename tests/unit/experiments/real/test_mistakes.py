"""The translations that were read: what is stored, and what a changed translation turns into."""

import json

from course_lab.experiments.real import mistakes


def test_every_tenth_caption_was_read():
    records = mistakes.load()
    assert [record["caption"] for record in records] == list(range(0, 1000, mistakes.EVERY))
    found = mistakes.counts()
    assert set(found) == {mistakes.RIGHT, *mistakes.KINDS}
    assert 40 <= found[mistakes.RIGHT] <= 70


def test_a_translation_that_changed_is_unread_and_the_others_stand(tmp_path, monkeypatch, capsys):
    now = [(0, "Ein Hund.", "A dog.", "A dog."), (10, "Ein Haus.", "A house.", "A mouse.")]
    keys = [mistakes.short_hash(text) for *_, text in now]
    before = [
        {"caption": 0, "found": "right", "hash": keys[0]},
        {"caption": 10, "found": "right", "hash": mistakes.short_hash("A house.")},
    ]
    monkeypatch.setattr(mistakes, "translated", lambda: now)
    monkeypatch.setattr(mistakes, "load", lambda: before)
    file = tmp_path / "again.json"
    mistakes.save_to(file)
    assert "10\n  unread\n  Ein Haus.\n  A house.\n  A mouse.\n" in capsys.readouterr().out
    again = json.loads(file.read_text())
    assert [record["found"] for record in again] == ["right", "unread"]
    assert [record["hash"] for record in again] == keys
