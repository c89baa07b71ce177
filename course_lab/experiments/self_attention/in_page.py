"""The two readers of chapter 8, and the sentences that it offers.

Both are the whole `ArticleReader`; one may ask every word, the other earlier ones only. Kept are
the vectors of the words in these sentences, rounded. The command that makes them, half a minute:

    python -m course_lab.experiments self_attention/in_page
"""

import json
from pathlib import Path

import torch

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.self_attention import articles
from course_lab.experiments.self_attention.reader import ARTICLES, ArticleReader, ReaderConfig
from course_lab.figures.touch.asking import Asked, asking
from course_lab.figures.touch.core import Interactive
from course_lib.files import atomic_write

STORED = Path(__file__).with_name("in_page.json")
NETS = {
    "every word": f"{articles.WHOLE}, {articles.TIMES} times",
    "earlier words": "earlier words only",
}
DIGITS = 3
SENTENCES = {
    "der Mann trägt den Brief .": "the man carries the letter",
    "heute findet der Lehrer den Ball .": "today the teacher finds the ball",
    "das Kind sieht den Mann .": "the child sees the man",
    "der alte König besucht die Kinder .": "the old king visits the children",
    "die Kinder haben den König besucht .": "the children have visited the king",
}
"""Sentences of the test split, each with what it means. The figure opens on the first: without
later words both of its blanks become the wrong article."""
MAPS = ("queries", "keys", "values", "answers")
Net = dict[str, list[list[float]]]


def words_of_sentences() -> list[str]:
    """The blank and every other word of the sentences, in a fixed order."""
    words = {word for sentence in SENTENCES for word in sentence.split()} - set(ARTICLES)
    return [articles.BLANK, *sorted(words)]


def blanked(sentence: str) -> Asked:
    """The sentence without its articles."""
    words = sentence.split()
    wanted = [word for word in words if word in ARTICLES]
    left = [articles.BLANK if word in ARTICLES else word for word in words]
    return Asked(left, wanted, SENTENCES[sentence])


def make(variant: str, seed: int = 0) -> Net:
    """Trains a reader and cuts it down to these words."""
    world = articles.the_world()
    model = articles.train(Trial(variant, seed, articles.RATE_OF[variant]), world)
    ids = torch.tensor([world.words.index(word) for word in words_of_sentences()])
    kept = {"words": model.words.weight[ids]} | {n: getattr(model, n).weight for n in MAPS}
    return {name: _rounded(weight) for name, weight in kept.items()}


def _rounded(weight: torch.Tensor) -> list[list[float]]:
    return [[round(number, DIGITS) for number in row] for row in weight.tolist()]


def load(path: Path = STORED) -> dict[str, ArticleReader]:
    """The stored readers by the name that the page gives them."""
    words, networks = words_of_sentences(), {}
    for name, net in load_stored(path).items():
        settings = articles.VARIANTS[articles.LONGER.get(NETS[name], NETS[name])]
        model = ArticleReader(ReaderConfig(len(words), **settings))
        for part, weight in net.items():
            getattr(model, part).weight.data = torch.tensor(weight)
        networks[name] = model.eval()
    return networks


def ids_of(sentence: str) -> list[torch.Tensor]:
    """What a stored reader is called with: one sentence, and that no word of it is padding."""
    words = words_of_sentences()
    ids = torch.tensor([[words.index(word) for word in blanked(sentence).words]])
    return [ids, torch.ones_like(ids, dtype=torch.bool)]


def show() -> Interactive:
    """The readers for a student to go through, on the first sentence."""
    first = next(iter(SENTENCES))
    with torch.inference_mode():
        looked = load()[next(iter(NETS))].look(*ids_of(first))
    return asking(
        load_stored(STORED),
        words_of_sentences(),
        [blanked(sentence) for sentence in SENTENCES],
        ARTICLES,
        steps={"weights": looked.weights[0], "shares": looked.logits[0].softmax(-1)},
    )


def _write(file: Path, seed: int) -> None:
    nets = {name: make(variant, seed) for name, variant in NETS.items()}
    atomic_write(file, json.dumps(nets, separators=(",", ":")) + "\n")


EXPERIMENTS = [Artifact("The readers of chapter 8's page.", STORED, _write)]
