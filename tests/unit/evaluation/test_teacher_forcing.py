"""Teacher-forced measures: every token counts once, padding and batches count nothing."""

import math

import pytest
import torch
import torch.nn.functional as F

from course_lib.data.batch import Batches, encode_pairs
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import END, PAD, START, JointBPE, WordVocabulary
from course_lib.errors import CourseError
from course_lib.evaluation.teacher_forcing import forced_attention, teacher_forced
from course_lib.models.protocol import EncoderDecoder, Output
from course_lib.models.registry import build

PAIRS = [
    ("der Hund", "the dog"),
    ("die alte Frau sieht den kleinen Hund", "the old woman sees the small dog"),
    ("Hund", "dog"),
    ("die Frau sieht", "the woman sees"),
]
SIZES = {"embedding": 6, "hidden": 5, "dropout": 0.5}


@pytest.fixture(scope="module")
def tokenizers() -> tuple[WordVocabulary, WordVocabulary]:
    return tuple(
        WordVocabulary.from_sentences([pair[side].split() for pair in PAIRS]) for side in (0, 1)
    )


@pytest.fixture(params=["bahdanau", "cho"])
def model(request, tokenizers):
    german, english = tokenizers
    sizes = {"source_vocabulary": len(german), "target_vocabulary": len(english), **SIZES}
    return build(request.param, sizes, torch.Generator().manual_seed(3)).train()


@pytest.fixture
def attentive(tokenizers):
    german, english = tokenizers
    sizes = {"source_vocabulary": len(german), "target_vocabulary": len(english), **SIZES}
    model = build("bahdanau", sizes, torch.Generator().manual_seed(3)).train()
    # As it starts, the rows of a map are nearly alike, and a row in the wrong place would pass.
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(8.0)
    return model


def one_by_one(model, encoded) -> tuple[float, int, int]:
    """Sum of negative log-likelihoods, right guesses and tokens, without any batch or padding."""
    model.eval()
    nats, right, tokens = 0.0, 0, 0
    with torch.no_grad():
        for pair in encoded:
            source = torch.tensor([pair.source])
            logits = model(
                source,
                torch.ones_like(source, dtype=torch.bool),
                torch.tensor([[START, *pair.target]]),
            ).logits[0]
            wanted = torch.tensor([*pair.target, END])
            nats -= F.log_softmax(logits, -1)[torch.arange(len(wanted)), wanted].sum().item()
            right += int((logits.argmax(-1) == wanted).sum())
            tokens += len(wanted)
    return nats, right, tokens


@pytest.mark.parametrize(
    "size", [{"pairs_per_batch": 1}, {"pairs_per_batch": 3}, {"tokens_per_batch": 20}]
)
def test_perplexity_weighs_tokens_whatever_the_batches(model, tokenizers, size) -> None:
    encoded = encode_pairs(PAIRS, *tokenizers)
    found = teacher_forced(model, Batches(encoded, **size))
    nats, right, tokens = one_by_one(model, encoded)
    assert found.tokens == tokens == 17
    assert found.nats == pytest.approx(nats / tokens, rel=1e-5)
    assert found.accuracy == pytest.approx(right / tokens)
    assert found.perplexity == pytest.approx(math.exp(nats / tokens), rel=1e-5)


def test_dropout_is_off_and_back_on_afterwards(model, tokenizers) -> None:
    encoded = encode_pairs(PAIRS, *tokenizers)
    first = teacher_forced(model, Batches(encoded, pairs_per_batch=2))
    assert first == teacher_forced(model, Batches(encoded, pairs_per_batch=2))
    assert all(module.training for module in model.modules())


@pytest.mark.parametrize("batch_size", [1, 3])
def test_attention_along_the_true_words_is_that_of_each_sentence_alone(
    attentive, tokenizers, batch_size
) -> None:
    maps = forced_attention(attentive, PAIRS, *tokenizers, batch_size=batch_size)
    attentive.eval()
    for (german, english), encoded, found in zip(
        PAIRS, encode_pairs(PAIRS, *tokenizers), maps, strict=True
    ):
        source = torch.tensor([encoded.source])
        alone = attentive(
            source,
            torch.ones_like(source, dtype=torch.bool),
            torch.tensor([[START, *encoded.target]]),
            return_attention=True,
        ).attention[0, :-1]
        assert found.shape == (len(english.split()), len(german.split()) + 1)
        torch.testing.assert_close(found, alone.detach())
        differences = (found[:, None] - found[None]).abs().amax(-1)
        assert (differences + torch.eye(len(found)) > 1e-3).all(), "two rows are too alike"


def test_maps_over_pieces_become_maps_over_the_words_of_the_pair() -> None:
    pairs = [
        AlignedPair(tuple(german.split()), tuple(english.split())) for german, english in PAIRS
    ]
    pieces = JointBPE.train([text for pair in PAIRS for text in pair] * 3, size=34)
    model = build(
        "bahdanau", {"source_vocabulary": len(pieces), "target_vocabulary": len(pieces), **SIZES}
    )
    for pair, found in zip(pairs, forced_attention(model, pairs, pieces, pieces), strict=True):
        assert len(pieces.encode(pair.source).ids) > len(pair.source)
        assert found.shape == (len(pair.target), len(pair.source) + 1)
        torch.testing.assert_close(found.sum(-1), torch.ones(len(pair.target)))


def test_a_model_without_attention_is_one_line_that_says_so(tokenizers) -> None:
    german, english = tokenizers
    sizes = {"source_vocabulary": len(german), "target_vocabulary": len(english), **SIZES}
    with pytest.raises(CourseError, match="want a model with attention; got Cho") as caught:
        forced_attention(build("cho", sizes), PAIRS, german, english)
    assert "\n" not in str(caught.value)


class Says(EncoderDecoder):
    """Prefers one token everywhere."""

    def __init__(self, token: int, words: int, value: float = 5.0) -> None:
        super().__init__()
        self.token, self.words, self.value = token, words, value

    def forward(self, source, source_mask, target_in, *, return_attention: bool = False) -> Output:
        logits = torch.zeros(*target_in.shape, self.words)
        logits[..., self.token] = self.value
        return Output(logits)


def test_padding_that_is_foreseen_is_not_counted_as_right(tokenizers) -> None:
    encoded = encode_pairs(PAIRS, *tokenizers)
    batches = Batches(encoded, pairs_per_batch=len(PAIRS))
    (batch,) = batches.sequential()
    assert not batch.target_mask.all()
    assert teacher_forced(Says(PAD, len(tokenizers[1])), batches).accuracy == 0.0
    found = teacher_forced(Says(END, len(tokenizers[1])), batches)
    assert found.accuracy == len(PAIRS) / found.tokens
