"""Three sentences of chapter 13, written like captions, with Model 1's links; and two counts.

The models of `links`, fitted to the training pairs, link the words of each sentence and its
translation. What both directions agree on is "sure", what only the model of English has is
"possible". A link is (German position, English position), counted in the tokenizer's words.

The counts say what the training captions hardly have: a German negation, and an object that comes
first and shows it by its article (*den*, *einen*).

    python -m course_lab.experiments real/own

fits the models anew: half a minute on one core.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.real import networks
from course_lab.experiments.real.captions import TRAIN, plain
from course_lab.experiments.real.links import WAY, YARDSTICKS, in_words, yardsticks
from course_lab.experiments.real.one_a_line import one_a_line
from course_lib.files import atomic_write

STORED = Path(__file__).with_name("own.json")
PAIRS = (
    (
        "Ein Junge in einer blauen Jacke wirft seinem Hund einen Stock zu.",
        "A boy in a blue jacket throws a stick to his dog.",
    ),
    (
        "Im Schnee spielen zwei Kinder mit einem kleinen Hund.",
        "Two children are playing with a small dog in the snow.",
    ),
    (
        "Ein Mann, der einen Hut trägt, liest auf einer Bank die Zeitung.",
        "A man wearing a hat is reading the newspaper on a bench.",
    ),
)
_NEGATION = re.compile(r"\b(kein\w*|nicht|niemand\w*|nie)\b", re.IGNORECASE)
_OBJECT_FIRST = re.compile(r"(Den|Einen)\b")


def counts(german: Sequence[str]) -> dict[str, int]:
    """How many captions there are, how many have a negation, and how many an object first."""
    return {
        "captions": len(german),
        "negation": sum(bool(_NEGATION.search(line)) for line in german),
        "object first": sum(bool(_OBJECT_FIRST.match(line)) for line in german),
    }


def made() -> dict[str, Any]:
    """The links of each pair, a record each in "pairs"; and in "training" the counts."""
    tokenizer, train = networks.load("bahdanau").tokenizer, plain(WAY, TRAIN)
    links = yardsticks(in_words(train, tokenizer), in_words(PAIRS, tokenizer))
    pairs = [
        {"german": german, "english": english, "sure": sorted(both), "possible": sorted(one - both)}
        for (german, english), one, both in zip(PAIRS, *map(links.get, YARDSTICKS), strict=True)
    ]
    return {"pairs": pairs, "training": counts([german for german, _ in train])}


def load() -> dict[str, Any]:
    """What is stored: see `made`."""
    return load_stored(STORED)


def save_to(path: Path) -> None:
    """Fits, links, counts and stores."""
    content = made()
    pairs, training = one_a_line(content["pairs"]), json.dumps(content["training"])
    atomic_write(path, f'{{"pairs": {pairs},\n"training": {training}}}\n')


EXPERIMENTS = [
    Artifact("Links of three sentences, and two counts.", STORED, lambda file, seed: save_to(file)),
]
