"""What the heads of chapter 9's small Transformer look at, and what is lost without each.

One gap is asked for each relation of the grammar: at a verb, does a head look from the gap to the
subject? Beside the heads stands what needs no model: the fixed distance that is most often right
(Clark et al. 2019 compare heads with the same). What a head is worth is measured apart from where
it looks: nats lost when it reads its mean, whatever the sentence, and nats lost when it reads zero.
Each network has a twin that trains four times as long, judged by zero alone. The commands:

    python -m course_lab.experiments multi_head/heads_tuning  # the learning rate
    python -m course_lab.experiments multi_head/heads         # five seeds, on the test sentences
"""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import cross_entropy

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned, tuning
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.multi_head import gaps
from course_lab.experiments.multi_head.relations import KINDS, Parsed
from course_lib.data.mini_world.lexicon.reader import load
from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.models.cloze import Cloze, mean_reads, without_heads

SEEDS = (0, 1, 2, 3, 4)
RATES = (1.5e-3, 3e-3, 6e-3, 1.2e-2)
TIMES = 4
TWIN = f"trained, {TIMES} times as long"
RATE_OF = {"trained": 6e-3, TWIN: 6e-3}
"""The twin keeps the rate; it tells whether what is said of the heads is about the budget."""
STORED = Path(__file__).with_name("heads.json")
TUNING = Path(__file__).with_name("heads_tuning.json")
_REACH = range(-6, 7)


class AskedGaps(NamedTuple):
    """One gap for each relation of some sentences.

    Attributes:
        batch: the sentences with their gaps: R of them.
        kinds: of each relation.
        partners: (R, T), True at the words that the missing one belongs to.
    """

    batch: gaps.GapBatch
    kinds: list[str]
    partners: Bool[Tensor, "R T"]

    def of_kind(self, kind: str) -> Bool[Tensor, " R"]:
        """Which relations are of a kind."""
        return torch.tensor([each == kind for each in self.kinds])


Table = dict[str, list[list[float]]]
"""For each kind of relation a number for each layer and head."""


def asked(sentences: Sequence[Parsed], vocabulary: WordVocabulary) -> AskedGaps:
    """A gap at the first word of every relation."""
    pairs = [(each.words, relation) for each in sentences for relation in each.relations]
    batch = gaps.batch_of([words for words, _ in pairs], [r.word for _, r in pairs], vocabulary)
    partners = torch.zeros_like(batch.inputs[0], dtype=torch.bool)
    for row, (_, relation) in enumerate(pairs):
        partners[row, list(relation.partners)] = True
    return AskedGaps(batch, [relation.kind for _, relation in pairs], partners)


def from_gap(model: Cloze, batch: gaps.GapBatch) -> Float[Tensor, "R N H T"]:
    """Where each head of each layer looks from the gap."""
    tokens, real, gap = batch.inputs
    with torch.no_grad():
        return model.attention_maps(tokens, real)[torch.arange(len(gap)), :, :, gap]


def found(model: Cloze, given: AskedGaps) -> Table:
    """The share of gaps from which a head looks most at a word that the missing one belongs to."""
    most = from_gap(model, given.batch).argmax(-1)
    hit = given.partners.unsqueeze(1).expand(-1, most.shape[1], -1).gather(2, most)
    return _by_kind(given, hit.double())


def by_distance(chosen_on: AskedGaps, given: AskedGaps) -> dict[str, tuple[int, float]]:
    """For each kind the distance that is most often right, and how often: without any model.

    Args:
        chosen_on: relations by which the distance is chosen.
        given: relations on which its share is counted.
    """
    return {
        kind: max(
            ((d, _at(given, kind, d), _at(chosen_on, kind, d)) for d in _REACH), key=lambda x: x[2]
        )[:2]
        for kind in KINDS
    }


def _at(given: AskedGaps, kind: str, distance: int) -> float:
    """How often the word at this distance from the gap is a partner."""
    of_kind = given.of_kind(kind)
    places = given.batch.inputs[2][of_kind] + distance
    partners = given.partners[of_kind]
    inside = (places >= 0) & (places < partners.shape[1])
    at = partners.gather(1, places.clamp(0, partners.shape[1] - 1).unsqueeze(1)).squeeze(1)
    return (at & inside).double().mean().item()


def costs(model: Cloze, given: AskedGaps, reads: Float[Tensor, "N D"] | None = None) -> Table:
    """Nats lost at the gap, on average, when a head reads the same at every word.

    Args:
        model: the whole network.
        given: relations with their gaps.
        reads: what the heads read then, as `without_heads` takes it; by default zeros.
    """

    def nats(with_model: Cloze) -> Float[Tensor, " R"]:
        with torch.no_grad():
            logits = with_model(*given.batch.inputs)
        return cross_entropy(logits, given.batch.label, reduction="none").double()

    whole, config = nats(model), model.config
    lost = [
        torch.stack(
            [nats(without_heads(model, [(n, h)], reads)) - whole for h in range(config.heads)],
            dim=1,
        )
        for n in range(config.layers)
    ]
    return _by_kind(given, torch.stack(lost, dim=1))


def agreement(
    model: Cloze,
    sentences: Sequence[Parsed],
    vocabulary: WordVocabulary,
    silent: Collection[tuple[int, int]] = (),
    reads: Float[Tensor, "N D"] | None = None,
) -> float:
    """How often a verb gets the number of its subject where another word stands between them.

    The form that stood in the sentence is held against the other one: sees and see, has and have.

    Args:
        model: what fills the gap.
        sentences: whose verbs are asked for.
        vocabulary: of the model.
        silent: heads that are switched off.
        reads: what these heads read instead, as `without_heads` takes it; by default zeros.
    """
    other = other_forms()
    far = [
        (each.words, r.word)
        for each in sentences
        for r in each.relations
        if r.kind == "verb to subject" and each.words[r.word] in other
        if r.word - 1 not in r.partners
    ]
    batch = gaps.batch_of([words for words, _ in far], [gap for _, gap in far], vocabulary)
    wrong = vocabulary.encode([other[words[gap]] for words, gap in far]).ids
    with torch.no_grad():
        logits = without_heads(model, silent, reads)(*batch.inputs)
    rows = torch.arange(len(far))
    right = logits[rows, batch.label] > logits[rows, torch.tensor(wrong)]
    return right.double().mean().item()


def other_forms() -> dict[str, str]:
    """For each finite verb form of the tiny mini-world the one of the other number."""
    pairs = [("have", "has"), ("do", "does"), *(verb.english[:2] for verb in load("tiny").verbs)]
    return {a: b for pair in pairs for a, b in (pair, pair[::-1])}


def _by_kind(given: AskedGaps, numbers: Float[Tensor, "R N H"]) -> Table:
    return {
        kind: [[round(x, 4) for x in row] for row in numbers[given.of_kind(kind)].mean(0).tolist()]
        for kind in KINDS
    }


def _trained(run: Trial) -> tuple[Cloze, gaps.GapWorld]:
    world = gaps.make_world()
    model = gaps.make_model(gaps.HEADS, world, run.seed)
    times = TIMES if run.variant == TWIN else 1
    return gaps.train(model, world, rate=run.learning_rate, seed=run.seed, times=times), world


def _tune(run: Trial) -> dict[str, Any]:
    model, world = _trained(run)
    given = asked(world.valid, world.vocabulary)
    with torch.no_grad():
        nats = cross_entropy(model(*given.batch.inputs), given.batch.label).item()
    return {**run._asdict(), "nats": round(nats, 4)}


def _judge(run: Trial) -> dict[str, Any]:
    model, world = _trained(run)
    valid, test = asked(world.valid, world.vocabulary), asked(world.test, world.vocabulary)
    before = gaps.make_model(gaps.HEADS, world, run.seed).eval()
    lost = {"cost by zero": costs(model, test), "cost by zero, valid": costs(model, valid)}
    if run.variant != TWIN:
        reads = mean_reads(model, *valid.batch.inputs[:2])
        lost |= {"cost": costs(model, test, reads), "cost, valid": costs(model, valid, reads)}
    return {
        "variant": run.variant,
        "seed": run.seed,
        "found": found(model, test),
        "found, valid": found(model, valid),
        "found untrained": found(before, test),
        "found untrained, valid": found(before, valid),
        **lost,
        "agreement": round(agreement(model, world.test, world.vocabulary), 4),
    }


def load_records(variant: str = "trained") -> list[dict[str, Any]]:
    """What the command stored, one record a seed."""
    return [record for record in load_stored(STORED) if record["variant"] == variant]


EXPERIMENTS = [
    Experiment(
        "What chapter 9's heads look at, and what each is worth.",
        STORED,
        lambda: planned(RATE_OF, list(RATE_OF), SEEDS),
        _judge,
    ),
    tuning(
        "The learning rate of chapter 9's network.",
        TUNING,
        RATE_OF,
        RATES,
        SEEDS[0],
        _tune,
        twins=(TWIN,),
    ),
]
