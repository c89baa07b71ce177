"""Chapter 14: translation as language modelling, beside chapter 10's encoder-decoder.

A decoder alone reads a line of source words, a mark, target words. It is built of the parts of the
Transformer in `transformer/peers`, has about as many parameters, and is trained on the same batches
in the same order. Its loss counts on the translation alone. The commands, the first for the rates,
minutes each:

    python -m course_lab.experiments gpt/translating_tuning
    python -m course_lab.experiments gpt/translating
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Int
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned, tuning
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.lab.world import World, one_thread
from course_lab.experiments.transformer import peers
from course_lib.data.batch import Batch, Batches, encode_pairs
from course_lib.data.characters import TextBatch
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import SPECIALS, START
from course_lib.decoding.greedy import greedy
from course_lib.device import cpu_generator
from course_lib.models.language_model import Continuing, LanguageModel, LanguageModelConfig
from course_lib.training.fit import fit
from course_lib.training.objective import language_model_loss, measure

SEEDS = (0, 1, 2)
SIZES = {"width": 64, "heads": 4, "feed_forward": 128, "layers": 5}
"""Five layers of two sub-layers cost what the translator's two and two cost, which have ten."""
MARK = START
"""What stands between source and target."""
STORED = Path(__file__).with_name("translating.json")
TUNING = Path(__file__).with_name("translating_tuning.json")


class LineVariant(NamedTuple):
    """How the decoder is trained.

    Attributes:
        learning_rate: of the short run better on validation pairs than its neighbours in
            `peers.RATES`; of the longer one half of that, as for Bahdanau's model in `peers`.
        times: how many times `peers.STEPS` it is trained.
    """

    learning_rate: float
    times: int = 1


VARIANTS = {
    "decoder alone": LineVariant(1e-2),
    "decoder alone, longer": LineVariant(5e-3, peers.LONGER),
}


def joined(batch: Batch, shift: int) -> TextBatch:
    """A batch of pairs as lines: source, mark, target, end.

    Args:
        batch: its sources end in END, which the mark replaces.
        shift: by how much a target word's id is larger on a line than in its own vocabulary.
    """
    rows, counted = [], []
    for source, real, target, there in zip(
        batch.source, batch.source_mask, batch.target_out, batch.target_mask, strict=True
    ):
        words, translation = source[real][:-1], _shifted(target[there], shift)
        rows.append(torch.cat([words, torch.tensor([MARK]), translation]))
        counts = torch.ones(len(rows[-1]) - 1, dtype=torch.bool)
        counts[: len(words)] = False  # what the source says next is not asked
        counted.append(counts)
    lines = pad_sequence(rows, batch_first=True)
    mask = pad_sequence(counted, batch_first=True)
    return TextBatch(lines[:, :-1], lines[:, 1:], mask, int(mask.sum()))


def _shifted(ids: Int[Tensor, " T"], shift: int) -> Int[Tensor, " T"]:
    """Words of the target have ids after the source's; marks keep theirs."""
    return torch.where(ids < len(SPECIALS), ids, ids + shift)


@dataclass(frozen=True)
class Lines:
    """The lines of a `Batches`: a `BatchSource`, the same pairs in the same order."""

    batches: Batches
    shift: int

    def epoch(self, n: int, start: int = 0) -> Iterator[TextBatch]:
        """The batches of epoch `n`, from batch number `start` on."""
        return (joined(one, self.shift) for one in self.batches.epoch(n, start))

    def len_epoch(self, n: int) -> int:
        """Number of batches."""
        return self.batches.len_epoch(n)

    def sequential(self) -> Iterator[TextBatch]:
        """All lines, for validation."""
        return (joined(one, self.shift) for one in self.batches.sequential())


def shift_of(world: World) -> int:
    """How many source words there are: target words come after them in the one table."""
    return len(world.tokenizers[0]) - len(SPECIALS)


def make_model(world: World, seed: int) -> LanguageModel:
    """The decoder, its first weights drawn from the seed."""
    vocabulary = shift_of(world) + len(world.tokenizers[1])
    return LanguageModel(LanguageModelConfig(vocabulary=vocabulary, **SIZES), cpu_generator(seed))


def train(run: Trial, world: World) -> LanguageModel:
    """A trained decoder, in eval mode."""
    variant, model = VARIANTS[run.variant], make_model(world, run.seed)
    plan = peers.fit_config(peers.VARIANTS["Transformer"], run.learning_rate, variant.times)
    feed = Lines(peers.batches(world), shift_of(world))
    with one_thread():
        fit(model, feed, None, plan, progress=False, objective=language_model_loss, device="cpu")
    return model.eval()


def translations(
    model: LanguageModel, sources: Sequence[Sequence[str]], world: World, longest: int
) -> list[list[str]]:
    """What greedy search writes after "source, mark", in words of the target."""
    rows = [torch.tensor([*world.tokenizers[0].encode(words).ids, MARK]) for words in sources]
    prompts = pad_sequence(rows, batch_first=True)
    mask: Bool[Tensor, "B S"] = pad_sequence(
        [torch.ones(len(row), dtype=torch.bool) for row in rows], batch_first=True
    )
    written = greedy(Continuing(model), prompts, mask, max_length=longest)
    shift = shift_of(world)
    # A source word among them is shifted out of the vocabulary, to the unknown word.
    ids = [[i - shift if i >= len(SPECIALS) + shift else 1 for i in row] for row in written.ids]
    return [world.tokenizers[1].from_ids(row).words for row in ids]


def exact_match(model: LanguageModel, pairs: Sequence[AlignedPair], world: World) -> float:
    """The share of these pairs that greedy search translates word for word."""
    longest = 2 * max(len(pair.target) for pair in pairs)
    written = translations(model, [pair.source for pair in pairs], world, longest)
    right = [list(pair.target) == list(words) for pair, words in zip(pairs, written, strict=True)]
    return sum(right) / len(right)


def validated(model: LanguageModel, world: World) -> float:
    """Nats a token of the translation, on validation pairs."""
    batches = Batches(encode_pairs(world.valid, *world.tokenizers), tokens_per_batch=3200)
    feed = Lines(batches, shift_of(world)).sequential()
    total, count = measure(model, feed, objective=language_model_loss)
    return round(total / count, 4)


def _tune(run: Trial) -> dict[str, Any]:
    world = peers.make_world()
    return {**run._asdict(), "nats": validated(train(run, world), world)}


def _judge(run: Trial) -> dict[str, Any]:
    world = peers.make_world()
    model = train(run, world)
    return {
        "variant": run.variant,
        "seed": run.seed,
        "parameters": sum(weight.numel() for weight in model.parameters()),
        "trained": round(exact_match(model, world.test, world), 4),
        "compositional": round(exact_match(model, world.compositional, world), 4),
        "beyond": round(exact_match(model, world.beyond, world), 4),
    }


def load_records() -> dict[str, list[dict[str, Any]]]:
    """What the command stored, one record a seed, and beside it the encoder-decoder of chapter 10.

    Those are "encoder-decoder" and "encoder-decoder, longer", with the same seeds.
    """
    by_variant: dict[str, list[dict[str, Any]]] = {}
    for name, twin in (("Transformer", ""), ("Transformer, longer", ", longer")):
        records = peers.load_records()[name]
        by_variant[f"encoder-decoder{twin}"] = [one for one in records if one["seed"] in SEEDS]
    for record in load_stored(STORED):
        by_variant.setdefault(record["variant"], []).append(record)
    return by_variant


def mean_shares() -> dict[str, list[float]]:
    """By model and updates what share is right: trained, compositional, beyond; means of seeds."""
    by_variant = load_records()
    return {
        f"{model}, {peers.STEPS * times:,} updates": [
            mean(run[part] for run in by_variant[model + twin])
            for part in ("trained", "compositional", "beyond")
        ]
        for times, twin in ((1, ""), (peers.LONGER, ", longer"))
        for model in ("encoder-decoder", "decoder alone")
    }


_RATES = {name: variant.learning_rate for name, variant in VARIANTS.items()}
EXPERIMENTS = [
    Experiment(
        "Translation as language modelling: chapter 14's table.",
        STORED,
        lambda: planned(_RATES, list(_RATES), SEEDS),
        _judge,
    ),
    tuning(
        "The learning rates of translation as language modelling.",
        TUNING,
        _RATES,
        peers.RATES,
        SEEDS[0],
        _tune,
        twins=["decoder alone, longer"],
    ),
]
