"""Our cells against torch.nn's, and torch.nn's fused layers against our cells: float64, 1e-10."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from course_lib.attention.masks import padding_mask
from course_lib.recurrent.cells import GRUCell, LSTMCell, RNNCell, gru_update
from course_lib.recurrent.encoder import Encoded, RecurrentEncoder
from course_lib.recurrent.unroll import run

EXACT = {"rtol": 0, "atol": 1e-10}
D, H = 3, 4


def random(*shape: int, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


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


class SwappedUpdate(GRUCell):
    def forward(self, inputs: Tensor, hidden: Tensor) -> Tensor:
        gates_x, gates_h = self.from_input(inputs), self.from_hidden(hidden)
        sign = torch.ones(3 * H, dtype=torch.float64)
        sign[H : 2 * H] = -1
        return gru_update(sign * gates_x, sign * gates_h, hidden)


class ResetBefore(GRUCell):
    def __init__(self, *sizes: int, generator: torch.Generator) -> None:
        super().__init__(*sizes, reset="before", generator=generator)


class GatesInAnotherOrder(LSTMCell):
    def from_input(self, inputs: Tensor) -> Tensor:
        i, f, g, o = super().from_input(inputs).chunk(4, dim=-1)
        return torch.cat([i, f, o, g], dim=-1)


class OneBias(RNNCell):
    def from_hidden(self, hidden: Tensor) -> Tensor:
        return hidden @ self.weight_hh.T + 0 * self.bias_hh


class NoGradientThroughTime(RNNCell):
    def from_hidden(self, hidden: Tensor) -> Tensor:
        return super().from_hidden(hidden.detach()) + 0 * hidden


@pytest.mark.parametrize(
    ("wrong", "theirs", "parts"),
    [
        (SwappedUpdate, nn.GRUCell, 1),
        (ResetBefore, nn.GRUCell, 1),
        (GatesInAnotherOrder, nn.LSTMCell, 2),
        (OneBias, nn.RNNCell, 1),
        (NoGradientThroughTime, nn.RNNCell, 1),
    ],
)
def test_the_check_rejects_a_wrong_cell(wrong, theirs, parts: int):
    ours = wrong(D, H, generator=seeded()).double()
    with pytest.raises(AssertionError):
        check_cell(ours, same_weights(theirs(D, H), ours), parts)


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
Forward = Callable[[RecurrentEncoder, Tensor, Tensor], Encoded]


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
            output, last = run(cell, layer, None, mask, reverse=bool(suffix))
            outputs.append(output)
            ends.append(last if isinstance(last, tuple) else (last, None))
        layer = torch.cat(outputs, dim=-1)
        hiddens.append(torch.cat([hidden for hidden, _ in ends], dim=-1))
        if ends[0][1] is not None:
            cells.append(torch.cat([cell for _, cell in ends], dim=-1))
    return Encoded(layer, torch.stack(hiddens), torch.stack(cells) if cells else None)


MASK = padding_mask(torch.tensor([4, 6, 1]), 6)


def check_encoder(forward: Forward, kind: str, bidirectional: bool, layers: int) -> None:
    """Value and gradient of everything, as the cells have them."""
    encoder = RecurrentEncoder(kind, D, H, bidirectional=bidirectional, layers=layers).double()
    with torch.no_grad():
        for number, parameter in enumerate(encoder.parameters()):
            parameter.copy_(random(*parameter.shape, seed=number) / 2)
    results = []
    for function in (forward, from_cells):
        embedded = random(3, 6, D).requires_grad_()
        encoded = function(encoder, embedded, MASK)
        parts = [part for part in encoded if part is not None]
        assert len(parts) == (3 if kind == "lstm" else 2)
        loss = sum((part * random(*part.shape, seed=7)).sum() for part in parts)
        results.append([*parts, *torch.autograd.grad(loss, [embedded, *encoder.parameters()])])
    for got, wanted in zip(*results, strict=True):
        torch.testing.assert_close(got, wanted, **EXACT)


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_encoder_equals_the_cells(kind: str, bidirectional: bool, layers: int):
    check_encoder(lambda encoder, x, mask: encoder(x, mask), kind, bidirectional, layers)


def no_packing(encoder: RecurrentEncoder, embedded: Tensor, mask: Tensor) -> Encoded:
    """What tutorials do: padding runs through the state, and only the outputs are masked."""
    outputs, state = encoder.layers(embedded)
    hidden, cell = state if isinstance(state, tuple) else (state, None)
    return Encoded(
        outputs.masked_fill(~mask[..., None], 0.0),
        encoder._side_by_side(hidden),
        None if cell is None else encoder._side_by_side(cell),
    )


def directions_mixed_up(encoder: RecurrentEncoder, embedded: Tensor, mask: Tensor) -> Encoded:
    """A plain reshape of torch's (L·2, B, H): rows of the batch and directions trade places."""
    encoded = encoder(embedded, mask)
    stacked = torch.stack(encoded.last.chunk(2, dim=-1), dim=1)
    return encoded._replace(last=stacked.reshape(encoded.last.shape))


def last_column(encoder: RecurrentEncoder, embedded: Tensor, mask: Tensor) -> Encoded:
    """Takes both directions' state at the last column instead of where each one ends."""
    encoded = encoder(embedded, mask)
    return encoded._replace(last=encoded.annotations[:, -1][None])


@pytest.mark.parametrize("wrong", [no_packing, directions_mixed_up, last_column])
@pytest.mark.parametrize("kind", ["rnn", "gru"])
def test_the_check_rejects_a_wrong_encoder(wrong: Forward, kind: str):
    with pytest.raises(AssertionError):
        check_encoder(wrong, kind, True, 1)
