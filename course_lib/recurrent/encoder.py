"""An encoder that reads a padded batch as if each sentence stood alone."""

from typing import Literal, NamedTuple

from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_lib.attention.masks import known_all, on_the_left, require_padding_mask
from course_lib.recurrent.layers import stepped, transformed

FUSED = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}


class Encoded(NamedTuple):
    """What the encoder has read; the directions of a layer stand side by side, forward first.

    Attributes:
        annotations: (B, S, H·directions), the top layer's state at each position; zeros at padding.
        last: (L, B, H·directions), the state that each layer ends in. Forward that is at the last
            real token, backward at the first token, so both have read the whole sentence.
        last_cell: the same of the LSTM's cell; None for the other kinds.
    """

    annotations: Float[Tensor, "B S HD"]
    last: Float[Tensor, "L B HD"]
    last_cell: Float[Tensor, "L B HD"] | None


class RecurrentEncoder(nn.Module):
    """Reads embedded tokens into annotations h_j, from one side or from both.

    With `bidirectional`, h_j = [h_j forward; h_j backward]: each annotation knows what stands
    before and behind it (Bahdanau et al. 2015, section 3.2).

    It runs `torch.nn`'s fused layers over packed sequences. The tests prove that equal, in value
    and gradient, to the cells in `cells.py` stepped by `unroll.run`. Padding is never read: it has
    no influence and no gradient, whatever it holds.

    Packing needs to know the lengths. Where nobody can look at the mask, as in `torch.jit.trace`,
    `torch.export` and `vmap`, the equations are stepped instead.

    Args:
        kind: "rnn" (tanh), "gru" or "lstm".
        input_size: D, width of an embedding.
        hidden_size: H, width of one direction's state.
        bidirectional: read from both sides.
        layers: L; each layer reads the one below.
        dropout: probability, between layers, while training. So it needs at least two of them.
    """

    def __init__(
        self,
        kind: Literal["rnn", "gru", "lstm"],
        input_size: int,
        hidden_size: int,
        *,
        bidirectional: bool,
        layers: int = 1,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        if kind not in FUSED:
            raise ValueError(f"want a kind out of {', '.join(FUSED)}; got {kind!r}")
        if dropout and layers == 1:
            raise ValueError(f"want two layers or more for dropout {dropout}, got 1")
        self.layers = FUSED[kind](
            input_size,
            hidden_size,
            num_layers=layers,
            dropout=dropout,
            bidirectional=bidirectional,
            batch_first=True,
        )

    def forward(self, embedded: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"]) -> Encoded:
        """Annotates every position.

        Args:
            embedded: the embedded tokens.
            mask: True at the real tokens, which stand on the left of each row.

        Raises:
            ValueError: the mask is not (B, S), a row has no token, or its padding is not all on the
                right. Where nobody can look, rows are read right wherever their padding is, and
                one without a token gives zeros.
            TypeError: the mask is not boolean.
        """
        require_padding_mask(mask, embedded)
        right = known_all(on_the_left(mask), wait=True)
        if right is False:
            raise ValueError(
                "want all padding on the right of each row; got some before a real token"
            )
        if right is None or transformed(self.layers, embedded):
            annotations, state = stepped(self.layers, embedded, mask=mask)
        elif (lengths := _lengths(mask)).eq(embedded.shape[1]).all():
            # Nothing to leave out. Backward through a packed sequence costs half as much again.
            annotations, state = self.layers(embedded)
        else:
            packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
            outputs, state = self.layers(packed)
            annotations, _ = pad_packed_sequence(
                outputs, batch_first=True, total_length=embedded.shape[1]
            )
        hidden, cell = state if isinstance(state, tuple) else (state, None)
        return Encoded(
            annotations,
            self._side_by_side(hidden),
            None if cell is None else self._side_by_side(cell),
        )

    def _side_by_side(self, state: Float[Tensor, "LD B H"]) -> Float[Tensor, "L B HD"]:
        """From torch's order, directions stacked under layers, to directions side by side."""
        batch = state.shape[1]
        directions = state.unflatten(0, (self.layers.num_layers, -1))
        return directions.transpose(1, 2).reshape(self.layers.num_layers, batch, -1)


def _lengths(mask: Bool[Tensor, "B S"]) -> Tensor:
    """Number of real tokens in each row, on the CPU, where torch wants them for packing."""
    lengths = mask.sum(dim=1).cpu()
    if not len(lengths):
        raise ValueError("want a row or more in the batch; got none")
    if not lengths.all():
        empty = (lengths == 0).nonzero().flatten().tolist()
        raise ValueError(f"want a token or more in every row; got none in rows {empty}")
    return lengths
