"""The LSTMN beside its paper's equations in NumPy, a word and a number at a time."""

import numpy as np
import torch

from course_lib.recurrent.lstmn import DeepFusionCell, LSTMNCell, LSTMNState, Tapes, run_lstmn
from tests.sizes import strong

D, H, T, S = 3, 4, 6, 4


def make(kind: type = LSTMNCell, seed: int = 0) -> LSTMNCell:
    """In double precision, with large weights."""
    return strong(kind(D, H), 1.0, seed)


def words(rows: int = 2, length: int = T, seed: int = 1) -> torch.Tensor:
    draw = torch.Generator().manual_seed(seed)
    return torch.randn(rows, length, D, generator=draw, dtype=torch.float64)


def tapes_of(cell: DeepFusionCell, state: LSTMNState) -> Tapes:
    keys = cell.inter.project_keys(state.hidden_tape)
    return Tapes(state.hidden_tape, state.cell_tape, keys, state.mask)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def numpy_of(layer) -> np.ndarray:
    return layer.weight.detach().numpy()


def attention(score, keys, x, last):
    """Equations 4 and 5, or 10 and 11, with the matrices cut apart as the paper has them."""
    w_x, w_last = np.split(numpy_of(score.queries), [D], axis=1)
    w_key, v = numpy_of(score.keys), numpy_of(score.energy)[0]
    energy = [v @ np.tanh(w_key @ key + w_x @ x + w_last @ last) for key in keys]
    power = np.exp(np.array(energy))
    return power / power.sum() if len(keys) else power


def by_hand(cell, sentence, tapes=None):
    """Equations 4 to 9, or with tapes of a source 10 to 15: h, c, s and p of every step."""
    hidden, cells, weights, looks = [], [], [], []
    summary, source = np.zeros(H), np.zeros(H)
    for x in sentence:
        s = attention(cell.intra, hidden, x, summary)
        summary, old = np.zeros(H), np.zeros(H)
        for share, h, c in zip(s, hidden, cells, strict=True):
            summary, old = summary + share * h, old + share * c
        gates = numpy_of(cell.gates) @ np.concatenate([summary, x])
        gates = gates + cell.gates.bias.detach().numpy()
        i, f, o, candidate = np.split(gates, 4)
        c = sigmoid(f) * old + sigmoid(i) * np.tanh(candidate)
        if tapes is not None:
            p = attention(cell.inter, tapes[0], x, source)
            source = sum(share * g for share, g in zip(p, tapes[0], strict=True))
            alpha = sum(share * a for share, a in zip(p, tapes[1], strict=True))
            r = numpy_of(cell.transfer) @ np.concatenate([source, x])
            c = c + sigmoid(r + cell.transfer.bias.detach().numpy()) * alpha
            looks.append(p)
        cells.append(c)
        hidden.append(sigmoid(o) * np.tanh(c))
        weights.append(s)
    return np.array(hidden), np.array(cells), weights, looks


def close(found: torch.Tensor, wanted) -> None:
    np.testing.assert_allclose(found.detach().numpy(), wanted, atol=1e-12, rtol=0)


def test_equations_4_to_9():
    cell, sentences = make(), words()
    found = run_lstmn(cell, sentences, return_attention=True)
    for row, sentence in enumerate(sentences.numpy()):
        hidden, cells, weights, _ = by_hand(cell, sentence)
        close(found.hidden[row], hidden)
        close(found.state.hidden_tape[row], hidden)
        close(found.state.cell_tape[row], cells)
        for t, share in enumerate(weights):
            close(found.weights[row, t, :t], share)
            assert (found.weights[row, t, t:] == 0).all()


def test_equations_10_to_15():
    encoder, cell, source, target = make(), make(DeepFusionCell, 7), words(2, S, 2), words(2, T, 3)
    tapes = tapes_of(cell, run_lstmn(encoder, source).state)
    state, steps = cell.initial(target), []
    for x in target.unbind(1):
        steps.append(cell.step(x, state, tapes))
        state = steps[-1].state
    for row in range(2):
        both = by_hand(encoder, source[row].numpy())[:2]
        hidden, cells, intra, inter = by_hand(cell, target[row].numpy(), both)
        close(state.hidden_tape[row], hidden)
        close(state.cell_tape[row], cells)
        for step, own, foreign in zip(steps, intra, inter, strict=True):
            close(step.intra[row], own)
            close(step.inter[row], foreign)


def test_padding_is_never_read_wherever_it_stands():
    cell, sentences = make(), words()
    mask = torch.tensor([[1, 1, 1, 1, 1, 1], [0, 1, 1, 0, 1, 0]], dtype=torch.bool)
    sentences[1][~mask[1]] = torch.nan
    sentences.requires_grad_()
    found = run_lstmn(cell, sentences, mask, return_attention=True)
    alone = run_lstmn(cell, sentences[1:, mask[1]], return_attention=True)
    torch.testing.assert_close(found.hidden[1, mask[1]], alone.hidden[0])
    torch.testing.assert_close(found.state.hidden[1], alone.state.hidden[0])
    torch.testing.assert_close(found.weights[1][mask[1]][:, mask[1]], alone.weights[0])
    assert (found.weights[1][:, ~mask[1]] == 0).all()
    assert (found.weights[1][~mask[1]] == 0).all()
    (gradient,) = torch.autograd.grad(found.hidden.square().sum(), sentences)
    assert (gradient[1][~mask[1]] == 0).all()
    assert (gradient[1][mask[1]] != 0).any(-1).all()


def test_padding_of_the_source_has_no_influence_in_deep_fusion():
    encoder, cell, source, target = make(), make(DeepFusionCell, 7), words(2, S, 2), words(2, 1, 3)
    mask = torch.tensor([[True] * S, [True, True, False, False]])
    whole = tapes_of(cell, run_lstmn(encoder, source, mask).state)
    short = tapes_of(cell, run_lstmn(encoder, source[1:, :2]).state)
    found = cell.step(target[:, 0], cell.initial(target), whole)
    alone = cell.step(target[1:, 0], cell.initial(target[1:]), short)
    torch.testing.assert_close(found.state.hidden[1], alone.state.hidden[0])
    assert (found.inter[1, 2:] == 0).all()
