"""A document, cut, and in a padded batch."""

import torch

from course_lab.experiments.two_levels.batches import (
    DocumentBatches,
    collate_documents,
    encode_documents,
)
from course_lab.experiments.two_levels.documents import Document
from course_lib.data.tokens.tokenizer import PAD, UNKNOWN, WordVocabulary

DOCUMENT = Document((("a", "b", "c"), ("d",), ("e", "f")), 1)
VOCABULARY = WordVocabulary([*"abcdef"])


def test_a_sentence_or_a_word_is_cut_out():
    assert DOCUMENT.without_sentence(1).sentences == (("a", "b", "c"), ("e", "f"))
    assert DOCUMENT.without_word(0, 1).sentences == (("a", "c"), ("d",), ("e", "f"))
    assert DOCUMENT.without_word(1, 0).sentences == (("a", "b", "c"), (), ("e", "f"))
    assert DOCUMENT.without_word(1, 0).label == DOCUMENT.without_sentence(2).label == 1


def test_a_batch_is_padded_behind_words_and_behind_sentences():
    short = Document((("f", "g"), ()), 0)
    batch = collate_documents(encode_documents([DOCUMENT, short], VOCABULARY))
    a, b, c, d, e, f = (VOCABULARY.encode([letter]).ids[0] for letter in "abcdef")
    assert batch.words.tolist() == [
        [[a, b, c], [d, PAD, PAD], [e, f, PAD]],
        [[f, UNKNOWN, PAD], [PAD, PAD, PAD], [PAD, PAD, PAD]],
    ]
    assert batch.mask.sum(-1).tolist() == [[3, 1, 2], [2, 0, 0]]
    assert (batch.words[batch.mask] != PAD).all()
    assert batch.label.tolist() == [1, 0]
    assert len(batch) == 2
    assert batch.inputs[0] is batch.words
    assert batch.to("cpu").mask.equal(batch.mask)


def test_each_epoch_has_every_document_once_in_an_order_of_its_own():
    many = [([[number + 4]], number) for number in range(10)]
    feed = DocumentBatches(many, 4, seed=2)
    epochs = [[b.label.tolist() for b in feed.epoch(n)] for n in (0, 1, 0)]
    assert [len(labels) for labels in epochs[0]] == [4, 4, 2]
    assert epochs[0] == epochs[2] != epochs[1]
    assert sorted(n for labels in epochs[0] for n in labels) == list(range(10))
    assert [b.label.tolist() for b in feed.epoch(0, start=2)] == epochs[0][2:]
    assert feed.len_epoch(0) == 3
    assert torch.cat([b.label for b in feed.sequential()]).tolist() == list(range(10))
