"""A trained Transformer that the page shows, and one word's way through it.

It is the comparison's "Transformer, longer" with the first seed, its weights in half precision:
360 kB. The command that makes it, a minute or two:

    python -m course_lib.experiments.transformer.in_page
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from safetensors.torch import safe_open, save

from course_lib.atomic import atomic_write
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import END, SPECIALS, START, WordVocabulary
from course_lib.evaluation.translate import translate
from course_lib.experiments.lab import world as shared
from course_lib.experiments.lab.world import Tokenizers
from course_lib.experiments.transformer import peers
from course_lib.experiments.transformer.way import stations
from course_lib.figures.touch.core import Interactive
from course_lib.figures.touch.stack import follow
from course_lib.models.transformer import Transformer, TransformerConfig

STORED = Path(__file__).with_name("in_page.safetensors")
VARIANT = "Transformer, longer"
SENTENCE = "the girl who sees the cat reads a book ."
FOLLOWED = ("reads", 8)
"""What the figure follows at first: a source word, and the place of a word of the target, where
START has place 0."""
OPENED = "2 cross-attention"
_TOLD = "told"


class InPage(NamedTuple):
    """The network, in eval mode, and its vocabularies, source and target."""

    model: Transformer
    tokenizers: Tokenizers


def make(seed: int = 0) -> InPage:
    """Trains the network."""
    world = peers.make_world()
    model = peers.train(peers.VARIANTS[VARIANT], seed, world)
    return InPage(model, world.tokenizers)


def save_to(path: Path, made: InPage) -> None:
    """Writes the file whole or not at all."""
    words = {
        side: [tokenizer.decode([i]) for i in range(len(SPECIALS), len(tokenizer))]
        for side, tokenizer in zip(("source", "target"), made.tokenizers, strict=True)
    }
    tensors = {name: each.half().contiguous() for name, each in made.model.state_dict().items()}
    atomic_write(path, save(tensors, {_TOLD: json.dumps(words, ensure_ascii=False)}))


def load(path: Path = STORED) -> InPage:
    """The stored network, in single precision."""
    with safe_open(path, "pt") as file:
        words = json.loads(file.metadata()[_TOLD])
        weights = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118
    source, target = WordVocabulary(words["source"]), WordVocabulary(words["target"])
    sizes = shared.vocabulary_sizes((source, target))
    model = Transformer(TransformerConfig(**peers.TRANSFORMER, **sizes))
    model.load_state_dict(weights)
    return InPage(model.eval(), (source, target))


def show(sentence: str = SENTENCE, followed: tuple[str, int] = FOLLOWED) -> Interactive:
    """The way of the words of a sentence through the stored network, which translates it itself."""
    model, tokenizers = load()
    words = tuple(sentence.split())
    (found,) = translate(model, [words], *tokenizers)
    written = tuple(found.target.words)
    passed = stations(model, tokenizers, AlignedPair(words, written, frozenset(), frozenset()))
    return follow(
        {"source": [*words, SPECIALS[END]], "target": [SPECIALS[START], *written]},
        passed,
        chosen={"source": words.index(followed[0]), "target": followed[1]},
        opened=next(i for i, station in enumerate(passed) if station.name == OPENED),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Makes the file, or another in its place."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--file", type=Path, default=STORED, help="where to")
    parser.add_argument("--seed", type=int, default=0, help="of the first weights")
    options = parser.parse_args(arguments)
    save_to(options.file, make(options.seed))


if __name__ == "__main__":
    main()
