"""Word vectors for models that have to compare words: a table and a projection."""

from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.models.shapes import Generator


class FrozenTable(nn.Embedding):
    """A table of random vectors, all of one length, that training does not change.

    Any two are nearly orthogonal, so a word is similar only to itself, even one that training has
    never seen, and attends most to its own copy in the other sentence.
    """

    LENGTH = 3.0

    def __init__(self, vocabulary: int, size: int) -> None:
        super().__init__(vocabulary, size)
        self.weight.requires_grad_(False)

    def draw_weights(self, generator: Generator) -> None:
        """Draw the table."""
        nn.init.normal_(self.weight, generator=generator)
        self.weight.copy_(self.LENGTH * nn.functional.normalize(self.weight, dim=-1))


class ZeroTable(nn.Embedding):
    """A table whose first values are zero."""

    def draw_weights(self, generator: Generator) -> None:
        """Set the table to zero."""
        self.weight.zero_()


class WordVectors(nn.Module):
    """Ids to vectors of the model's width: a table, then a linear map without bias.

    With `frozen`, the table is fixed and random, and a second one that begins at zero is learned
    and added. `size` is E, `hidden` H.
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
