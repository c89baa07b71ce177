"""The network of chapter 7's first screen, and the words that its menus offer.

It is the comparison's "decomposable 32" with contrast, trained for longer and also on pairs out of
these menus. Without contrast its words find partners that mean nothing. The words' vectors are
already projected, and only those of the menus are kept: 11,000 numbers in half precision. The
command that makes it, less than a minute:

    python -m course_lab.experiments decomposable/in_page
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

import torch

from course_lab.experiments.decomposable import comparison
from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.page_net import load_net, save_net
from course_lab.experiments.lab.rates import Trial
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.verdict import Menus, verdict
from course_lib.data.inference_pairs import LABELS, InferencePair
from course_lib.data.mini_world.inference import label_of
from course_lib.data.tokens.hashed import encode_hashed
from course_lib.data.tokens.tokenizer import START
from course_lib.models.decomposable import Decomposable, DecomposableConfig

STORED = Path(__file__).with_name("in_page.safetensors")
VARIANT, TIMES = "decomposable 32", 3
_EACH = ("a", "every", "no")
MENUS = Menus(
    slots={
        "who": (
            *(f"{each} {who}" for who in ("doctor", "young doctor", "person") for each in _EACH),
            "two doctors",
            "a witch",
        ),
        "does": ("helps", "rescues", "paints"),
        "whom": ("a dog", "a small dog", "an animal", "a small animal", "a cat"),
        "when": ("", "today", "now"),
    },
    premise=(4, 0, 1, 1),
    hypothesis=(4, 0, 2, 0),
)
START_WORD = "∅"
_KINDS = {"doctor": "person", "witch": "person", "dog": "animal", "cat": "animal"}


class InPage(NamedTuple):
    """The network, and the words of its ids from 0 on; the first is START."""

    model: Decomposable
    words: list[str]


def words_of_menus(menus: Menus = MENUS) -> list[str]:
    """START and every word that a menu can put into a sentence, in a fixed order."""
    words = {w for phrases in menus.slots.values() for phrase in phrases for w in phrase.split()}
    return [START_WORD, *sorted(words | {".", *_plural_verbs(menus)})]


def sentence(menus: Menus, chosen: Sequence[int]) -> list[str]:
    """The words of a choice, one place of each menu."""
    phrases = [options[i] for options, i in zip(menus.slots.values(), chosen, strict=True)]
    if phrases[0].startswith("two "):
        phrases[1] = phrases[1].removesuffix("s")
    return [*" ".join(phrases).split(), "."]


def _plural_verbs(menus: Menus) -> set[str]:
    return {verb.removesuffix("s") for verb in menus.slots["does"]}


def right(menus: Menus, premise: Sequence[int], hypothesis: Sequence[int]) -> str:
    """The label that logic gives to a choice."""
    first, second = (
        [options[i] for options, i in zip(menus.slots.values(), chosen, strict=True)]
        for chosen in (premise, hypothesis)
    )
    subject = _compared(first[0].split()[1:], second[0].split()[1:])
    parts = {
        "" if first[1] == second[1] else "other",
        _compared(first[2].split()[1:], second[2].split()[1:]),
        _compared(first[3].split(), second[3].split()),
    } - {""}
    predicate = parts.pop() if len(parts) == 1 else "other" if parts else ""
    return label_of(first[0].split()[0], subject, predicate, second[0].split()[0])


def _compared(first: list[str], second: list[str]) -> str:
    """How the second phrase compares with the first: see `label_of`."""
    one, other = (_meant(words) for words in (first, second))
    if one == other:
        return ""
    return "up" if other <= one else "down" if one <= other else "other"


def _meant(words: list[str]) -> set[str]:
    """All that is said of somebody: of a dog also that it is an animal."""
    singular = {word.replace("doctors", "doctor") for word in words}
    return singular | {_KINDS[word] for word in singular if word in _KINDS}


def small(model: Decomposable, ids: list[int]) -> Decomposable:
    """The same network with only these words, their vectors projected already."""
    config = model.config
    made = Decomposable(replace(config, vocabulary=len(ids), embedding=config.hidden, frozen=False))
    kept = {k: v for k, v in model.state_dict().items() if not k.startswith("words.")}
    with torch.no_grad():
        kept["words.table.weight"] = model.words(torch.tensor(ids))
    kept["words.project.weight"] = torch.eye(config.hidden)
    made.load_state_dict(kept)
    return made.eval()


def drawn(count: int, seed: int = 0) -> list[InferencePair]:
    """Pairs out of the menus, in most of which few places differ."""
    chance = Random(f"{seed} menus").random

    def pick(k: int) -> int:
        return int(chance() * len(list(MENUS.slots.values())[k]))

    pairs = []
    while len(pairs) < count:
        premise = [pick(k) for k in range(len(MENUS.slots))]
        hypothesis = [pick(k) if chance() < 0.4 else each for k, each in enumerate(premise)]
        sides = (tuple(sentence(MENUS, chosen)) for chosen in (premise, hypothesis))
        pairs.append(InferencePair(*sides, right(MENUS, premise, hypothesis)))
    return pairs


def make(seed: int = 0) -> Decomposable:
    """Trains the network on the mini-world's pairs and on the menus', and cuts it down to these."""
    world = comparison.make_world()
    world = world._replace(train=world.train + drawn(len(world.train)))
    rate = comparison.RATE_OF[VARIANT]
    trained = comparison.train(Trial(VARIANT, seed, rate), world, times=TIMES, contrast=True)
    ids = [START] + [encode_hashed(world.vocabulary, [word])[0] for word in words_of_menus()[1:]]
    return small(trained, ids)


def save_to(path: Path, model: Decomposable) -> None:
    """Writes the file whole or not at all."""
    weights = model.state_dict()
    del weights["words.project.weight"]
    save_net(path, weights)


def load(path: Path = STORED) -> InPage:
    """The stored network, in single precision."""
    words = words_of_menus()
    tensors, _ = load_net(path)
    hidden = tensors["words.table.weight"].shape[1]
    tensors["words.project.weight"] = torch.eye(hidden)
    model = Decomposable(DecomposableConfig(len(words), hidden, hidden, contrast=True))
    model.load_state_dict(tensors)
    return InPage(model.eval(), words)


def inputs_of(words: Sequence[str], *sentences: Sequence[str]) -> list[torch.Tensor]:
    """A batch of one pair, START before each sentence, as `forward` takes it."""
    inputs = []
    for each in sentences:
        ids = torch.tensor([[0, *(words.index(word) for word in each)]])
        inputs += [ids, torch.ones_like(ids, dtype=torch.bool)]
    return inputs


def show() -> Interactive:
    """The network for the reader to try, with a pair that it has judged already."""
    model, words = load()
    pair = [sentence(MENUS, chosen) for chosen in (MENUS.premise, MENUS.hypothesis)]
    with torch.inference_mode():
        looked = model.explain(*inputs_of(words, *pair))
    return verdict(
        STORED.read_bytes(),
        words,
        MENUS,
        LABELS,
        premise=[START_WORD, *pair[0]],
        hypothesis=[START_WORD, *pair[1]],
        weights=looked.hypothesis_weights[0],
        shares=looked.logits[0].softmax(-1),
    )


EXPERIMENTS = [
    Artifact(
        "The network of chapter 7's menus.", STORED, lambda file, seed: save_to(file, make(seed))
    )
]
