"""Chapter 6c: the controls, what is measured of looks, reviews, and the documents of the page."""

from dataclasses import replace

import pytest
import torch
from torch import nn

from course_lab.experiments.two_levels import in_page, king, reviews
from course_lab.experiments.two_levels.controls import (
    BagOfWords,
    EqualQuery,
    OneByOne,
    with_equal_weights,
    without_encoders,
)
from course_lab.experiments.two_levels.looks import looks
from course_lib.data.document import Document
from course_lib.data.document_batch import collate_documents, encode_documents
from course_lib.data.mini_world.documents import SILENCE, DecidedDocument
from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.models.hierarchical import Classified, HierarchicalAttention, HierarchicalConfig

CONFIG = HierarchicalConfig(vocabulary=19, classes=3, embedding=5, hidden=4, attention=6)
WORDS = torch.tensor([[[5, 6, 7], [8, 9, 0]], [[10, 0, 0], [0, 0, 0]]])
MASK = WORDS != 0


def seeded() -> torch.Generator:
    return torch.Generator().manual_seed(0)


VOCABULARY = WordVocabulary(["king", "garden", "house", "kitchen", "dog", "runs"])
KING, GARDEN = 4, 5


def document(label: int, decider: int) -> DecidedDocument:
    place = ("garden", "house", "kitchen")[label]
    lines = [("dog", "runs"), ("dog", "runs", "runs")]
    lines.insert(decider, ("king", "runs", place, "runs"))
    return DecidedDocument(tuple(lines), label, decider, (0, 2), 0)


DOCUMENTS = [document(label, decider) for label in range(3) for decider in range(3)]


def test_equal_weights_are_the_mean_of_what_is_real():
    notes = torch.randn(2, 3, 4, generator=seeded())
    read = EqualQuery()(notes, MASK[:, 0])
    torch.testing.assert_close(read.weights, torch.tensor([[1 / 3] * 3, [1.0, 0, 0]]))
    torch.testing.assert_close(read.vector, torch.stack([notes[0].mean(0), notes[1, 0]]))


@pytest.mark.parametrize("levels", [("words",), ("sentences",), ("words", "sentences")])
def test_a_control_has_the_first_weights_of_the_network_and_lacks_a_query(levels):
    full = dict(HierarchicalAttention(CONFIG, seeded()).named_parameters())
    control = with_equal_weights(CONFIG, seeded(), *levels)
    own = dict(control.named_parameters())
    missing = {name.split("_")[0] for name in set(full) - set(own)}
    assert missing == {level.removesuffix("s") for level in levels}
    assert all(torch.equal(parameter, full[name]) for name, parameter in own.items())
    out = control(WORDS, MASK, return_attention=True)
    if "words" in levels:
        torch.testing.assert_close(out.word_weights[0, 0], torch.full((3,), 1 / 3))
    if "sentences" in levels:
        torch.testing.assert_close(out.sentence_weights[0], torch.full((2,), 0.5))


def test_without_any_gru_and_choice_a_document_is_a_bag_of_its_words():
    equal = with_equal_weights(CONFIG, seeded(), "words", "sentences")
    bag = without_encoders(equal, seeded(), "words", "sentences")
    words = torch.tensor([[[5, 6, 7], [8, 9, 3]], [[10, 0, 0], [0, 0, 0]]])
    other = torch.tensor([[[7, 9, 6], [8, 5, 3]], [[10, 0, 0], [0, 0, 0]]])
    torch.testing.assert_close(bag(other, other != 0).logits, bag(words, words != 0).logits)
    whole = HierarchicalAttention(CONFIG, seeded())
    choosing = without_encoders(whole, seeded(), "words", "sentences")
    moved = choosing(other, other != 0).logits - choosing(words, words != 0).logits
    assert moved.abs().max() > 1e-5


def test_a_bag_knows_neither_order_nor_sentence_nor_padding():
    bag = BagOfWords(CONFIG, seeded())
    plain = bag(WORDS, MASK).logits
    shuffled = torch.tensor([[[9, 5, 0], [7, 8, 6]], [[10, 3, 3], [3, 0, 0]]])
    torch.testing.assert_close(bag(shuffled, (shuffled != 0) & (shuffled != 3)).logits, plain)
    assert (plain[0] - plain[1]).abs().max() > 1e-4


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


def test_three_answers_are_learned_from_the_documents_that_give_one():
    documents = [*DOCUMENTS, replace(DOCUMENTS[0], label=SILENCE)]
    assert list(king.learned_from("attention", documents)) == documents
    assert list(king.learned_from("three answers", documents)) == DOCUMENTS


class Reader(nn.Module):
    """Sure of the place in a sentence with the king; looks at the sentence `shift` after it.

    With `bias`, the answer where no sentence names a place.
    """

    def __init__(self, shift: int = 0, bias: float = 0.0) -> None:
        super().__init__()
        self.word_query, self.shift, self.bias = nn.Identity(), shift, bias

    def forward(self, words, mask, *, return_attention=False):
        kings = (words == KING).any(-1)
        logits = torch.stack(
            [((words == GARDEN + label) & kings[..., None]).any(-1).any(-1) for label in range(3)],
            -1,
        ).double()
        look = kings.roll(self.shift, 1).double()
        inside = (words >= GARDEN) & (words < GARDEN + 3)
        last = torch.tensor([0.0, 0.0, self.bias])
        return Classified(100 * logits + last, inside.double(), look)


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


def test_an_answer_by_elimination_loses_nothing_without_its_sentence():
    shares = measured(Reader(bias=50.0))
    assert shares["accuracy"] == 1
    assert [shares[f"lost decider {label}"] for label in range(3)] == [1, 1, 0]


def toy(count: int) -> list[Document]:
    """A film is good if some sentence says so."""
    documents = []
    for number in range(count):
        lines = [tuple(line.split()) for line in ("the film runs .", "a plot is .", "people act .")]
        word = "superb" if number % 2 else "dull"
        lines.insert(number % 4, ("it", "is", word, "."))
        documents.append(Document(tuple(lines), number % 2))
    return documents


def test_models_learn_which_words_praise_a_film():
    assert reviews.bag_accuracy(toy(20), toy(8)) == 1.0
    assert reviews.network_accuracy(toy(64), toy(8), epochs=16) >= 0.75


def test_a_bag_on_the_networks_input_sees_no_word_that_the_network_does_not_read():
    filler = (("and", "so", "on", "."),) * 10
    middle = [Document((*filler, *d.sentences, *filler), d.label) for d in toy(20)]
    assert reviews.bag_accuracy(middle, middle) == 1.0
    assert reviews.bag_accuracy_as_read(middle, middle) == 0.5
    assert reviews.bag_accuracy_as_read(toy(20), toy(8)) == 1.0


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
