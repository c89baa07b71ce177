"""An LSTMN that reads English, for the tape of chapter 8: where it looks back at each step.

A language model: from what its cell holds after each word it predicts the next one. Kept are its
intra-attention weights (Cheng et al. 2016, equation 5) for a few sentences, and two means over the
test sentences. The command that makes the file, less than two minutes:

    python -m course_lab.experiments self_attention/tape
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.mini_world import grammar
from course_lib.data.tokens.tokenizer import START, WordVocabulary
from course_lib.device import cpu_generator
from course_lib.files import atomic_write
from course_lib.models.parts import TokenEmbedding, initialise
from course_lib.recurrent.lstmn import LSTMNCell, LSTMNOutput, run_lstmn
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import language_model_loss, measure, perplexity

STORED = Path(__file__).with_name("tape.json")
WIDTH, STEPS, RATE = 32, 300, 2e-2
START_WORD = "start"
SENTENCES = (
    "the boy that she hears has not slept .",
    "the old king visits the children .",
    "today the teacher finds the ball .",
)


class TapeReader(nn.Module):
    """An LSTMN over the words so far, and a linear layer that predicts the next one."""

    def __init__(self, vocabulary: int, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.embed = TokenEmbedding(vocabulary, WIDTH)
        self.cell = LSTMNCell(WIDTH, WIDTH)
        self.words = nn.Linear(WIDTH, vocabulary)
        initialise(self, generator)

    def forward(self, tokens: Int[Tensor, "B T"]) -> Float[Tensor, "B T V"]:
        """Logits of the word behind each; padding stands behind, unread by what is before it."""
        return self.words(self.look(tokens).hidden)

    def look(self, tokens: Int[Tensor, "B T"], *, return_attention: bool = False) -> LSTMNOutput:
        """The reading itself."""
        return run_lstmn(self.cell, self.embed(tokens), return_attention=return_attention)


def _sentences(split: str, count: int) -> list[tuple[str, ...]]:
    drawn = grammar.sample(split, count, seed=1, min_words=4, max_words=10, vocabulary="tiny")
    return [pair.source for pair in drawn]


def _batches(sentences: Sequence[Sequence[str]], vocabulary: WordVocabulary) -> Batches:
    pairs = [EncodedPair([START], vocabulary.encode(list(each)).ids) for each in sentences]
    return Batches(pairs, pairs_per_batch=64)


def train(seed: int = 0) -> tuple[TapeReader, WordVocabulary]:
    """The reader and its words, after `STEPS` updates."""
    sentences = _sentences("train", 4000)
    vocabulary = WordVocabulary.from_sentences(sentences)
    model = TapeReader(len(vocabulary), cpu_generator(seed))
    config = FitConfig(steps=STEPS, learning_rate=RATE, schedule="cosine", warmup=20)
    fit(
        model,
        _batches(sentences, vocabulary),
        None,
        config,
        objective=language_model_loss,
        progress=False,
        device="cpu",
    )
    return model.eval(), vocabulary


@torch.inference_mode()
def weights_of(
    model: TapeReader, vocabulary: WordVocabulary, sentence: Sequence[str]
) -> Float[Tensor, "T T"]:
    """Row t: where the step that reads word t looked; words are START and the sentence's."""
    ids = torch.tensor([[START, *vocabulary.encode(list(sentence)).ids]])
    return model.look(ids, return_attention=True).weights[0]


def make(seed: int = 0) -> dict[str, Any]:
    """What is stored: perplexity, the weight on the last place beside an equal share, and maps."""
    model, vocabulary = train(seed)
    test = _sentences("test", 400)
    nats, tokens = measure(
        model, _batches(test, vocabulary).sequential(), "cpu", language_model_loss
    )
    last, equal = [], []
    for sentence in test:
        weights = weights_of(model, vocabulary, sentence)
        for t in range(2, len(weights)):
            last.append(float(weights[t, t - 1]))
            equal.append(1 / t)
    maps = {
        each: [[round(w, 3) for w in row[:t]] for t, row in enumerate(matrix.tolist())]
        for each in SENTENCES
        for matrix in [weights_of(model, vocabulary, each.split())]
    }
    return {
        "seed": seed,
        "perplexity": round(perplexity(nats, tokens), 2),
        "last": round(sum(last) / len(last), 3),
        "equal": round(sum(equal) / len(equal), 3),
        "maps": maps,
    }


def load_maps() -> dict[str, list[list[float]]]:
    """By sentence, for START and each of its words, the weights over the places before it."""
    return load_stored(STORED)["maps"]


EXPERIMENTS = [
    Artifact(
        "What an LSTMN looks at, for chapter 8.",
        STORED,
        lambda file, seed: atomic_write(file, json.dumps(make(seed)) + "\n"),
    )
]
