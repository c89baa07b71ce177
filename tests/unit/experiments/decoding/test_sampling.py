"""Chapter 11's language: the grammar's own sentences are in it; what is drawn is counted."""

from course_lib.data.mini_world.grammar import sample
from course_lib.experiments.decoding import sampling
from course_lib.experiments.decoding.language import as_set, drawn, every_sentence
from course_lib.experiments.lab.rates import neighbourhood
from course_lib.experiments.lab.stored import load_stored

VERBS = {"sieht", "sehen", "findet", "finden", "hört", "hören", "besucht", "besuchen"}


def test_sentences_of_the_grammar_are_in_the_language():
    starts, ends = ({line[0] for line in every_sentence()}, {"nicht", "und", ","})
    plain = [
        pair.target
        for pair in sample("train", 400, seed=5, min_words=6, max_words=8, vocabulary="tiny")
        if pair.target[0] in starts
        and len(VERBS & set(pair.target)) == 1
        and (VERBS & {*pair.target[2:4]})
        and not ends & set(pair.target)
        and not {"im", "in", "bei", "beim", "hinter"} & set(pair.target)
    ]
    assert len(plain) > 40
    full = [line for line in plain if len(line) >= 6]
    inside = [line for line in full if line in as_set()]
    # A name or a bare plural is no phrase of this language.
    assert all(
        line[-3][0].isupper() or line[-2] in ("Anna", "Paul") or line[-2].endswith(("n", "e", "r"))
        for line in set(full) - set(inside)
    )
    assert len(inside) > 0.8 * len(full)


def test_endings_count():
    right = tuple(["der", "alte", "Mann", "sieht", "einen", "kleinen", "Hund", "."])
    assert right in as_set()
    for word, other in (
        ("der", "den"),
        ("einen", "ein"),
        ("kleinen", "kleine"),
        ("sieht", "sehen"),
    ):
        assert tuple(other if w == word else w for w in right) not in as_set()
    assert tuple(["der", "Mann", "liest", "den", "Hund", "."]) not in as_set()


def test_a_sample_is_of_different_sentences():
    assert len(set(drawn(50, 3))) == 50
    assert drawn(50, 3) == drawn(60, 3)[:50] or drawn(50, 3) != drawn(50, 4)
    train, held_out = sampling.sentences()
    assert not set(train) & set(held_out)


def test_shares_of_what_was_drawn():
    known, new = sampling.sentences()[0][0], sampling.sentences()[1][0]
    wrong = ("der", "der", ".")
    assert sampling.judged([known, new, new, wrong]) == {
        "right": 0.75,
        "different": 0.75,
        "new": 0.25,
    }


def test_the_stored_runs_are_whole_and_the_rate_was_compared():
    runs = load_stored(sampling.STORED)
    assert [run["seed"] for run in runs] == list(sampling.SEEDS)
    assert all(list(run["ways"]) == list(sampling.WAYS) for run in runs)
    tried = {one["learning_rate"]: one["nats"] for one in load_stored(sampling.TUNING)}
    rate = sampling.RATE_OF[sampling.VARIANT]
    assert sorted(tried) == list(neighbourhood(sampling.RATES, rate))
    assert tried[rate] == min(tried.values())
