"""What a classifier looks at and what its answer hangs on, seen on readers that do as told."""

import pytest
import torch
from torch import nn

from course_lab.experiments.two_levels.looks import looks
from course_lib.data.document_batch import collate_documents, encode_documents
from course_lib.data.mini_world.documents import DecidedDocument
from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.models.hierarchical import Classified

VOCABULARY = WordVocabulary(["king", "garden", "house", "kitchen", "dog", "runs"])
KING, GARDEN = 4, 5


def batch(documents):
    return collate_documents(encode_documents(documents, VOCABULARY))


def document(label: int, decider: int) -> DecidedDocument:
    place = ("garden", "house", "kitchen")[label]
    lines = [("dog", "runs"), ("dog", "runs", "runs")]
    lines.insert(decider, ("king", "runs", place, "runs"))
    return DecidedDocument(tuple(lines), label, decider, (0, 2), 0)


class Reader(nn.Module):
    """Sure of the place in a sentence with the king; looks at the sentence `shift` behind it."""

    def __init__(self, shift: int = 0) -> None:
        super().__init__()
        self.word_query, self.shift = nn.Identity(), shift

    def forward(self, words, mask, *, return_attention=False):
        kings = (words == KING).any(-1)
        logits = torch.stack(
            [((words == GARDEN + label) & kings[..., None]).any(-1).any(-1) for label in range(3)],
            -1,
        ).double()
        look = kings.roll(self.shift, 1).double()
        inside = (words >= GARDEN) & (words < GARDEN + 3)
        return Classified(100 * logits, inside.double(), look)


DOCUMENTS = [document(label, decider) for label in range(3) for decider in range(3)]


def test_a_reader_that_looks_where_it_should():
    found = looks(Reader(), DOCUMENTS, batch)
    assert found == {
        "accuracy": 1.0,
        "sentence found": 1.0,
        "weight decider": 1.0,
        "top who": 0.0,
        "top where": 1.0,
        "weight who": 0.0,
        "weight where": 1.0,
        "weight other": 0.0,
        "weight word": 0.0,
        "weight best": 1.0,
        "lost decider": pytest.approx(2 / 3, abs=1e-4),
        **{f"lost decider {label}": pytest.approx(2 / 3, abs=1e-4) for label in range(3)},
        "lost other": 0.0,
        "lost who": pytest.approx(2 / 3, abs=1e-4),
        "lost where": pytest.approx(2 / 3, abs=1e-4),
        "lost word": 0.0,
        "lost top": pytest.approx(2 / 3, abs=1e-4),
        "lost best": pytest.approx(2 / 3, abs=1e-4),
        "found 0": 1.0,
        "found 1": 1.0,
        "found 2": 1.0,
    }


def test_a_reader_that_looks_elsewhere_is_found_out_by_the_effect():
    found = looks(Reader(shift=1), DOCUMENTS, batch)
    assert found["accuracy"] == 1
    assert found["sentence found"] == found["weight decider"] == 0
    assert found["lost top"] == 0
    assert found["lost decider"] > 0.6


class Detective(Reader):
    """Answers the last place where no sentence names one, and so needs no sentence for it."""

    def forward(self, words, mask, *, return_attention=False):
        said = super().forward(words, mask, return_attention=return_attention)
        return said._replace(logits=said.logits + torch.tensor([0.0, 0.0, 50.0]))


def test_an_answer_by_elimination_loses_nothing_without_its_sentence():
    found = looks(Detective(), DOCUMENTS, batch)
    assert found["accuracy"] == 1
    assert [found[f"lost decider {label}"] for label in range(3)] == [1, 1, 0]
    assert found["lost decider"] == pytest.approx(2 / 3, abs=1e-4)
