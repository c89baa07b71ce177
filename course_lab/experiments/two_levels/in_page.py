"""The documents that a reader may touch in chapter 6c: one family, and every single cover.

The command trains the network of the chapter and stores what it says:

    python -m course_lab.experiments two_levels/in_page
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from torch import nn

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.two_levels import king
from course_lab.experiments.two_levels.documents import DecidedDocument, Document
from course_lab.experiments.two_levels.looks import classify, probabilities
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.heat import HeatedDocument, document_heat
from course_lib.files import atomic_write

STORED = Path(__file__).with_name("in_page.json")
FAMILY, DIGITS = 4, 3
"""The number of a family in the test sample, and the digits that are kept."""
QUESTION = "Where is the king?"


def heated(model: nn.Module, document: DecidedDocument, world: king.Kingdom) -> dict[str, Any]:
    """What the model says of a document: its weights, its answer, and the answer without each
    sentence and each word."""
    lines = document.sentences
    cuts: list[Document] = [document.without_sentence(i) for i in range(len(lines))]
    cuts += [
        document.without_word(i, t) for i, words in enumerate(lines) for t in range(len(words))
    ]
    (said,) = classify(model, [document], world.batch)
    answer, *left = probabilities(model, [document, *cuts], world.batch).tolist()
    words = iter(left[len(lines) :])
    return {
        "title": king.ANSWERS[document.label],
        "sentences": [list(line) for line in lines],
        "sentence_weights": _kept(said.sentence_weights[0].tolist()),
        "word_weights": [
            _kept(row[: len(line)].tolist())
            for row, line in zip(said.word_weights[0], lines, strict=True)
        ],
        "answer": _kept(answer),
        "without_sentence": [_kept(p) for p in left[: len(lines)]],
        "without_word": [[_kept(next(words)) for _ in line] for line in lines],
    }


def _kept(numbers: Sequence[float]) -> list[float]:
    return [round(number, DIGITS) for number in numbers]


def load() -> list[HeatedDocument]:
    """The stored documents."""
    return [HeatedDocument(**record) for record in load_stored(STORED)]


def show() -> Interactive:
    """The figure of the chapter's first screen, open on the document of the kitchen."""
    places = king.ANSWERS.index("kitchen")
    return document_heat(load(), king.ANSWERS, question=QUESTION, chosen=places)


def _write(file: Path, seed: int) -> None:
    del seed  # the experiment's own network is shown
    world, model = king.make_world(), king.train_one()
    family = [document for document in world.test if document.family == FAMILY]
    lines = ",\n  ".join(json.dumps(heated(model, document, world)) for document in family)
    atomic_write(file, f"[\n  {lines}\n]\n")


EXPERIMENTS = [Artifact("The documents to touch in chapter 6c.", STORED, _write)]
