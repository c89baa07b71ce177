"""What a trained classifier looks at, and what happens when that is cut out of the document.

Looking is reading weights; an effect is measured by deleting something from the document, reading
the rest anew, and seeing how much probability the true label lost.
"""

from collections.abc import Callable, Sequence
from random import Random

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.data.document import Document
from course_lib.data.document_batch import DocumentBatch
from course_lib.data.mini_world.documents import DecidedDocument
from course_lib.models.hierarchical import Classified

Batch = Callable[[Sequence[Document]], DocumentBatch]


def classify(
    model: nn.Module, documents: Sequence[Document], batch: Batch, *, size: int = 300
) -> list[Classified]:
    """What the model says, so many documents at a time; weights where it has any."""
    asked = {"weights": True} if hasattr(model, "word_query") else {}
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

    accuracy                      share of documents with the right label
    sentence found                share whose largest sentence weight is on the decider
    weight decider                mean weight of the deciding sentence
    top who, top where            share whose largest word weight in the deciding sentence is
                                  on the king, on the place
    weight who, weight where      mean weight of the two in that sentence
    lost ...                      mean loss of the true label's probability without the
                                  decider, top, other (a random other) sentence; without the
                                  who, where, word (a random other) word of the decider
    """
    label = torch.tensor([document.label for document in documents])
    said = classify(model, documents, batch)
    p = torch.cat([each.logits for each in said]).softmax(dim=-1)
    found = {"accuracy": (p.argmax(dim=-1) == label).float().mean()}
    top = None
    if said[0].word_weights is not None:
        weights = _by_document(said)
        top = [int(sentences.argmax()) for _, sentences in weights]
        found |= _weights(documents, weights, top)
    if effects:
        right = p[torch.arange(len(label)), label]
        for name, cut in _cuts(documents, top).items():
            left = probabilities(model, cut, batch)[torch.arange(len(label)), label]
            found[f"lost {name}"] = (right - left).mean()
    return {name: round(float(value), 4) for name, value in found.items()}


def _by_document(said: list[Classified]) -> list[tuple[Tensor, Tensor]]:
    return [
        pair for each in said for pair in zip(each.word_weights, each.sentence_weights, strict=True)
    ]


def _weights(
    documents: Sequence[DecidedDocument], weights: list[tuple[Tensor, Tensor]], top: list[int]
) -> dict[str, Tensor]:
    rows = []
    for document, (words, sentences), first in zip(documents, weights, top, strict=True):
        inside, (who, where) = words[document.decider], document.deciding
        best = int(inside.argmax())
        rows.append(
            {
                "sentence found": first == document.decider,
                "weight decider": sentences[document.decider],
                "top who": best == who,
                "top where": best == where,
                "weight who": inside[who],
                "weight where": inside[where],
            }
        )
    return {name: torch.tensor([float(row[name]) for row in rows]).mean() for name in rows[0]}


def _cuts(documents: Sequence[DecidedDocument], top: list[int] | None) -> dict[str, list[Document]]:
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
    if top is not None:
        cuts["top"] = [d.without_sentence(first) for d, first in zip(documents, top, strict=True)]
    return cuts
