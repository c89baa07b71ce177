"""Which noun does *it* mean? The small network of chapter 8's first screen.

Two layers of self-attention, one head each, read sentences such as "the dog dropped the ball
because it was tired". From what *it* has read, the network says which noun is meant. The command
that trains it, some seconds:

    python -m course_lab.experiments self_attention/pronoun
"""

import itertools
import json
from pathlib import Path
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lib.attention.attend import attend
from course_lib.attention.position import sinusoidal
from course_lib.files import atomic_write

STORED = Path(__file__).with_name("pronoun.json")
BEINGS = ("dog", "cat", "horse", "child", "robot")
THINGS = ("ball", "box", "stone", "chair", "lamp")
OF_BEINGS = ("tired", "hungry", "afraid", "clever")
OF_THINGS = ("heavy", "empty", "broken", "cheap")
VERBS = ("dropped", "left", "saw", "touched", "followed")
WORDS = ("the", "because", "it", "was", *BEINGS, *THINGS, *OF_BEINGS, *OF_THINGS, *VERBS)
NOUNS = (*BEINGS, *THINGS)
SENTENCES = (
    "the dog dropped the ball because it was tired",
    "the dog dropped the ball because it was heavy",
)
IT = 6
"""The position of *it* in every sentence."""
WIDTH, STEPS, ROWS, RATE = 16, 600, 64, 1e-2


class Meaning(NamedTuple):
    """What *it* reads in the second layer, and what it means.

    Attributes:
        weights: (9,) attention weights of *it* over the words of the sentence.
        nouns: the probability of each of `NOUNS`.
    """

    weights: Tensor
    nouns: Tensor


class PronounReader(nn.Module):
    """Two layers of self-attention with residual connections, then one logit for each noun."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(len(WORDS), WIDTH)
        self.maps = nn.ModuleList(nn.Linear(WIDTH, 3 * WIDTH, bias=False) for _ in range(2))
        self.answer = nn.Linear(WIDTH, len(NOUNS), bias=False)

    def forward(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits (B, nouns) and the second layer's weights (B, T, T)."""
        x = self.words(ids) + sinusoidal(torch.arange(ids.shape[1]), WIDTH)
        for layer in self.maps:
            q, k, v = layer(x).chunk(3, dim=-1)
            read = attend(q, k, v)
            x = x + read.context
        return self.answer(read.context[:, IT]), read.weights


def examples() -> tuple[Tensor, Tensor]:
    """Return the ids of all sentences (N, 9), and the number of the noun that *it* means."""
    ids, meant = [], []
    for being, thing, verb in itertools.product(BEINGS, THINGS, VERBS):
        for first, second in ((being, thing), (thing, being)):
            for noun, adjectives in ((being, OF_BEINGS), (thing, OF_THINGS)):
                for adjective in adjectives:
                    words = f"the {first} {verb} the {second} because it was {adjective}".split()
                    ids.append([WORDS.index(word) for word in words])
                    meant.append(NOUNS.index(noun))
    return torch.tensor(ids), torch.tensor(meant)


def train(seed: int = 0) -> tuple[PronounReader, float]:
    """Train on two thirds of the sentences; return the network and its share right on the rest."""
    torch.manual_seed(seed)
    model, (ids, meant) = PronounReader(), examples()
    order = torch.randperm(len(ids))
    held_out, kept = order[: len(ids) // 3], order[len(ids) // 3 :]
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    for _ in range(STEPS):
        rows = kept[torch.randint(len(kept), (ROWS,))]
        loss = F.cross_entropy(model(ids[rows])[0], meant[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        right = model(ids[held_out])[0].argmax(-1) == meant[held_out]
    return model.eval(), right.float().mean().item()


def load(path: Path = STORED) -> PronounReader:
    """Return the stored network."""
    model = PronounReader()
    model.load_state_dict({name: torch.tensor(rows) for name, rows in load_stored(path).items()})
    return model.eval()


@torch.inference_mode()
def meaning(model: PronounReader, sentence: str) -> Meaning:
    """Return what *it* attends to in a sentence, and the probability of each noun.

    Raises:
        ValueError: the sentence has another form, or a word that the network does not know.
    """
    words = sentence.lower().replace(",", "").rstrip(". ").split()
    if unknown := [word for word in words if word not in WORDS]:
        raise ValueError(f"this network does not know {unknown[0]!r}; it knows {', '.join(WORDS)}")
    form = [words[i] if i < len(words) else "" for i in (0, 3, 5, 6, 7)]
    if len(words) != 9 or form != ["the", "the", "because", "it", "was"]:
        raise ValueError(f"write a sentence of this form: {SENTENCES[0]}")
    logits, weights = model(torch.tensor([[WORDS.index(word) for word in words]]))
    return Meaning(weights[0, IT], logits[0].softmax(-1))


def _write(file: Path, seed: int) -> None:
    weights = train(seed)[0].state_dict()
    rounded = {n: [[round(x, 3) for x in row] for row in w.tolist()] for n, w in weights.items()}
    atomic_write(file, json.dumps(rounded, separators=(",", ":")) + "\n")


EXPERIMENTS = [Artifact("The network that says what *it* means.", STORED, _write)]
