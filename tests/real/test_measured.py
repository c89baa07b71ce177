"""A part of chapter 13's stored measurements comes out again from the captions.

Where the captions are absent it is skipped, and says so.
"""

import pytest

from course_lab.experiments.real import (
    captions,
    lengths,
    links,
    mistakes,
    networks,
    own,
    verb_object,
)
from tests.real.captions import require_multi30k


@pytest.fixture(scope="module", autouse=True)
def captions_present():
    require_multi30k()


def test_most_translations_are_those_that_were_read():
    again = mistakes.read_again(mistakes.translated(), mistakes.load())
    assert [record["caption"] for record in again] == [r["caption"] for r in mistakes.load()]
    # Another processor may choose another word where two are nearly alike.
    assert sum(record["found"] == mistakes.UNREAD for record in again) <= 5


def test_two_captions_in_one_are_worse_than_the_same_two_apart():
    records = lengths.measure("bahdanau", most=60)
    two = next(record for record in records if (record["captions"], record["stop"]) == (2, "."))
    assert two["sentences"] == 30
    assert two["whole"]["bleu"] < two["apart"]["bleu"] - 5


def test_the_annotated_words_are_words_of_the_captions_and_the_heads_find_them_again():
    found = verb_object.pairs()
    network = networks.load(verb_object.NETWORK)
    published = captions.plain(verb_object.WAY, captions.TESTS[0])
    for pair in found:
        words = network.tokenizer.encode(published[pair.caption][0]).words
        assert words[pair.verb].isalpha()
        assert words[pair.noun].replace("-", "").isalpha()
    ends = [
        network.tokenizer.encode(published[pair.caption][0]).words[pair.verb][-3:] for pair in found
    ]
    assert sum(end == "ing" for end in ends) > 100
    records = verb_object.measure(found)
    for record, stored in zip(records, verb_object.load(), strict=True):
        assert (record["head"], record["distance"]) == (stored["head"], stored["distance"])
        for part in ("second_half", "both_halves"):
            assert record[part]["right"] == pytest.approx(stored[part]["right"], abs=0.02)


def test_attention_agrees_with_links_of_a_model_of_few_captions(monkeypatch):
    monkeypatch.setattr(links, "CAPTIONS", 60)
    monkeypatch.setattr(links, "CHOSEN_ON", 60)
    few = captions.plain(links.WAY, captions.TRAIN)[:3000]
    whole = links.plain
    monkeypatch.setattr(
        links, "plain", lambda way, split: few if split == captions.TRAIN else whole(way, split)
    )
    diagonal, *records = links.measure()
    for record in records:
        assert record["agreement"]["both directions"] > diagonal["agreement"]["both directions"]


def test_what_training_captions_hardly_have_is_counted_again():
    german = [line for line, _ in captions.plain(own.WAY, captions.TRAIN)]
    assert own.counts(german) == own.load()["training"]
