"""The translator with one vector that runs in chapter 2's page, and the sentences that it offers.

It is the experiment's "width 64" with the first seed, its weights in half precision: 117,000
numbers. The sentences are out of the test split. The command that makes it, two minutes:

    python -m course_lab.experiments seq2seq/in_page
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import torch

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.page_net import load_net, save_net
from course_lab.experiments.lab.world import Tokenizers, batch_of, vocabulary_sizes
from course_lab.experiments.seq2seq import one_vector
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.squeeze import SHOWN, Odds, squeeze
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import END, SPECIALS, WordVocabulary
from course_lib.evaluation.translate import translate
from course_lib.models.cho import Cho, ChoConfig

STORED = Path(__file__).with_name("in_page.safetensors")
VARIANT = "width 64"
SENTENCES = (
    "the girls sleep .",
    "the cat has heard the girl .",
    "two kings read letters in the house .",
    "the boy in the garden has seen Paul .",
    "the women sleep , and then the men visit Paul .",
    "the girls visit Paul , and the old woman has slept .",
    "Anna reads the books , but often a small boy sees a big old cat .",
    "a cat has found the letter , and then Anna and Paul carry balls , and the girl sleeps .",
)
"""From short to long."""
OPENING = 7
"""The sentence that the page opens on."""


class InPage(NamedTuple):
    """The network, in eval mode, and its vocabularies, source and target."""

    model: Cho
    tokenizers: Tokenizers


def make(seed: int = 0) -> InPage:
    """Trains the network as the experiment does."""
    world = one_vector.the_world()
    models = one_vector.train_side_by_side(world, [VARIANT], seed)
    return InPage(models[VARIANT], world.tokenizers)


def save_to(path: Path, made: InPage) -> None:
    """Writes the file whole or not at all."""
    words = {
        side: [*SPECIALS, *(tokenizer.decode([i]) for i in range(len(SPECIALS), len(tokenizer)))]
        for side, tokenizer in zip(("source", "target"), made.tokenizers, strict=True)
    }
    save_net(path, made.model.state_dict(), {"words": words})


def load(path: Path = STORED) -> InPage:
    """The stored network, in single precision."""
    weights, settings = load_net(path)
    words = settings["words"]
    source, target = (WordVocabulary(words[side][len(SPECIALS) :]) for side in ("source", "target"))
    sizes = vocabulary_sizes((source, target))
    model = Cho(ChoConfig(**one_vector.VARIANTS[VARIANT].settings, **sizes))
    model.load_state_dict(weights)
    return InPage(model.eval(), (source, target))


def vector_of(made: InPage, words: Sequence[str]) -> torch.Tensor:
    """The one vector of a sentence: all that the decoder is told."""
    source = torch.tensor([[*made.tokenizers[0].encode(words).ids, END]])
    with torch.inference_mode():
        return made.model.encode(source, torch.ones_like(source, dtype=torch.bool)).context[0]


def odds_of(made: InPage, pair: AlignedPair, written: Sequence[str]) -> list[Odds]:
    """What the network thinks of the next word before each of the words that it has written."""
    read = AlignedPair(pair.source, tuple(written), frozenset(), frozenset())
    batch = batch_of([read], made.tokenizers)
    with torch.inference_mode():
        logits = made.model(batch.source, batch.source_mask, batch.target_in).logits[0]
    right = made.tokenizers[1].encode(pair.target).ids
    odds = []
    for i, shares in enumerate(logits.softmax(-1)[: len(written)]):
        most = shares.topk(SHOWN)
        words = made.tokenizers[1].from_ids(most.indices.tolist()).tokens
        top = list(zip(words, most.values.tolist(), strict=True))
        odds.append(Odds(top, shares[right[i]].item() if i < len(right) else 0.0))
    return odds


def pairs() -> list[AlignedPair]:
    """The sentences that the page offers, with the grammar's translations."""
    known = {" ".join(pair.source): pair for pair in one_vector.the_world().test}
    return [known[sentence] for sentence in SENTENCES]


def show(gloss: Mapping[str, str], sentence: int = OPENING) -> Interactive:
    """The network for the reader to try, with a sentence that it has translated already.

    Args:
        gloss: an English word for each German one.
        sentence: which of `SENTENCES` is shown first.
    """
    made, offered = load(), pairs()
    words = offered[sentence].source
    (translation,) = translate(made.model, [words], *made.tokenizers)
    source, target = (
        [tokenizer.decode([i]) for i in range(len(SPECIALS), len(tokenizer))]
        for tokenizer in made.tokenizers
    )
    return squeeze(
        STORED.read_bytes(),
        [(pair.source, pair.target) for pair in offered],
        {word: gloss[word] for word in target if word in gloss},
        words=source,
        written=translation.target.words,
        odds=odds_of(made, offered[sentence], translation.target.words),
        vector=vector_of(made, words),
        opening=sentence,
        most=one_vector.MAX_WORDS,
    )


EXPERIMENTS = [
    Artifact(
        "The translator with one vector in chapter 2's page.",
        STORED,
        lambda file, seed: save_to(file, make(seed)),
    )
]
