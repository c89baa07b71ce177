"""A trained Transformer that runs in the page, and one word's way through it.

It is the Transformer of the comparison with the first seed, trained three times as long: it makes
few mistakes, and some, so that there is something to see. Its weights are in half precision, 360
kB. The command that makes it, a minute or two:

    python -m course_lab.experiments transformer/in_page
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import torch

from course_lab.experiments.lab import world as shared
from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.page_net import load_net, save_net
from course_lab.experiments.lab.world import Tokenizers
from course_lab.experiments.transformer import peers
from course_lab.experiments.transformer.way import stations
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.stack import follow
from course_lab.figures.touch.writer import FirstWriting, writer
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import END, PAD, SPECIALS, START, WordVocabulary
from course_lib.evaluation.translate import translate
from course_lib.models.transformer import Transformer, TransformerConfig

STORED = Path(__file__).with_name("in_page.safetensors")
VARIANT = replace(peers.VARIANTS["Transformer"], times=3)
SENTENCE = "the girl who sees the cat reads a book ."
FOLLOWED = ("reads", 8)
"""What the figure follows at first: a source word, and the place of a word of the target, where
START has place 0."""
OPENED, OPENED_HEAD = "2 self-attention", 2
"""The encoder's: there the verb finds the *who* of the clause before it."""
SENTENCES = (
    ("a woman has carried a letter .", "eine Frau hat einen Brief getragen ."),
    (SENTENCE, "das Mädchen , das die Katze sieht , liest ein Buch ."),
    (
        "Paul reads a big letter for the teachers in this kitchen .",
        "Paul liest einen großen Brief für die Lehrer in dieser Küche .",
    ),
    (
        "the man who hears the kings who read letters has not laughed .",
        "der Mann , der die Könige hört , die Briefe lesen , hat nicht gelacht .",
    ),
    (
        "a boy sleeps , and then two children who laugh wait .",
        "ein Junge schläft , und dann warten zwei Kinder , die lachen .",
    ),
    (
        "today the king who finds books does not sleep , but Paul sees Anna .",
        "heute schläft der König , der Bücher findet , nicht , aber Paul sieht Anna .",
    ),
    (
        "today the big old cat has seen the letters that this small boy does not read .",
        "heute hat die große alte Katze die Briefe gesehen , die dieser kleine Junge nicht liest .",
    ),
    (
        "a young teacher in this big old house hears the young man in the big garden .",
        "ein junger Lehrer in diesem großen alten Haus hört den jungen Mann im großen Garten .",
    ),
)
"""Sentences that it was not trained on, with their translations. The last three are longer than
any of training; the fifth, the sixth and the last it gets wrong."""
RELATIVE = {"der": "the/who", "die": "the/who", "das": "the/who", "den": "the/whom"}
"""What else an article may be: the pronoun of a clause."""
STEP = 5
"""The step of the first of them that is chosen at first: "getragen", carried."""
HEAD = (1, 3)
"""The head of cross-attention that finds the grammar's links best, by validation pairs."""
MOST = 40
"""So many words it writes at most. What it never ends is no sentence."""


class InPage(NamedTuple):
    """The network, in eval mode, and its vocabularies, source and target."""

    model: Transformer
    tokenizers: Tokenizers


def make(seed: int = 0) -> InPage:
    """Trains the network."""
    world = peers.make_world()
    model = peers.train(VARIANT, seed, world)
    return InPage(model, world.tokenizers)


def save_to(path: Path, made: InPage) -> None:
    """Writes the file whole or not at all."""
    words = {
        side: [tokenizer.decode([i]) for i in range(len(SPECIALS), len(tokenizer))]
        for side, tokenizer in zip(("source", "target"), made.tokenizers, strict=True)
    }
    save_net(path, made.model.state_dict(), words)


def load(path: Path = STORED) -> InPage:
    """The stored network, in single precision."""
    weights, words = load_net(path)
    source, target = WordVocabulary(words["source"]), WordVocabulary(words["target"])
    sizes = shared.vocabulary_sizes((source, target))
    model = Transformer(TransformerConfig(**peers.TRANSFORMER, **sizes))
    model.load_state_dict(weights)
    return InPage(model.eval(), (source, target))


def show(gloss: Mapping[str, str]) -> Interactive:
    """The way of two words through the stored network, which translates the sentence itself.

    Args:
        gloss: an English word for each German one.
    """
    model, tokenizers = load()
    words = tuple(SENTENCE.split())
    (translation,) = translate(model, [words], *tokenizers)
    written = tuple(translation.target.words)
    passed = stations(model, tokenizers, AlignedPair(words, written, frozenset(), frozenset()))
    return follow(
        {"source": [*words, "end"], "target": ["start", *written]},
        passed,
        chosen={"source": words.index(FOLLOWED[0]), "target": FOLLOWED[1]},
        opened=next(i for i, station in enumerate(passed) if station.name == OPENED),
        head=OPENED_HEAD,
        gloss=gloss,
    )


def translator(gloss: Mapping[str, str]) -> Interactive:
    """The network for the reader to run, with the first sentence that it has translated already.

    Args:
        gloss: an English word for each German one.
    """
    model, tokenizers = load()
    source = SENTENCES[0][0].split()
    return writer(
        STORED.read_bytes(),
        SENTENCES,
        gloss,
        written(source, model, tokenizers),
        words=[tokenizers[0].decode([i]) for i in range(len(SPECIALS), len(tokenizers[0]))],
        head=HEAD,
        at=STEP,
        longest=peers.BEYOND,
        most=MOST,
    )


def written(words: Sequence[str], model: Transformer, tokenizers: Tokenizers) -> FirstWriting:
    """What the network writes of a sentence, how sure it is, and where all its heads look."""
    (translation,) = translate(model, [words], *tokenizers, max_length=MOST)
    pair = AlignedPair(tuple(words), tuple(translation.target.words), frozenset(), frozenset())
    batch = shared.batch_of([pair], tokenizers)
    inputs = (batch.source, batch.source_mask, batch.target_in)
    with torch.inference_mode():
        looks = model.attention_maps(*inputs)
        logits = model(*inputs).logits[0]
        logits[:, [PAD, START]] = -torch.inf  # no words, as greedy search has it
        best = logits.softmax(-1).topk(2)
    likeliest = [
        [
            ("end" if i == END else tokenizers[1].decode([i]), share)
            for i, share in zip(ids, shares, strict=True)
        ]
        for ids, shares in zip(best.indices.tolist(), best.values.tolist(), strict=True)
    ]
    seen = {use: [layer[0].numpy() for layer in layers] for use, layers in looks._asdict().items()}
    return FirstWriting(words, translation.target.words, likeliest, seen)


EXPERIMENTS = [
    Artifact(
        "The translator of chapter 10's page.", STORED, lambda file, seed: save_to(file, make(seed))
    )
]
