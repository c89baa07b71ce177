"""Chapter 6c on real documents: 2,000 film reviews, for or against, beside a bag of words.

Each fold of the corpus is judged by a model that has learned from the others. The bag of words is
scikit-learn's logistic regression over which words stand in a review at all, once of everything and
once of what the network reads. It needs the reviews (COURSE_DATA):

    python -m course_lab.experiments two_levels/reviews
    python -m course_lab.experiments two_levels/reviews --only model=network fold=4
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import torch

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.two_levels.batches import (
    DocumentBatches,
    collate_documents,
    encode_documents,
)
from course_lab.experiments.two_levels.documents import Document
from course_lib.data.corpora import reviews
from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.device import cpu_generator
from course_lib.models.hierarchical import HierarchicalAttention, HierarchicalConfig
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import classification_loss

STORED = Path(__file__).with_name("reviews.json")
SENTENCES, WORDS, MINIMUM = 10, 20, 3
"""The network reads so many sentences at each end of a review and so many words of each, and knows
words that stand so often in its training reviews. The bag of words reads everything, its twin what
the network reads."""
EPOCHS, DOCUMENTS, RATE = 3, 16, 3e-3


class ReviewTrial(NamedTuple):
    """One fold, judged by one model: "bag", "bag, same input" or "network"."""

    model: str
    fold: int


RUNS = [
    ReviewTrial(model, fold)
    for model in ("bag", "bag, same input", "network")
    for fold in range(reviews.FOLDS)
]


def bag_accuracy(train: Sequence[Document], test: Sequence[Document]) -> float:
    """The share of right labels of a logistic regression over the words that are there."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    # Words are split already: a bag is told apart at spaces, and every word counts once.
    counter = CountVectorizer(binary=True, token_pattern=r"\S+", min_df=2, lowercase=False)
    rows = counter.fit_transform(map(_text, train))
    model = LogisticRegression(C=0.1, max_iter=1000).fit(rows, [d.label for d in train])
    return float(model.score(counter.transform(map(_text, test)), [d.label for d in test]))


def ends(document: Document) -> Document:
    """The first and the last sentences of a review; a verdict stands at either end, if anywhere."""
    lines = document.sentences
    if len(lines) > 2 * SENTENCES:
        lines = lines[:SENTENCES] + lines[-SENTENCES:]
    return Document(lines, document.label)


def as_read(document: Document) -> Document:
    """What the network reads of a review: of the sentences at its ends, the first words."""
    kept = ends(document)
    return Document(tuple(words[:WORDS] for words in kept.sentences), kept.label)


def bag_accuracy_as_read(train: Sequence[Document], test: Sequence[Document]) -> float:
    """`bag_accuracy` of a bag that reads what the network reads."""
    return bag_accuracy([as_read(d) for d in train], [as_read(d) for d in test])


def _text(document: Document) -> str:
    return " ".join(word for sentence in document.sentences for word in sentence)


def network_accuracy(
    train: Sequence[Document], test: Sequence[Document], *, epochs: int = EPOCHS, seed: int = 0
) -> float:
    """The share of right labels of a small hierarchical network, trained from nothing."""
    lines = [words for document in train for words in ends(document).sentences]
    vocabulary = WordVocabulary.from_sentences(lines, minimum=MINIMUM)
    model = HierarchicalAttention(
        HierarchicalConfig(
            len(vocabulary), len(reviews.POLARITIES), 50, hidden=32, attention=64, dropout=0.3
        ),
        cpu_generator(seed),
    )

    def encoded(documents: Sequence[Document]):
        return encode_documents([as_read(d) for d in documents], vocabulary)

    config = FitConfig(
        epochs=epochs, learning_rate=RATE, schedule="cosine", warmup=20, validate_every=10**6
    )
    feed = DocumentBatches(encoded(train), DOCUMENTS, seed=seed)
    history = fit(
        model, feed, None, config, objective=classification_loss, progress=False, device="cpu"
    )
    if history.interrupted:
        raise KeyboardInterrupt  # a half-trained model must not pass for a trained one
    right, judged = 0, encoded(test)
    with torch.inference_mode():
        for first in range(0, len(judged), 50):
            batch = collate_documents(judged[first : first + 50])
            found = model.eval()(*batch.inputs).logits.argmax(dim=-1)
            right += int((found == batch.label).sum())
    return right / len(judged)


def load_folds() -> dict[str, dict[int, float]]:
    """What the command stored: for each model its folds with their accuracies."""
    found: dict[str, dict[int, float]] = {}
    for record in load_stored(STORED):
        found.setdefault(record["model"], {})[record["fold"]] = record["accuracy"]
    return found


def load_share_read() -> float:
    """The same as stored: the share of words that the network reads, mean over its folds."""
    return mean(record["read"] for record in load_stored(STORED) if "read" in record)


def summary() -> dict[str, tuple[float, float, float, int]]:
    """For each model the mean over its folds, the lowest, the highest and how many there are."""
    return {
        model: (mean(shares.values()), min(shares.values()), max(shares.values()), len(shares))
        for model, shares in load_folds().items()
    }


@cache
def _folds() -> list[list[Document]]:
    return [[Document(*review) for review in fold] for fold in reviews.load()]


def share_read(documents: Sequence[Document]) -> float:
    """How many of the words of these reviews the network reads."""
    read, whole = (sum(map(_length, part)) for part in (map(as_read, documents), documents))
    return read / whole


def _length(document: Document) -> int:
    return sum(map(len, document.sentences))


def _record(trial: ReviewTrial) -> dict[str, Any]:
    judges = {
        "bag": bag_accuracy,
        "bag, same input": bag_accuracy_as_read,
        "network": network_accuracy,
    }
    folds = _folds()
    train = [d for n, fold in enumerate(folds) if n != trial.fold for d in fold]
    test = folds[trial.fold]
    found = {**trial._asdict(), "accuracy": round(judges[trial.model](train, test), 4)}
    if trial.model == "bag, same input":
        found["read"] = round(share_read(test), 4)
    return found


EXPERIMENTS = [
    Experiment(
        "Accuracies on film reviews.",
        STORED,
        lambda: RUNS,
        _record,
        key=("model", "fold"),
        data="reviews",
    ),
]
