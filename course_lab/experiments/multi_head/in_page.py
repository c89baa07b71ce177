"""The network of chapter 9's first screen, and the sentences in which it fills a gap.

It is the small Transformer of `gaps`, seed 0: 43,000 numbers in half precision. The sentences
are out of the test split. The command that makes it, half a minute:

    python -m course_lab.experiments multi_head/in_page
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.page_net import load_net, save_net
from course_lab.experiments.multi_head import gaps, heads
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.switches import FirstAnswers, switches
from course_lib.data.tokens.tokenizer import SPECIALS, WordVocabulary
from course_lib.models import cloze
from course_lib.models.cloze import Cloze

STORED = Path(__file__).with_name("in_page.safetensors")
SENTENCES = (
    ("young women who have slept wait .", 3),
    ("the young woman that she visits has slept .", 6),
    ("often an old cat that has slept waits .", 5),
    ("the kings in a small house carry the letters .", 6),
    ("this girl who laughs reads the book .", 0),
    ("these teachers who laugh visit the young girl .", 4),
    ("Paul and the children wait .", 4),
    ("the dog that Paul finds has heard Anna .", 4),
)
"""Sentences, each with the place of the gap that it opens on."""

SHOWN = 5


class InPage(NamedTuple):
    """The network, and the vocabulary that it was trained with."""

    model: Cloze
    vocabulary: WordVocabulary


def make(seed: int = 0) -> Cloze:
    """Trains the network."""
    model = gaps.make_model(gaps.HEADS, gaps.make_world(), seed)
    return gaps.train(model, gaps.make_world(), rate=heads.RATE_OF["trained"], seed=seed)


def save_to(path: Path, model: Cloze) -> None:
    """Writes the file whole or not at all."""
    save_net(path, model.state_dict())


def load(path: Path = STORED) -> InPage:
    """The stored network as the page runs it, in eval mode."""
    tensors, _ = load_net(path)
    vocabulary = gaps.make_world().vocabulary
    model = gaps.make_model(gaps.HEADS, gaps.make_world(), 0)
    model.load_state_dict(tensors)
    return InPage(model.eval(), vocabulary)


def mean_reads(page: InPage) -> Float[Tensor, "N D"]:
    """What the heads read in the mean over validation sentences: `without_heads` takes it."""
    relations = heads.asked(gaps.make_world().valid, page.vocabulary)
    return cloze.mean_reads(page.model, *relations.batch.inputs[:2])


def _usual(page: InPage) -> list[list[list[float]]]:
    """What W^O makes of them: the vector that each head adds in the mean, (N, H, D)."""
    added = []
    for layer, reads in zip(page.model.layers, mean_reads(page), strict=True):
        own = [layer.self_attention.columns(h) for h in range(gaps.HEADS)]
        weight = layer.self_attention.output.weight.detach()
        added.append([(weight[:, each] @ reads[each]).tolist() for each in own])
    return added


def filled(page: InPage, words: Sequence[str], gap: int) -> Float[Tensor, " V"]:
    """The probability of each word in the gap of one sentence."""
    batch = gaps.batch_of([words], [gap], page.vocabulary)
    with torch.no_grad():
        return page.model(*batch.inputs)[0].softmax(-1)


def show() -> Interactive:
    """The network for the reader to switch heads off, with a sentence that it has filled."""
    page = load()
    words = [page.vocabulary.decode([i]) for i in range(len(SPECIALS), len(page.vocabulary))]
    first, gap = SENTENCES[0][0].split(), SENTENCES[0][1]
    shares = filled(page, first, gap)
    best = shares.topk(SHOWN)
    batch = gaps.batch_of([first], [gap], page.vocabulary)
    with torch.no_grad():
        looks = page.model.attention_maps(*batch.inputs[:2])[0, :, :, gap]
    return switches(
        STORED.read_bytes(),
        [*SPECIALS, *words],
        [(text.split(), place) for text, place in SENTENCES],
        heads=gaps.HEADS,
        gap_token=gaps.GAP,
        shown=SHOWN,
        usual=_usual(page),
        opening=FirstAnswers(
            words=[([*SPECIALS, *words])[i] for i in best.indices.tolist()],
            shares=best.values.tolist(),
            looks=looks.tolist(),
        ),
    )


EXPERIMENTS = [
    Artifact(
        "The network of chapter 9's page, whose heads can be switched off.",
        STORED,
        lambda file, seed: save_to(file, make(seed)),
    )
]
