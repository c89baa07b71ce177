"""Chapter 6c: the controls, what is measured of looks, reviews, and the documents of the page."""

import pytest
import torch
from torch import nn

from course_lab.experiments.two_levels import in_page, king
from course_lab.experiments.two_levels.batches import collate_documents, encode_documents
from course_lab.experiments.two_levels.controls import (
    BagOfWords,
    EqualQuery,
    OneByOne,
)
from course_lab.experiments.two_levels.documents import DecidedDocument
from course_lab.experiments.two_levels.looks import looks
from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.models.hierarchical import Classified

VOCABULARY = WordVocabulary(["king", "garden", "house", "kitchen", "dog", "runs"])
KING, GARDEN = 4, 5


def document(label: int, decider: int) -> DecidedDocument:
    place = ("garden", "house", "kitchen")[label]
    lines = [("dog", "runs"), ("dog", "runs", "runs")]
    lines.insert(decider, ("king", "runs", place, "runs"))
    return DecidedDocument(tuple(lines), label, decider, (0, 2), 0)


DOCUMENTS = [document(label, decider) for label in range(3) for decider in range(3)]


def test_a_variant_is_the_network_with_one_thing_changed():
    world = king.Kingdom([], [], [], [], VOCABULARY)
    models = {name: king.make_model(name, world, 0) for name in king.VARIANTS}
    changed = {
        name: {
            part
            for part in ("word_encoder", "word_query", "sentence_encoder", "sentence_query")
            if isinstance(getattr(model, part, None), EqualQuery | OneByOne)
        }
        for name, model in models.items()
    }
    assert isinstance(models["bag"], BagOfWords)
    assert changed["attention"] == changed["three answers"] == set()
    assert changed["equal words"] == {"word_query"}
    assert changed["equal sentences"] == {"sentence_query"}
    assert changed["no word GRU"] == {"word_encoder"}
    assert changed["no GRU"] == {"word_encoder", "sentence_encoder"}
    both = {"word_encoder", "word_query", "sentence_query"}
    assert changed["no word GRU, equal, longer"] == both
    weight = models["attention"].classes.weight
    for name in ("equal words", "equal sentences", "three answers"):
        assert torch.equal(models[name].classes.weight, weight)


class Reader(nn.Module):
    """Sure of the place in a sentence with the king; looks at the sentence `shift` after it."""

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


def measured(reader: Reader) -> dict[str, float]:
    return looks(reader, DOCUMENTS, lambda d: collate_documents(encode_documents(d, VOCABULARY)))


def test_a_reader_that_looks_at_the_deciding_sentence():
    two_thirds = dict.fromkeys(
        ["lost decider", "lost who", "lost where", "lost top", "lost best"]
        + [f"lost decider {label}" for label in range(3)],
        pytest.approx(2 / 3, abs=1e-4),
    )
    ones = ["accuracy", "sentence found", "weight decider", "top where", "weight where"]
    ones += ["weight best", "found 0", "found 1", "found 2"]
    zeros = ["top who", "weight who", "weight other", "weight word", "lost other", "lost word"]
    assert measured(Reader()) == dict.fromkeys(ones, 1.0) | dict.fromkeys(zeros, 0.0) | two_thirds


def test_a_reader_that_looks_elsewhere_is_found_out_by_the_effect():
    shares = measured(Reader(shift=1))
    assert shares["accuracy"] == 1
    assert shares["sentence found"] == shares["weight decider"] == shares["lost top"] == 0
    assert shares["lost decider"] > 0.6


def test_every_answer_to_the_documents_of_the_page_is_right():
    documents = in_page.load()
    assert [document.title for document in documents] == list(king.ANSWERS)
    for number, document in enumerate(documents):
        assert max(range(4), key=lambda c, d=document: d.answer[c]) == number
        assert sum(document.sentence_weights) == pytest.approx(1, abs=0.01)
    # Without its most important sentence the network no longer says "kitchen".
    kitchen = documents[2]
    top = max(range(len(kitchen.sentences)), key=lambda i: kitchen.sentence_weights[i])
    assert "king" in kitchen.sentences[top]
    assert kitchen.without_sentence[top][2] < 0.1
