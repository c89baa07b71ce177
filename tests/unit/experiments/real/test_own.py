"""The sentences of chapter 13, their stored links, and what is counted in the training text."""

import pytest

from course_lab.experiments.real import networks, own


def test_negations_and_objects_that_come_first_are_counted():
    lines = [
        "Ein Mann, der kein Hemd trägt.",
        "Niemand sitzt da, und nicht einmal ein Hund.",
        "Den Mann beißt der Hund.",
        "Einen Ball fängt der Hund nicht.",
        "Ein keiner Niete.",
        "Denise lacht, dem Nichts nahe.",
    ]
    assert own.counts(lines) == {"captions": 6, "negation": 4, "object first": 2}


def test_links_lie_within_the_sentences_that_are_stored():
    stored = own.load()["pairs"]
    assert [(one["german"], one["english"]) for one in stored] == list(own.PAIRS)
    tokenizer = networks.load("bahdanau").tokenizer
    for one in stored:
        german, english = (tokenizer.encode(one[side]).words for side in ("german", "english"))
        links = [*map(tuple, one["sure"]), *map(tuple, one["possible"])]
        assert len(links) == len(set(links))
        assert all(0 <= j < len(german) and 0 <= i < len(english) for j, i in links)
        assert len(one["sure"]) > len(english) / 2


@pytest.mark.parametrize(
    ("pair", "german", "english"), [(0, "wirft", "throws"), (1, "Schnee", "snow")]
)
def test_model_1_finds_the_words_that_the_chapter_names(pair, german, english):
    one = own.load()["pairs"][pair]
    tokenizer = networks.load("bahdanau").tokenizer
    words = [tokenizer.encode(one[side]).words for side in ("german", "english")]
    found = [*one["sure"], *one["possible"]]
    assert [words[0].index(german), words[1].index(english)] in found
