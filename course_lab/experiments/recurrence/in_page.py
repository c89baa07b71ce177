"""The net of chapter 1's first screen: a plain recurrent net that writes mini-world sentences.

It reads a sentence word by word and gives each word of its vocabulary a probability to come next.
The page runs it from some ten kB of half-precision weights. The command that makes them, half a
minute:

    python -m course_lab.experiments recurrence/in_page
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.page_net import load_net, save_net
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.forecast import forecast
from course_lib.data.mini_world import grammar
from course_lib.device import cpu_generator

STORED = Path(__file__).with_name("in_page.safetensors")
START, STOP = "<s>", "."
WIDTH = 24
SENTENCES, LONGEST = 12000, 11
"""Sentences to train on, and how many words they have at most."""
UPDATES, BATCH, RATE, CLIP = 1500, 64, 0.01, 1.0
BEGINNINGS = ("the dog that sees the cats", "the dog", "the dogs that see the cat", "")
"""What the figure offers to begin with; it opens on the first."""
FOR_ONE, FOR_MANY = ("sleeps", "waits", "has"), ("sleep", "wait", "have")
"""Three verbs that go with one, and the same with many."""
TEMPERATURES = (0.5, 1.0, 1.5)
WRITTEN, MOST = 4, 16
"""Sentences at each temperature for a page without a script, and words in one at most."""
_SHOWN = 6


class Writer(nn.Module):
    """A plain tanh net over words, and a linear layer that scores the next one.

    Its input is a vector with a 1 at the word's own place, so the columns of W_ih are the words.
    """

    def __init__(self, vocabulary: int, width: int = WIDTH) -> None:
        super().__init__()
        self.layer = nn.RNN(vocabulary, width, batch_first=True)
        self.readout = nn.Linear(width, vocabulary)

    def forward(self, ids: Int[Tensor, "B S"]) -> Float[Tensor, "B S V"]:
        """Scores (B, S, V) of the word after each position."""
        inputs = nn.functional.one_hot(ids, self.readout.out_features).float()
        return self.readout(self.layer(inputs)[0])


class InPage(NamedTuple):
    """The net, and the words of its ids from 0 on; the first is START."""

    model: Writer
    words: list[str]

    def following(self, begun: Sequence[str], temperature: float = 1.0) -> Float[Tensor, " V"]:
        """The probability of each word after these.

        Raises:
            ValueError: a word that the net does not know.
        """
        ids = [[0, *(self.words.index(word) for word in begun)]]
        with torch.no_grad():
            scores = self.model(torch.tensor(ids))[0, -1]
        scores[0] = -torch.inf  # the start is never written
        return (scores / temperature).softmax(-1)

    def write(self, temperature: float, generator: torch.Generator) -> list[str]:
        """A sentence, each word drawn with its probability, to STOP or to `MOST` words."""
        line: list[str] = []
        while len(line) < MOST and line[-1:] != [STOP]:
            shares = self.following(line, temperature)
            line.append(self.words[int(torch.multinomial(shares, 1, generator=generator))])
        return line


def sentences() -> list[tuple[str, ...]]:
    """What the net is trained on: the words of different English sentences of the mini-world."""
    pairs = grammar.sample(
        "train", SENTENCES, seed=3, min_words=3, max_words=LONGEST, vocabulary="tiny"
    )
    return [pair.source for pair in pairs]


def make(seed: int = 0) -> InPage:
    """Trains the net to name the next word of the sentences.

    The loop is plain PyTorch, as in the chapter; `fit` has no rate that falls in a straight line.
    """
    lines = sentences()
    words = [START, *sorted({word for line in lines for word in line})]
    rows = [torch.tensor([0, *map(words.index, line)]) for line in lines]
    generator = cpu_generator(seed)
    model = Writer(len(words))
    for parameter in model.parameters():
        nn.init.uniform_(parameter, -(WIDTH**-0.5), WIDTH**-0.5, generator=generator)
    adam = torch.optim.Adam(model.parameters(), lr=RATE)
    falling = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.0, total_iters=UPDATES)
    for _ in range(UPDATES):
        picked = torch.randint(len(rows), (BATCH,), generator=generator).tolist()
        ids = nn.utils.rnn.pad_sequence([rows[i] for i in picked], batch_first=True)
        wanted = ids[:, 1:].flatten()
        # START is 0 as padding is, and never comes next.
        loss = nn.functional.cross_entropy(model(ids[:, :-1]).flatten(0, 1), wanted, ignore_index=0)
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        adam.step()
        falling.step()
    return InPage(model.eval(), words)


def save_to(path: Path, made: InPage) -> None:
    """Writes the file whole or not at all."""
    save_net(path, made.model.state_dict(), {"words": made.words})


def load(path: Path = STORED) -> InPage:
    """The stored net, in single precision."""
    tensors, settings = load_net(path)
    words = settings["words"]
    model = Writer(len(words))
    model.load_state_dict(tensors)
    return InPage(model.eval(), words)


def likeliest(page: InPage, begun: str, count: int = _SHOWN) -> dict[str, float]:
    """The words that most probably come next, and their probabilities."""
    best = page.following(begun.split()).topk(count)
    shares = best.values.tolist()
    return {page.words[i]: s for i, s in zip(best.indices.tolist(), shares, strict=True)}


def show() -> Interactive:
    """The net for the reader to write with."""
    page = load()
    generator = cpu_generator(0)
    return forecast(
        STORED.read_bytes(),
        page.words,
        {begun: likeliest(page, begun) for begun in BEGINNINGS},
        {
            temperature: [" ".join(page.write(temperature, generator)) for _ in range(WRITTEN)]
            for temperature in TEMPERATURES
        },
        sums={", ".join(verbs): verbs for verbs in (FOR_ONE, FOR_MANY)},
        stop=STOP,
        most=MOST,
    )


EXPERIMENTS = [
    Artifact(
        "The network of chapter 1's page, which writes sentences.",
        STORED,
        lambda file, seed: save_to(file, make(seed)),
    )
]
