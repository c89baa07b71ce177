"""A recurrent encoder of padded batches: each sentence is encoded as if it were alone."""

from typing import Literal, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_lib.attention.masks import padding_mask, require_padding_mask

FUSED = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}


class Encoded(NamedTuple):
    """The encoder's states; the directions of a layer are side by side, forward first.

    Attributes:
        annotations: the top layer's state at each position; zeros at padding.
        last: the last state of each layer: at the last real token forward, at the first one
            backward, so both directions have read the whole sentence.
        last_cell: the same of the LSTM's cell; None for the other kinds.
    """

    annotations: Float[Tensor, "B S HD"]
    last: Float[Tensor, "L B HD"]
    last_cell: Float[Tensor, "L B HD"] | None


class RecurrentEncoder(nn.Module):
    """Turns embedded tokens into annotations h_j, in one direction or in both.

    With `bidirectional`, h_j = [h_j forward; h_j backward] (Bahdanau et al. 2015, section 3.2).
    It runs `torch.nn`'s fused layers over packed sequences. Padding is never read: it has no
    influence and no gradient, whatever it holds.

    D is `input_size`, H `hidden_size`, the width of one direction. The dropout is between layers.
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
        self.layers = FUSED[kind](
            input_size,
            hidden_size,
            num_layers=layers,
            dropout=dropout,
            bidirectional=bidirectional,
            batch_first=True,
        )

    def forward(self, embedded: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"]) -> Encoded:
        """Annotate every position; the padding of each row is on the right, else ValueError."""
        require_padding_mask(mask, embedded)
        lengths = mask.sum(dim=1)
        if not torch.equal(mask, padding_mask(lengths, mask.shape[1])):
            raise ValueError(
                "want all padding on the right of each row; got some before a real token"
            )
        lengths = lengths.cpu()  # where PyTorch wants them for packing
        if lengths.eq(embedded.shape[1]).all():
            # No padding. A packed sequence would make the backward pass half as slow again.
            annotations, state = self.layers(embedded)
        else:
            packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
            outputs, state = self.layers(packed)
            annotations, _ = pad_packed_sequence(
                outputs, batch_first=True, total_length=embedded.shape[1]
            )
        hidden, cell = state if isinstance(state, tuple) else (state, None)
        cell = None if cell is None else self._side_by_side(cell)
        return Encoded(annotations, self._side_by_side(hidden), cell)

    def _side_by_side(self, state: Float[Tensor, "LD B H"]) -> Float[Tensor, "L B HD"]:
        """From torch's order, directions stacked under layers, to directions side by side."""
        batch = state.shape[1]
        directions = state.unflatten(0, (self.layers.num_layers, -1))
        return directions.transpose(1, 2).reshape(self.layers.num_layers, batch, -1)
