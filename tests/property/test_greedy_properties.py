"""Greedy search agrees with `forward`, and no sentence notices its neighbours."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.data.tokens.tokenizer import END, PAD, START
from course_lib.decoding.greedy import greedy
from course_lib.models.registry import MODELS, build
from tests.sizes import small

VOCABULARY = 9
MOST = 8
NAMES = sorted(MODELS)


def model_of(name, seed):
    config = small(name, VOCABULARY, embedding=5, hidden=6)
    model = build(name, config, torch.Generator().manual_seed(seed)).double().eval()
    with torch.no_grad():
        # First weights make all sentences much alike; larger ones tell them apart.
        for parameter in model.parameters():
            parameter.mul_(4.0)
    return model


def padded(rows, rubbish):
    width = max(map(len, rows))
    source = torch.tensor([[*row, END, *[rubbish] * (width - len(row))] for row in rows])
    lengths = torch.tensor([len(row) + 1 for row in rows])
    return source, torch.arange(width + 1) < lengths[:, None]


sentences = st.lists(
    st.lists(st.integers(4, VOCABULARY - 1), min_size=1, max_size=7), min_size=1, max_size=4
)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=6)
@given(rows=sentences, seed=st.integers(0, 10_000), rubbish=st.integers(0, VOCABULARY - 1))
def test_each_choice_is_the_best_of_forward_whoever_stands_beside_it(name, rows, seed, rubbish):
    model = model_of(name, seed)
    together = greedy(model, *padded(rows, rubbish), max_length=MOST, return_attention=True)
    for i, row in enumerate(rows):
        source = padded([row], PAD)
        alone = greedy(model, *source, max_length=MOST, return_attention=True)
        (ids,), (finished,), (weights,) = alone.ids, alone.finished, alone.weights
        assert (together.ids[i], together.finished[i]) == (ids, finished)
        output = model(*source, torch.tensor([[START, *ids]]), return_attention=True)
        logits = output.logits[0].detach().clone()
        logits[:, [PAD, START]] = -torch.inf
        best = logits.argmax(-1).tolist()
        assert best[: len(ids)] == ids
        assert (best[-1] == END) == finished
        if weights is None:
            assert together.weights[i] is None
        else:
            torch.testing.assert_close(together.weights[i], weights)
            torch.testing.assert_close(weights, output.attention[0, : len(ids)])
