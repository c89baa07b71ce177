"""Word vectors for models that have to compare words: a table and a projection."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class FrozenTable(nn.Embedding):
    """A table of random vectors, all of one length, that no training changes.

    Two of them are nearly orthogonal: a word is like itself and like no other. Where a table that
    learns would leave a rare word wherever it began, here each word, seen or not, can be found
    again. They are long enough that from the first update on a word looks at its own like most.
    """

    LENGTH = 3.0

    def __init__(self, vocabulary: int, size: int) -> None:
        super().__init__(vocabulary, size)
        self.weight.requires_grad_(False)

    def draw_weights(self, generator: torch.Generator | None) -> None:
        """Draws the table; `initialise` calls it."""
        nn.init.normal_(self.weight, generator=generator)
        self.weight.copy_(self.LENGTH * nn.functional.normalize(self.weight, dim=-1))


class ZeroTable(nn.Embedding):
    """A table that begins with nothing in it."""

    def draw_weights(self, generator: torch.Generator | None) -> None:
        """Sets the table to zero; `initialise` calls it."""
        self.weight.zero_()


class WordVectors(nn.Module):
    """Ids to vectors of the model's width: a table, then a linear map without bias.

    With `frozen` the table has a second one beside it that begins at zero and learns: what training
    has to say of a word is added, and a word of which it said nothing keeps its random vector.

    Args:
        vocabulary: number of ids.
        size: E, width of the table.
        hidden: H, width of the model.
        frozen: whether words begin as fixed random vectors.
    """

    def __init__(self, vocabulary: int, size: int, hidden: int, frozen: bool) -> None:
        super().__init__()
        self.table = (FrozenTable if frozen else nn.Embedding)(vocabulary, size)
        self.learned = ZeroTable(vocabulary, size) if frozen else None
        self.project = nn.Linear(size, hidden, bias=False)

    def forward(self, ids: Int[Tensor, "*B"]) -> Float[Tensor, "*B H"]:
        """Looks up and projects."""
        vectors = self.table(ids)
        if self.learned is not None:
            vectors = vectors + self.learned(ids)
        return self.project(vectors)
