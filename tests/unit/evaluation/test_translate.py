"""Translations come in input order and over whole words, and leave no trace on the model."""

import pytest
import torch

from course_lib.data.tokens.tokenizer import JointBPE, WordVocabulary
from course_lib.decoding.beam import beam
from course_lib.errors import CourseError
from course_lib.evaluation.translate import translate
from course_lib.models.protocol import State
from tests.stubs import Reciter, SourceIds

SENTENCES = [
    "der Hund",
    "der kleine Hund sieht die alte Frau im Garten",
    "die Frau",
    "Hund",
    "die kleine Frau sieht im Garten der Hund",
]


@pytest.fixture
def words() -> WordVocabulary:
    return WordVocabulary.from_sentences([sentence.split() for sentence in SENTENCES])


@pytest.mark.parametrize("batch_size", [1, 2, 64])
def test_translations_come_in_the_order_of_the_sentences(words, batch_size) -> None:
    found = translate(Reciter(len(words)), SENTENCES, words, words, batch_size=batch_size)
    assert [translation.text for translation in found] == SENTENCES
    assert all(translation.finished for translation in found)
    assert [translation.source.words for translation in found] == [s.split() for s in SENTENCES]


def test_it_searches_as_it_is_told(words) -> None:
    asked = []

    def search(*arguments, **settings):
        asked.append(settings)
        return beam(*arguments, beams=2, **settings)

    found = translate(
        Reciter(len(words)), SENTENCES, words, words, return_attention=True, search=search
    )
    assert [translation.text for translation in found] == SENTENCES
    assert asked == [{"max_length": 128, "return_attention": True}]
    assert all(translation.weights is not None for translation in found)


def test_sentences_of_similar_length_share_a_batch(words) -> None:
    model = Reciter(len(words))
    translate(model, SENTENCES, words, words, batch_size=2)
    # Two of 1 and 2 words, two of 2 and 8, one of 9; one more column for the end mark.
    assert model.batches == [(2, 3), (2, 9), (1, 10)]


def test_weights_carry_no_padding_and_are_labelled_column_by_column(words) -> None:
    for translation in translate(
        Reciter(len(words)), SENTENCES, words, words, return_attention=True
    ):
        count = len(translation.source.words)
        assert torch.equal(translation.weights, torch.eye(count, count + 1))
        assert torch.equal(translation.word_weights, translation.weights)
        assert translation.source_labels == [*translation.source.words, "</s>"]


def test_weights_over_pieces_are_merged_to_weights_over_words() -> None:
    lines = [*SENTENCES] * 3
    pieces = JointBPE.train(lines, size=40, lowercase=False)
    (translation,) = translate(
        Reciter(len(pieces)), [SENTENCES[1]], pieces, pieces, return_attention=True
    )
    assert translation.text == SENTENCES[1]
    tokens, count = len(translation.source.ids), len(SENTENCES[1].split())
    assert tokens > count
    assert translation.weights.shape == (tokens, tokens + 1)
    # Each piece looks at itself, so each word looks at itself, and rows still sum to 1.
    torch.testing.assert_close(translation.word_weights, torch.eye(count, count + 1))


def test_a_translation_that_does_not_end_is_cut_off_and_says_so(words) -> None:
    model = Reciter(len(words), never_ends=True)
    (translation,) = translate(
        model, ["der Hund"], words, words, max_length=5, return_attention=True
    )
    assert not translation.finished
    assert len(translation.target.ids) == 5
    assert translation.weights.shape == (5, 3)


def test_the_mode_is_restored_even_after_a_mistake(words) -> None:
    class Broken(Reciter):
        def start(self, memory: SourceIds) -> State:
            raise RuntimeError("broken")

    model = Broken(len(words)).train()
    with pytest.raises(RuntimeError, match="broken"):
        translate(model, SENTENCES, words, words)
    assert model.training


@pytest.mark.parametrize("empty", ["", "   ", "\n"])
def test_an_empty_sentence_is_one_line_that_says_which(words, empty) -> None:
    with pytest.raises(CourseError, match=r"^sentence 2: empty sentence") as caught:
        translate(Reciter(len(words)), ["der Hund", empty], words, words)
    assert "\n" not in str(caught.value)


def test_a_sentence_that_is_too_long_is_one_line_with_both_lengths(words) -> None:
    with pytest.raises(CourseError, match=r"^want at most 8 tokens; sentence 2 has 9 tokens"):
        translate(Reciter(len(words)), SENTENCES, words, words, max_source=8)
    assert len(translate(Reciter(len(words)), SENTENCES, words, words, max_source=9)) == 5
