"""What a trained classifier looks at, and what happens when that is cut out of the document.

Looking is reading weights; an effect is measured by deleting something from the document, reading
the rest anew, and seeing how much probability the true label lost.
"""

from collections.abc import Callable, Sequence
from random import Random
from statistics import mean

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lab.experiments.two_levels.batches import DocumentBatch
from course_lab.experiments.two_levels.documents import DecidedDocument, Document
from course_lib.models.hierarchical import Classified

Batch = Callable[[Sequence[Document]], DocumentBatch]


def classify(
    model: nn.Module, documents: Sequence[Document], batch: Batch, *, size: int = 300
) -> list[Classified]:
    """What the model says, so many documents at a time; weights where it has any."""
    asked = {"return_attention": True} if hasattr(model, "word_query") else {}
    with torch.inference_mode():
        return [
            model(*batch(documents[first : first + size]).inputs, **asked)
            for first in range(0, len(documents), size)
        ]


def probabilities(
    model: nn.Module, documents: Sequence[Document], batch: Batch
) -> Float[Tensor, "B C"]:
    """The probability of each class for each document."""
    said = classify(model, documents, batch)
    return torch.cat([each.logits for each in said]).softmax(dim=-1)


def looks(
    model: nn.Module, documents: Sequence[DecidedDocument], batch: Batch, *, effects: bool = True
) -> dict[str, float]:
    """Shares and means over the documents, rounded; those of weights only where there are any.

    All but the second are over the documents that say where the king is.

        accuracy, accuracy silent     share of documents with the right label
        sentence found, found 0 ...   share whose largest sentence weight is on the decider; of
                                      the documents with each label
        weight decider, other         mean weight of the deciding sentence, of one of the others
        top who, top where            share whose largest word weight in the deciding sentence is
                                      on the king, on the place
        weight who, weight where      mean weight of the two in that sentence
        weight word, weight best      of one of its other words; of the word with the most weight
        lost ...                      mean loss of the true label's probability without the
                                      decider, top, other (a random other) sentence; without the
                                      who, where, best (largest weight) word of the decider, or a
                                      random word of it that is neither who nor where
        lost decider 0 ...            the first of these, of the documents with each label
    """
    found = {}
    silent = [document for document in documents if document.silent]
    if silent:
        right = probabilities(model, silent, batch).argmax(dim=-1) == silent[0].label
        found["accuracy silent"] = right.float().mean()
    documents = [document for document in documents if not document.silent]
    label = torch.tensor([document.label for document in documents])
    said = classify(model, documents, batch)
    p = torch.cat([each.logits for each in said]).softmax(dim=-1)
    found["accuracy"] = (p.argmax(dim=-1) == label).float().mean()
    tops = None
    if said[0].word_weights is not None:
        weights = _by_document(said)
        tops = [
            (int(sentences.argmax()), int(words[document.decider].argmax()))
            for document, (words, sentences) in zip(documents, weights, strict=True)
        ]
        found |= _weights(documents, weights, tops)
    if effects:
        right = p[torch.arange(len(label)), label]
        for name, cut in _cuts(documents, tops).items():
            left = probabilities(model, cut, batch)[torch.arange(len(label)), label]
            found[f"lost {name}"] = (right - left).mean()
            if name == "decider":
                for each in label.unique().tolist():
                    found[f"lost decider {each}"] = (right - left)[label == each].mean()
    return {name: round(float(value), 4) for name, value in found.items()}


def _by_document(said: list[Classified]) -> list[tuple[Tensor, Tensor]]:
    return [
        pair for each in said for pair in zip(each.word_weights, each.sentence_weights, strict=True)
    ]


def _weights(
    documents: Sequence[DecidedDocument],
    weights: list[tuple[Tensor, Tensor]],
    tops: list[tuple[int, int]],
) -> dict[str, float]:
    rows, by_label = [], {}
    for document, (words, sentences), (first, best) in zip(documents, weights, tops, strict=True):
        inside, (who, where) = words[document.decider], document.deciding
        by_label.setdefault(document.label, []).append(first == document.decider)
        rows.append(
            {
                "sentence found": first == document.decider,
                "weight decider": sentences[document.decider],
                "top who": best == who,
                "top where": best == where,
                "weight other": (1 - sentences[document.decider]) / (len(document.sentences) - 1),
                "weight who": inside[who],
                "weight where": inside[where],
                "weight word": (1 - inside[who] - inside[where])
                / (len(document.sentences[document.decider]) - 2),
                "weight best": inside.max(),
            }
        )
    shares = {f"found {label}": mean(by_label[label]) for label in sorted(by_label)}
    return {name: mean(float(row[name]) for row in rows) for name in rows[0]} | shares


def _cuts(
    documents: Sequence[DecidedDocument], tops: list[tuple[int, int]] | None
) -> dict[str, list[Document]]:
    """The documents without one sentence or one word."""
    random = Random(0)

    def other(size: int, *taken: int) -> int:
        left = [i for i in range(size) if i not in taken]
        return left[int(random.random() * len(left))]

    cuts: dict[str, list[Document]] = {
        "decider": [d.without_sentence(d.decider) for d in documents],
        "other": [d.without_sentence(other(len(d.sentences), d.decider)) for d in documents],
    }
    for name, which in (("who", 0), ("where", 1)):
        cuts[name] = [d.without_word(d.decider, d.deciding[which]) for d in documents]
    cuts["word"] = [
        d.without_word(d.decider, other(len(d.sentences[d.decider]), *d.deciding))
        for d in documents
    ]
    if tops is not None:
        pairs = list(zip(documents, tops, strict=True))
        cuts["top"] = [d.without_sentence(first) for d, (first, _) in pairs]
        cuts["best"] = [d.without_word(d.decider, best) for d, (_, best) in pairs]
    return cuts
