"""Word vectors for models that have to compare words: a table and a projection."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class FrozenTable(nn.Embedding):
    """A table of random vectors of length one that no training changes.

    Two of them are nearly orthogonal: a word is like itself and like no other. Where a table that
    learns would leave a rare word wherever it began, here each word, seen or not, can be found
    again. The paper keeps its (pre-trained) vectors fixed, normalised to length one, and gives
    unknown words random ones.
    """

    def __init__(self, vocabulary: int, size: int) -> None:
        super().__init__(vocabulary, size)
        self.weight.requires_grad_(False)

    def draw_weights(self, generator: torch.Generator | None) -> None:
        """Draws the table; `initialise` calls it."""
        nn.init.normal_(self.weight, generator=generator)
        self.weight.copy_(nn.functional.normalize(self.weight, dim=-1))


class WordVectors(nn.Module):
    """Ids to vectors of the model's width: a table, then a linear map without bias.

    Args:
        vocabulary: number of ids.
        size: E, width of the table.
        hidden: H, width of the model.
        frozen: whether the table stays as it was drawn; the map is learned either way.
    """

    def __init__(self, vocabulary: int, size: int, hidden: int, frozen: bool) -> None:
        super().__init__()
        self.table = (FrozenTable if frozen else nn.Embedding)(vocabulary, size)
        self.project = nn.Linear(size, hidden, bias=False)

    def forward(self, ids: Int[Tensor, "*B"]) -> Float[Tensor, "*B H"]:
        """Looks up and projects."""
        return self.project(self.table(ids))
