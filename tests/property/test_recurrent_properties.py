"""What holds for recurrence over batches of any lengths."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from course_lib.attention.masks import padding_mask
from course_lib.recurrent.cells import GRUCell, LSTMCell, RNNCell
from course_lib.recurrent.encoder import RecurrentEncoder
from course_lib.recurrent.unroll import run

D, H = 2, 3
with torch.random.fork_rng():
    torch.manual_seed(0)
    ENCODERS = {
        (kind, both): RecurrentEncoder(kind, D, H, bidirectional=both, layers=2).double()
        for kind in ("rnn", "gru", "lstm")
        for both in (False, True)
    }
    CELLS = [cell(D, H).double() for cell in (RNNCell, GRUCell, LSTMCell)]

batches = st.lists(st.integers(1, 6), min_size=1, max_size=4)
encoders = st.sampled_from(sorted(ENCODERS)).map(ENCODERS.get)
seeds = st.integers(0, 2**31)


def random(*shape: int, seed: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@given(batches, st.integers(0, 3), encoders, seeds)
def test_a_row_is_encoded_as_if_it_stood_alone(lengths, extra, encoder, seed):
    mask = padding_mask(torch.tensor(lengths), max(lengths) + extra)
    embedded = random(*mask.shape, D, seed=seed)
    together = encoder(embedded, mask)
    for row, length in enumerate(lengths):
        alone = encoder(embedded[row : row + 1, :length], mask[row : row + 1, :length])
        torch.testing.assert_close(
            together.annotations[row, :length], alone.annotations[0], rtol=0, atol=1e-12
        )
        torch.testing.assert_close(together.last[:, row], alone.last[:, 0], rtol=0, atol=1e-12)
        assert (together.annotations[row, length:] == 0).all()


@given(batches, encoders, seeds)
def test_rows_have_no_order(lengths, encoder, seed):
    """Packing sorts by length behind the scenes; nobody may notice."""
    mask = padding_mask(torch.tensor(lengths))
    embedded = random(*mask.shape, D, seed=seed)
    order = torch.randperm(len(lengths), generator=torch.Generator().manual_seed(seed))
    plain, moved = encoder(embedded, mask), encoder(embedded[order], mask[order])
    torch.testing.assert_close(moved.annotations, plain.annotations[order], rtol=0, atol=1e-12)
    torch.testing.assert_close(moved.last, plain.last[:, order], rtol=0, atol=1e-12)


@settings(max_examples=25)
@given(st.integers(1, 4), st.integers(1, 6), seeds, st.sampled_from(CELLS))
def test_masked_steps_may_be_cut_out(rows, steps, seed, cell):
    """Whatever the mask, running over it is running over the steps that it leaves."""
    inputs = random(rows, steps, D, seed=seed)
    mask = random(rows, steps, seed=seed + 1) > 0
    outputs, last = run(cell, inputs, mask=mask)
    last = last[0] if isinstance(last, tuple) else last
    assert (outputs[~mask] == 0).all()
    for row in range(rows):
        if not mask[row].any():
            assert (last[row] == 0).all()
            continue
        short, end = run(cell, inputs[row : row + 1, mask[row]])
        end = end[0] if isinstance(end, tuple) else end
        torch.testing.assert_close(outputs[row, mask[row]], short[0], rtol=0, atol=1e-12)
        torch.testing.assert_close(last[row], end[0], rtol=0, atol=1e-12)
