"""Whatever is typed: text comes back, every word has its tokens, attention stays a distribution."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.data.tokens.tokenizer import UNKNOWN, JointBPE, WordVocabulary, merge_to_words
from course_lib.data.tokens.words import normalise
from course_lib.errors import CourseError

LETTERS = "abcdefghijklmnopqrstuvwxyzäöüßé0123456789_"
MARKS = ".,;:!?()\"'’-„“–&"
BPE = JointBPE.train(
    [
        *LETTERS,
        *MARKS,
        *(f"x{character}" for character in LETTERS + MARKS),
        "a young man and a dog are in the park.",
        "ein junger mann und ein hund sind im park.",
    ],
    size=160,
)
WORDS = WordVocabulary.from_sentences([["a", "dog", "the", "cat", "."]])

KNOWN = st.text(LETTERS + MARKS + LETTERS.upper() + "    ", max_size=60)
ANYTHING = st.text(max_size=60)


@given(KNOWN)
def test_text_of_known_characters_comes_back(text):
    if not text.strip():
        return
    ids = BPE.encode(text).ids
    assert UNKNOWN not in ids
    assert BPE.decode(ids) == normalise(text, lowercase=True)


@given(ANYTHING)
def test_any_text_is_encoded_with_every_word_covered_or_is_called_empty(text):
    for tokenizer in (BPE, WORDS):
        if not normalise(text, lowercase=True):
            with pytest.raises(CourseError, match="empty sentence"):
                tokenizer.encode(text)
            continue
        found = tokenizer.encode(text)
        assert len(found.ids) == len(found.tokens) == len(found.word_of_token)
        assert sorted(set(found.word_of_token)) == list(range(len(found.words)))
        assert found.word_of_token == sorted(found.word_of_token)
        assert all(i == UNKNOWN or 4 <= i < len(tokenizer) for i in found.ids)
        assert "".join(found.words) == "".join(normalise(text, tokenizer.lowercase).split())


@given(KNOWN)
def test_emitted_ids_are_described_as_the_sentence_was(text):
    if text.strip():
        found = BPE.encode(text)
        assert BPE.from_ids(found.ids) == found


@given(st.lists(st.integers(0, len(BPE) - 1), max_size=30))
def test_any_emitted_ids_have_words_in_order_without_gaps(ids):
    found = BPE.from_ids(ids)
    assert found.ids == ids
    assert len(found.tokens) == len(found.word_of_token) == len(ids)
    steps = [b - a for a, b in zip(found.word_of_token, found.word_of_token[1:], strict=False)]
    assert set(steps) <= {0, 1}
    assert len(found.words) == (found.word_of_token[-1] + 1 if ids else 0)


@given(KNOWN, KNOWN, st.integers(0, 2**31))
def test_merged_rows_still_sum_to_one(source, target, seed):
    if not (source.strip() and target.strip()):
        return
    source, target = BPE.encode(source), BPE.encode(target)
    generator = torch.Generator().manual_seed(seed)
    shape = (len(target.ids), len(source.ids) + 1)
    weights = torch.rand(shape, generator=generator, dtype=torch.float64).softmax(dim=1)
    with_end = [*source.word_of_token, len(source.words)]
    merged = merge_to_words(weights, target.word_of_token, with_end)
    assert merged.shape == (len(target.words), len(source.words) + 1)
    torch.testing.assert_close(merged.sum(dim=1), torch.ones(len(target.words)).double())
