"""What chapter 8's figures keep: readers of the test sentences, and an LSTMN's looks."""

import torch

from course_lab.experiments.self_attention import in_page, tape
from course_lab.experiments.self_attention.reader import ARTICLES


def answers(model, sentence):
    said = model(*in_page.ids_of(sentence))[0].argmax(-1)
    words = in_page.blanked(sentence).words
    return [ARTICLES[said[t]] for t, word in enumerate(words) if word == "_"]


def test_who_may_ask_every_word_is_right_and_who_may_not_guesses():
    found = in_page.load()
    for sentence in in_page.SENTENCES:
        assert answers(found["every word"], sentence) == in_page.blanked(sentence).wanted
    wrong = [
        answers(found["earlier words"], sentence) != in_page.blanked(sentence).wanted
        for sentence in in_page.SENTENCES
    ]
    assert sum(wrong) >= 3


def test_the_first_sentence_opens_on_a_blank_that_asks_its_noun():
    first = next(iter(in_page.SENTENCES))
    with torch.inference_mode():
        looked = in_page.load()["every word"].look(*in_page.ids_of(first))
    words = in_page.blanked(first).words
    for t, word in enumerate(words):
        if word == "_":
            assert looked.weights[0, t].argmax() == t + 1
    assert "most at “Brief”" in in_page.show().alt


def test_the_tapes_rows_are_weights_over_what_was_before():
    for sentence, rows in tape.load_maps().items():
        assert [len(row) for row in rows] == list(range(len(sentence.split()) + 1))
        assert all(abs(sum(row) - 1) < 0.01 for row in rows[1:])
