"""The chapter's ways to link words, by hand; and the stored figures against a new measurement."""

import json

import pytest

from course_lib.data.corpora.download import at_hand
from course_lib.data.pairs import AlignedPair
from course_lib.errors import CourseError
from course_lib.experiments.alignment import links as alignment
from course_lib.experiments.lab.stored import load_stored

PAIRS = [
    (("he", "laughs"), ("er", "lacht")),
    (("she", "laughs"), ("sie", "lacht")),
    (("he", "waits"), ("er", "wartet")),
    (("she", "waits", "now"), ("nun", "wartet", "sie")),
]


def test_counts_are_of_pairs_not_of_tokens():
    counts = alignment.Counts.of([*PAIRS, (("he", "he"), ("er", "er"))])
    assert counts.together("he", "er") == 3
    assert counts.dice("he", "er") == 1
    assert counts.dice("laughs", "er") == pytest.approx(2 / (2 + 3))
    assert counts.dice("now", "er") == 0
    assert counts.dice("unseen", "unheard") == 0


def test_each_target_word_gets_the_best_source_word_and_the_nearest_of_several():
    counts = alignment.Counts.of(PAIRS)
    assert alignment.link_best(counts.dice, *PAIRS[3]) == {(0, 2), (1, 1), (2, 0)}
    even = alignment.link_best(lambda e, f: 1.0, ("a", "b", "c", "d"), ("x", "y"))
    assert even == {(0, 0), (2, 1)}
    assert alignment.link_best(lambda e, f: 0.0, *PAIRS[0]) == set()
    assert alignment.link_best(counts.dice, (), ("er",)) == set()


def test_both_directions_are_told_as_source_and_target():
    links = alignment.both_directions(PAIRS, PAIRS, iterations=20, null=False)
    right = {(0, 2), (1, 1), (2, 0)}
    assert links["source to target"][3] == links["target to source"][3] == right
    # Three sources for one target word: only the model that writes the source can link them all.
    long = [(("this", "old", "dog"), ("Hund",))]
    links = alignment.both_directions(long, long, null=False)
    assert len(links["source to target"][0]) == 1
    assert links["target to source"][0] == links["union"][0] == {(0, 0), (1, 0), (2, 0)}
    assert links["intersection"] == links["source to target"]


def test_words_are_lowered_only_if_asked():
    pair = AlignedPair(("He", "Waits"), ("Er", "wartet"))
    assert alignment.words([pair]) == [(("He", "Waits"), ("Er", "wartet"))]
    assert alignment.words([pair], lower=True) == [(("he", "waits"), ("er", "wartet"))]


def test_on_the_mini_world_models_beat_counts_and_agreement_is_precise():
    gold = alignment.mini_world("valid", 60, 1)
    train = alignment.words(alignment.mini_world("train", 300, 1))
    scores = alignment.compare(train, alignment.words(gold), gold)
    assert list(scores) == list(load_stored(alignment.STORED)["scores"])
    assert scores["source to target"].error_rate < 0.2 < scores["count"].error_rate
    assert scores["diagonal"].error_rate > 0.2
    one, other = scores["source to target"], scores["target to source"]
    assert scores["intersection"].precision > max(one.precision, other.precision)
    assert scores["union"].recall > max(one.recall, other.recall)
    dice, turned = scores["Dice"], scores["Dice turned"]
    assert scores["Dice intersection"].precision > max(dice.precision, turned.precision)
    assert turned.error_rate > dice.error_rate + 0.05 > one.error_rate


def test_the_stored_figures_are_those_of_the_real_sentences(
    course_data, tmp_path, monkeypatch, capsys
):
    stored, now = alignment.hansards_scores()
    assert stored["pairs"] == now["pairs"] == 447
    assert stored["iterations"] == now["iterations"]
    for name, scores in stored["scores"].items():
        assert now["scores"][name] == pytest.approx(scores, abs=1e-4)
    assert now["ties"] == pytest.approx(stored["ties"], abs=1e-4)
    monkeypatch.setattr(alignment, "measure_hansards", lambda: now)
    alignment.main(["--file", str(tmp_path / "again.json")])
    assert json.loads((tmp_path / "again.json").read_text()) == stored
    assert "intersection" in capsys.readouterr().out


def test_without_the_files_the_stored_figures_stand_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_DATA", str(tmp_path))
    monkeypatch.setattr("course_lib.data.corpora.download.cache_folder", lambda: tmp_path / "cache")
    assert not at_hand("hansards")
    stored, now = alignment.hansards_scores()
    assert stored["pairs"] == 447
    assert now is None


def test_a_file_with_another_content_is_not_at_hand(course_data, tmp_path, monkeypatch):
    assert at_hand("hansards")
    copy = tmp_path / "alignment"
    copy.mkdir()
    for name in ("enfr.src-tgt", "enfr.gold"):
        (copy / name).write_bytes((course_data / "alignment" / name).read_bytes())
    monkeypatch.setenv("COURSE_DATA", str(tmp_path))
    monkeypatch.setattr("course_lib.data.corpora.download.cache_folder", lambda: tmp_path / "cache")
    assert at_hand("hansards")
    (copy / "enfr.gold").write_text("1-1\n")
    assert not at_hand("hansards")
    with pytest.raises(CourseError, match="unknown dataset 'hansard'"):
        at_hand("hansard")
