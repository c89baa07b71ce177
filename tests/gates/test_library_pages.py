"""The pages of the library: what is public, how it is asked, what its docstring becomes."""

import ast

from course_book import library

MODULE = ast.parse('''
"""A module."""
class Read(NamedTuple):
    """What came out."""
    context: Float[Tensor, "*B Q D"]
    weights: Float[Tensor, "B K"] | None = None
class Head(nn.Module):
    """One head."""
    def __init__(self, width: int, *, bias: bool = True) -> None:
        pass
    @property
    def size(self) -> int:
        """How wide."""
    def forward(self, x: Float[Tensor, "B D"]) -> Tensor:
        """Look."""
    def _split(self): "Not public."
    def silent(self): pass
def attend(query: Float[Tensor, "*B Q Dq"], *, mask: Mask | None = None) -> Read:
    """Look.

        c = Σ α v

    Args:
        query: what is
            looked for.
        mask: `True` may be seen: all of it.

    Raises:
        ValueError: a wrong shape.
    """
def _hidden(): "Not public."
''')


def test_public_names_with_their_shapes():
    read, head, attend = library.public(MODULE)
    assert read.signature == (
        "Read(context: Float[Tensor, '*B Q D'], weights: Float[Tensor, 'B K'] | None=None)"
    )
    assert head.signature == "Head(width: int, *, bias: bool=True)"
    assert [(one.kind, one.signature) for one in head.inside] == [
        ("property", "Head.size"),
        ("method", "Head.forward(x: Float[Tensor, 'B D']) -> Tensor"),
    ]
    assert attend.signature == (
        "attend(query: Float[Tensor, '*B Q Dq'], *, mask: Mask | None=None) -> Read"
    )
