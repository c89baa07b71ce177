"""The experiment of chapter 2 on pre-training: does copying sentences help to translate them?

There are few sentence pairs, and many sentences of each language that are no translations of each
other. A sequence autoencoder of English gives a translator its encoder, one of German its decoder
(Dai & Le 2015), or each of them alone; or neither. Then all learn from the same pairs, until the
loss on validation pairs no longer falls. The commands:

    python -m course_lab.experiments seq2seq/pretraining_tuning
    python -m course_lab.experiments seq2seq/pretraining
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from course_lab.experiments.lab.bins import counts_of, together, with_counts
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned, tuning
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.lab.world import Tokenizers, length_bins, vocabulary_sizes
from course_lib.data.batch import Batches, encode_pairs
from course_lib.data.mini_world import grammar
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.device import cpu_generator
from course_lib.evaluation.teacher_forcing import teacher_forced
from course_lib.evaluation.translate import translate
from course_lib.models.autoencoder import SequenceAutoencoder, transfer_weights
from course_lib.models.sutskever import Sutskever, SutskeverConfig
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit

MIN_WORDS, MAX_WORDS = 4, 12
EDGES = (4, 7, 10, MAX_WORDS + 1)
PAIRS, SENTENCES, HELD_OUT = 1000, 6000, 500
STARTS = ("scratch", "encoder", "decoder", "both")
"""What a translator gets from autoencoders before it sees a pair."""
SEEDS = (0, 1, 2, 3, 4)
RATES = (7.5e-4, 1.5e-3, 3e-3, 6e-3, 1.2e-2, 2.4e-2)
COPYING_STEPS, COPYING_RATE = 1000, 1e-2
STEPS, VALIDATE_EVERY, PATIENCE, TOKENS = 1500, 50, 6, 300
STORED = Path(__file__).with_name("pretraining.json")
TUNING = Path(__file__).with_name("pretraining_tuning.json")
LEARNING_RATES = {"scratch": 3e-3, "encoder": 6e-3, "decoder": 6e-3, "both": 1.2e-2}
"""For each start a rate that is better on the validation pairs than its neighbours in `RATES`."""


@dataclass(frozen=True)
class Scarce:
    """Few pairs and much text.

    Attributes:
        pairs: training pairs.
        english: English sentences whose translation is nowhere in the training data.
        german: German ones, likewise.
        valid: pairs by which settings and the time to stop are chosen.
        test: pairs that are looked at once.
        tokenizers: vocabularies of all training sentences, English and German.
    """

    pairs: list[AlignedPair]
    english: list[tuple[str, ...]]
    german: list[tuple[str, ...]]
    valid: list[AlignedPair]
    test: list[AlignedPair]
    tokenizers: Tokenizers


@cache
def the_world() -> Scarce:
    """Sentences of 4 to 12 words; the three sets of training sentences have none in common."""

    def sample(split: str, count: int) -> list[AlignedPair]:
        return grammar.sample(
            split, count, seed=3, min_words=MIN_WORDS, max_words=MAX_WORDS, vocabulary="tiny"
        )

    drawn = sample("train", PAIRS + 2 * SENTENCES)
    english = [pair.source for pair in drawn[PAIRS : PAIRS + SENTENCES]]
    german = [pair.target for pair in drawn[PAIRS + SENTENCES :]]
    pairs = drawn[:PAIRS]
    tokenizers = (
        WordVocabulary.from_sentences([pair.source for pair in pairs] + english),
        WordVocabulary.from_sentences([pair.target for pair in pairs] + german),
    )
    valid, test = sample("valid", HELD_OUT), sample("test", HELD_OUT)
    return Scarce(pairs, english, german, valid, test, tokenizers)


def _config(source: int, target: int) -> SutskeverConfig:
    return SutskeverConfig(source, target, embedding=64, hidden=128, layers=1)


def autoencoder(
    sentences: Sequence[Sequence[str]], tokenizer: WordVocabulary, seed: int
) -> SequenceAutoencoder:
    """Sutskever's model, trained to write the sentence that it has read; in eval mode."""
    size = len(tokenizer)
    model = SequenceAutoencoder(_config(size, size), cpu_generator(seed))
    pairs = encode_pairs([(words, words) for words in sentences], tokenizer, tokenizer)
    config = _fit_config(COPYING_RATE, COPYING_STEPS, schedule="cosine")
    batches = Batches(pairs, tokens_per_batch=TOKENS, bucket_by="source")
    fit(model, batches, None, config, progress=False)
    return model.eval()


def copied_exactly(
    model: SequenceAutoencoder, sentences: Sequence[Sequence[str]], tokenizer: WordVocabulary
) -> float:
    """The share of sentences that an autoencoder writes down as it has read them."""
    longest = max(map(len, sentences))
    copies = translate(model, sentences, tokenizer, tokenizer, max_length=2 * longest)
    right = [f.target.words == list(words) for f, words in zip(copies, sentences, strict=True)]
    return sum(right) / len(right)


def _fit_config(learning_rate: float, steps: int, **more: Any) -> FitConfig:
    return FitConfig(
        steps=steps,
        learning_rate=learning_rate,
        warmup=50,
        betas=(0.9, 0.98),
        clip_norm=1.0,
        **more,
    )


def autoencoders(run: Trial, world: Scarce) -> dict[str, SequenceAutoencoder]:
    """What a start gives a translator: an autoencoder of English, of German, both or none."""
    english, german = world.tokenizers
    pretrained: dict[str, SequenceAutoencoder] = {}
    # Other seeds than the translator's own: their first weights shall not be the same.
    if run.variant in ("encoder", "both"):
        pretrained["encoder"] = autoencoder(world.english, english, 100 + run.seed)
    if run.variant in ("decoder", "both"):
        pretrained["decoder"] = autoencoder(world.german, german, 200 + run.seed)
    return pretrained


def translator(run: Trial, world: Scarce, pretrained: dict[str, SequenceAutoencoder]) -> Sutskever:
    """A translator with the weights that its start gives it, not trained on pairs yet."""
    sizes = vocabulary_sizes(world.tokenizers)
    model = Sutskever(_config(*sizes.values()), cpu_generator(run.seed))
    if pretrained:
        transfer_weights(model, **pretrained)
    return model


def train(model: Sutskever, run: Trial, world: Scarce) -> int:
    """Trains on the pairs until the validation loss has not fallen for a while.

    At a constant rate, after its rise: a rate that falls over a given number of updates would
    favour the starts that need as many.

    Returns:
        the number of updates that the model kept is the result of.
    """
    encoded = encode_pairs(world.pairs, *world.tokenizers)
    pairs = Batches(encoded, tokens_per_batch=TOKENS, bucket_by="source")
    config = _fit_config(
        run.learning_rate,
        STEPS,
        schedule="constant",
        validate_every=VALIDATE_EVERY,
        patience=PATIENCE,
    )
    history = fit(model, pairs, _whole(world, world.valid), config, progress=False)
    return history.best_step or 0


def _whole(world: Scarce, pairs: Sequence[AlignedPair]) -> Batches:
    encoded = encode_pairs(pairs, *world.tokenizers)
    return Batches(encoded, pairs_per_batch=100, shuffle=False)


def _judged(run: Trial) -> dict[str, Any]:
    world = the_world()
    pretrained = autoencoders(run, world)
    sentences = {
        "encoder": [p.source for p in world.test],
        "decoder": [p.target for p in world.test],
    }
    languages = dict(zip(sentences, world.tokenizers, strict=True))
    model = translator(run, world, pretrained)
    steps = train(model, run, world)
    bins = length_bins(model, world.test, world.tokenizers, EDGES)
    return {
        "variant": run.variant,
        "seed": run.seed,
        "copied": {
            part: round(copied_exactly(copier, sentences[part], languages[part]), 3)
            for part, copier in pretrained.items()
        },
        "steps": steps,
        "nats": round(teacher_forced(model, _whole(world, world.test)).nats, 4),
        "bins": counts_of(bins),
    }


def _tuned(run: Trial) -> dict[str, Any]:
    """The loss on the validation pairs; the test pairs are not looked at."""
    world = the_world()
    model = translator(run, world, autoencoders(run, world))
    steps = train(model, run, world)
    nats = teacher_forced(model, _whole(world, world.valid)).nats
    return {
        "variant": run.variant,
        "learning_rate": run.learning_rate,
        "steps": steps,
        "nats": round(nats, 4),
    }


def load_rates() -> dict[str, list[float]]:
    """Exact match over all test pairs for each start, one number a seed, as the command stored."""
    rates: dict[str, list[float]] = {start: [] for start in STARTS}
    for entry in map(with_counts, load_stored(STORED)):
        rates[entry["variant"]].append(together(entry["bins"]).rate)
    return rates


EXPERIMENTS = [
    Experiment(
        "Copying before translating: chapter 2's runs.",
        STORED,
        lambda: planned(LEARNING_RATES, list(LEARNING_RATES), SEEDS),
        _judged,
    ),
    tuning(
        "The learning rates of each way to begin.",
        TUNING,
        LEARNING_RATES,
        RATES,
        SEEDS[0],
        _tuned,
    ),
]
