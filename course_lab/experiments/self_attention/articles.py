"""The experiment of chapter 8: what does a blank have to ask, and whom, to become an article?

German sentences with two definite articles taken out. Which of der, die, das and den a blank has to
be follows from its noun, and from what the noun does in the sentence; the blanks themselves are one
and the same word. `ArticleReader` is trained with one part exchanged at a time; the others, the
sentences and the number of updates are the same. Some variants have a twin that trains four times
as long, the whole model among them. Judged are sentences whose two articles differ. The commands:

    python -m course_lab.experiments self_attention/articles_tuning  # the learning rates
    python -m course_lab.experiments self_attention/articles         # five seeds, on test sentences
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Int
from torch import Tensor

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned, tuning
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.self_attention.reader import ARTICLES, ArticleReader, ReaderConfig
from course_lib.data.batch_source import GeneratedBatches
from course_lib.data.mini_world import grammar
from course_lib.data.pairs import AlignedPair
from course_lib.device import cpu_generator
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import Loss

BLANK, PADDING = "_", "<pad>"
LONGEST = 9
STEPS, ROWS = 300, 64
SEEDS = (0, 1, 2, 3, 4)
RATES = (1e-2, 2e-2, 4e-2, 8e-2, 1.6e-1)
STORED = Path(__file__).with_name("articles.json")
TUNING = Path(__file__).with_name("articles_tuning.json")
WHOLE = "query, key, value"
VARIANTS: dict[str, dict[str, Any]] = {
    WHOLE: {},
    "learned positions": {"positions": "learned"},
    "rotary positions": {"positions": "rotary"},
    "no positions": {"positions": "none"},
    "earlier words only": {"causal": True},
    "one matrix for Q and K": {"maps": "two"},
    "S Sᵀ": {"maps": "none"},
    "equal weights": {"equal": True},
    "softmax over the queries": {"over": "queries"},
}
TIMES = 4
LONGER = {f"{name}, {TIMES} times": name for name in (WHOLE, "one matrix for Q and K", "S Sᵀ")}
"""Twins, and what they are twins of; they keep its learning rate."""
RATE_OF = dict.fromkeys(VARIANTS, 8e-2) | {"softmax over the queries": 4e-2}
"""For each variant the rate with the most blanks right on validation sentences, or .03 from it."""
RATE_OF |= {twin: RATE_OF[name] for twin, name in LONGER.items()}


class Blanks(NamedTuple):
    """Sentences as tensors.

    Attributes:
        words: (N, T) ids, BLANK where an article was.
        real: True at words, False at padding.
        wanted: places in `ARTICLES` at blanks, -1 elsewhere.
    """

    words: Int[Tensor, "N T"]
    real: Bool[Tensor, "N T"]
    wanted: Int[Tensor, "N T"]

    def to(self, device: torch.device | str) -> "Blanks":
        """The same on a device."""
        return Blanks(*(tensor.to(device) for tensor in self))

    def rows(self, chosen: Tensor) -> "Blanks":
        """Some of the sentences."""
        return Blanks(*(tensor[chosen] for tensor in self))


@dataclass(frozen=True)
class ArticleWorld:
    """Sentences in three splits, none in two of them, and the words of the training sentences.

    Pairs are English and German; English serves as a gloss. Articles are no words of `words`.
    """

    train: list[AlignedPair]
    valid: list[AlignedPair]
    test: list[AlignedPair]
    words: list[str]


@cache
def the_world() -> ArticleWorld:
    """Short sentences with two definite articles; those to be judged have two different ones."""
    drawn = {
        split: [pair for pair in _sample(split, count) if fits(pair.target)]
        for split, count in (("train", 9000), ("valid", 1500), ("test", 1500))
    }
    known = {word for pair in drawn["train"] for word in pair.target} - set(ARTICLES)
    differ = {
        split: [pair for pair in drawn[split] if len(_articles(pair.target)) == 2]
        for split in ("valid", "test")
    }
    return ArticleWorld(
        drawn["train"], differ["valid"], differ["test"], [PADDING, BLANK, *sorted(known)]
    )


def fits(german: Sequence[str]) -> bool:
    """At most `LONGEST` words, two definite articles, no comma: der is no relative pronoun."""
    return len(german) <= LONGEST and "," not in german and sum(w in ARTICLES for w in german) == 2


def _articles(german: Sequence[str]) -> set[str]:
    return set(german) & set(ARTICLES)


def _sample(split: str, count: int) -> list[AlignedPair]:
    return grammar.sample(split, count, seed=1, min_words=4, max_words=9, vocabulary="tiny")


def with_blanks(sentences: Sequence[Sequence[str]], words: Sequence[str]) -> Blanks:
    """Takes the articles out; a word that was never seen stands as padding, unseen."""
    longest = max(map(len, sentences))
    ids = torch.zeros(len(sentences), longest, dtype=torch.long)
    wanted = torch.full_like(ids, -1)
    place = {word: number for number, word in enumerate(words)}
    for row, sentence in enumerate(sentences):
        for t, word in enumerate(sentence):
            if word in ARTICLES:
                wanted[row, t] = ARTICLES.index(word)
            ids[row, t] = place.get(BLANK if word in ARTICLES else word, 0)
    return Blanks(ids, ids != 0, wanted)


def article_loss(model: ArticleReader, batch: Blanks) -> Loss:
    """Cross-entropy of the true articles, in nats, counted by blanks."""
    asked = batch.wanted >= 0
    logits = model(batch.words, batch.real)[asked]
    return Loss(F.cross_entropy(logits, batch.wanted[asked], reduction="sum"), int(asked.sum()))


def make_reader(variant: str, world: ArticleWorld, seed: int) -> ArticleReader:
    """A variant before it is trained."""
    settings = VARIANTS[LONGER.get(variant, variant)]
    return ArticleReader(ReaderConfig(len(world.words), **settings), cpu_generator(seed))


def train(run: Trial, world: ArticleWorld) -> ArticleReader:
    """`STEPS` updates on sentences drawn anew, or four times as many."""
    data = with_blanks([pair.target for pair in world.train], world.words)
    model = make_reader(run.variant, world, run.seed)

    def make(generator: torch.Generator) -> Blanks:
        return data.rows(torch.randint(len(data.words), (ROWS,), generator=generator))

    config = FitConfig(
        steps=STEPS * (TIMES if run.variant in LONGER else 1),
        learning_rate=run.learning_rate,
        schedule="cosine",
        betas=(0.9, 0.95),
    )
    feed = GeneratedBatches(make, batches=100, seed=run.seed)
    fit(model, feed, None, config, objective=article_loss, progress=False, device="cpu")
    return model.eval()


@torch.inference_mode()
def share_right(model: ArticleReader, pairs: Sequence[AlignedPair], world: ArticleWorld) -> float:
    """The share of blanks that get their article."""
    data = with_blanks([pair.target for pair in pairs], world.words)
    asked = data.wanted >= 0
    predicted = model(data.words, data.real).argmax(-1)
    return (predicted == data.wanted)[asked].float().mean().item()


def commonest(pairs: Sequence[AlignedPair]) -> float:
    """The share that one answer to all would get."""
    articles = [word for pair in pairs for word in pair.target if word in ARTICLES]
    return max(articles.count(article) for article in ARTICLES) / len(articles)


def _judged(run: Trial) -> dict[str, Any]:
    world = the_world()
    model = train(run, world)
    count = sum(parameter.numel() for parameter in model.parameters())
    right = share_right(model, world.test, world)
    return {**_name(run, "seed"), "parameters": count, "accuracy": round(right, 4)}


def _tuned(run: Trial) -> dict[str, Any]:
    """On the validation sentences; the test sentences are not looked at."""
    world = the_world()
    right = share_right(train(run, world), world.valid, world)
    return {**_name(run, "learning_rate"), "accuracy": round(right, 4)}


def _name(run: Trial, other: str) -> dict[str, Any]:
    return {"variant": run.variant, other: getattr(run, other)}


def load_shares() -> dict[str, list[float]]:
    """What each variant got right of the test sentences' blanks, seed by seed."""
    shares: dict[str, list[float]] = {}
    for entry in load_stored(STORED):
        shares.setdefault(entry["variant"], []).append(entry["accuracy"])
    return shares


EXPERIMENTS = [
    Experiment(
        "What a blank has to ask: chapter 8's variants.",
        STORED,
        lambda: planned(RATE_OF, list(RATE_OF), SEEDS),
        _judged,
    ),
    tuning(
        "The learning rates of chapter 8's variants.",
        TUNING,
        RATE_OF,
        RATES,
        SEEDS[0],
        _tuned,
        twins=LONGER,
    ),
]
