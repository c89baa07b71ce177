"""Our cells against torch.nn's, and torch.nn's fused layers against our cells: float64, 1e-10."""

import pytest
import torch
from torch import Tensor, nn

from course_lib.attention.masks import padding_mask
from course_lib.recurrent.cells import GRUCell, LSTMCell, RNNCell
from course_lib.recurrent.encoder import Encoded, RecurrentEncoder
from course_lib.recurrent.unroll import run
from tests.sizes import random

EXACT = {"rtol": 0, "atol": 1e-10}
D, H = 3, 4


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def same_weights(theirs: nn.Module, ours: nn.Module) -> nn.Module:
    """Torch's module with our weights, by name."""
    theirs = theirs.double()
    theirs.load_state_dict(ours.state_dict())
    return theirs


CELLS = {
    "tanh": (RNNCell, nn.RNNCell, {"nonlinearity": "tanh"}),
    "relu": (RNNCell, nn.RNNCell, {"nonlinearity": "relu"}),
    "gru": (GRUCell, nn.GRUCell, {}),
    "lstm": (LSTMCell, nn.LSTMCell, {}),
}


def check_cell(ours: nn.Module, theirs: nn.Module, parts: int) -> None:
    """Three steps, so that the state has a history: value and gradient of everything."""
    results = []
    for cell in (ours, theirs):
        inputs = random(3, 5, D).requires_grad_()
        start = [random(5, H, seed=1 + part).requires_grad_() for part in range(parts)]
        state = tuple(start) if parts == 2 else start[0]
        for step in inputs:
            state = cell(step, state)
        state = tuple(state) if parts == 2 else (state,)
        loss = sum((part * random(5, H, seed=5)).sum() for part in state)
        leaves = [inputs, *start, *(parameter for _, parameter in sorted(cell.named_parameters()))]
        results.append([*state, *torch.autograd.grad(loss, leaves)])
    for got, wanted in zip(*results, strict=True):
        torch.testing.assert_close(got, wanted, **EXACT)


@pytest.mark.parametrize("name", CELLS)
def test_cell_equals_torchs(name: str):
    our_class, their_class, options = CELLS[name]
    ours = our_class(D, H, generator=seeded(), **options).double()
    theirs = same_weights(their_class(D, H, **options), ours)
    check_cell(ours, theirs, 2 if name == "lstm" else 1)
    # And the other way round: torch's state dict loads into our cell.
    ours.load_state_dict(their_class(D, H, **options).state_dict())


@pytest.mark.parametrize("name", CELLS)
def test_unrolled_cell_equals_torchs_fused_layer(name: str):
    """No mask, forty steps, weights carried over by torch's own names for layer 0."""
    our_class, _, options = CELLS[name]
    fused_class = {"gru": nn.GRU, "lstm": nn.LSTM}.get(name, nn.RNN)
    ours = our_class(D, H, generator=seeded(), **options).double()
    fused = fused_class(D, H, batch_first=True, **options).double()
    fused.load_state_dict({f"{key}_l0": value for key, value in ours.state_dict().items()})
    results = []
    for forward, module in ((lambda x: run(ours, x)[0], ours), (lambda x: fused(x)[0], fused)):
        inputs = random(2, 40, D).requires_grad_()
        outputs = forward(inputs)
        gradients = torch.autograd.grad(
            (outputs * random(2, 40, H, seed=3)).sum(), [inputs, *module.parameters()]
        )
        results.append([outputs, *gradients])
    for got, wanted in zip(*results, strict=True):
        torch.testing.assert_close(got, wanted, **EXACT)


KINDS = {"rnn": RNNCell, "gru": GRUCell, "lstm": LSTMCell}


def from_cells(encoder: RecurrentEncoder, embedded: Tensor, mask: Tensor) -> Encoded:
    """The encoder written out: each layer and direction a cell of ours, unrolled over the mask."""
    state_dict, layer = encoder.layers.state_dict(keep_vars=True), embedded
    hiddens, cells = [], []
    for number in range(encoder.layers.num_layers):
        outputs, ends = [], []
        for suffix in ("", "_reverse")[: 1 + encoder.layers.bidirectional]:
            cell = KINDS[encoder.layers.mode[:4].rstrip("_").lower()](layer.shape[-1], H).double()
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
                # In place of the cell's own, so that gradients reach the encoder's weights.
                delattr(cell, name)
                setattr(cell, name, state_dict[f"{name}_l{number}{suffix}"])
            if suffix:
                output, last = run(cell, layer.flip(1), None, mask.flip(1))
            else:
                output, last = run(cell, layer, None, mask)
            outputs.append(output.flip(1) if suffix else output)
            ends.append(last if isinstance(last, tuple) else (last, None))
        layer = torch.cat(outputs, dim=-1)
        hiddens.append(torch.cat([hidden for hidden, _ in ends], dim=-1))
        if ends[0][1] is not None:
            cells.append(torch.cat([cell for _, cell in ends], dim=-1))
    return Encoded(layer, torch.stack(hiddens), torch.stack(cells) if cells else None)


MASK = padding_mask(torch.tensor([4, 6, 1]), 6)


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_encoder_equals_the_cells(kind: str, bidirectional: bool, layers: int):
    """Value and gradient of everything, as the cells have them."""
    encoder = RecurrentEncoder(kind, D, H, bidirectional=bidirectional, layers=layers).double()
    with torch.no_grad():
        for number, parameter in enumerate(encoder.parameters()):
            parameter.copy_(random(*parameter.shape, seed=number) / 2)
    results = []
    for function in (RecurrentEncoder.__call__, from_cells):
        embedded = random(3, 6, D).requires_grad_()
        encoded = function(encoder, embedded, MASK)
        parts = [part for part in encoded if part is not None]
        assert len(parts) == (3 if kind == "lstm" else 2)
        loss = sum((part * random(*part.shape, seed=7)).sum() for part in parts)
        results.append([*parts, *torch.autograd.grad(loss, [embedded, *encoder.parameters()])])
    for got, wanted in zip(*results, strict=True):
        torch.testing.assert_close(got, wanted, **EXACT)
