"""Whatever the lengths: every pair comes once an epoch, and no batch breaks its limit."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.tokens.tokenizer import END, PAD, START

ENCODED = st.lists(
    st.builds(
        lambda source, target: EncodedPair([*source, END], target),
        st.lists(st.integers(4, 9), min_size=1, max_size=15),
        st.lists(st.integers(4, 9), min_size=1, max_size=15),
    ),
    min_size=1,
    max_size=40,
)
SIZES = st.one_of(
    st.integers(1, 12).map(lambda n: {"pairs_per_batch": n}),
    st.integers(1, 120).map(lambda n: {"tokens_per_batch": n}),
)


@given(ENCODED, SIZES, st.integers(0, 2**40), st.integers(0, 1000))
def test_each_pair_comes_exactly_once_and_unchanged(encoded, size, seed, epoch):
    batches = Batches(encoded, seed=seed, **size)
    for stream in (batches.epoch(epoch), batches.sequential()):
        seen = []
        for batch in stream:
            for row, position in enumerate(batch.index):
                seen.append(position)
                source = batch.source[row][batch.source_mask[row]].tolist()
                read = batch.target_in[row][batch.target_mask[row]].tolist()
                write = batch.target_out[row][batch.target_mask[row]].tolist()
                assert source == encoded[position].source
                assert read == [START, *encoded[position].target]
                assert write == [*encoded[position].target, END]
        assert sorted(seen) == list(range(len(encoded)))


@given(ENCODED, SIZES, st.integers(0, 1000))
def test_padding_is_at_the_end_and_counted_nowhere(encoded, size, epoch):
    for batch in Batches(encoded, **size).epoch(epoch):
        for ids, mask in (
            (batch.source, batch.source_mask),
            (batch.target_in, batch.target_mask),
            (batch.target_out, batch.target_mask),
        ):
            assert torch.equal(mask, mask.cummin(dim=1).values)
            assert (ids[~mask] == PAD).all()
            assert mask[:, 0].all()
            assert mask[:, -1].any()
        assert batch.tokens == int(batch.target_mask.sum())


@given(ENCODED, SIZES, st.integers(0, 1000))
def test_no_batch_breaks_its_limit(encoded, size, epoch):
    batches = Batches(encoded, **size)
    count = 0
    for batch in batches.epoch(epoch):
        count += 1
        if "pairs_per_batch" in size:
            assert len(batch) <= size["pairs_per_batch"]
        elif len(batch) > 1:
            width = max(batch.source.shape[1], batch.target_in.shape[1])
            assert len(batch) * width <= size["tokens_per_batch"]
    assert count == batches.len_epoch(epoch)
