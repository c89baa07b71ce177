"""Laws of decomposable attention: C23's reduction to a bag of vectors, and what order cannot do."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.models.decomposable import Decomposable, DecomposableConfig
from course_lib.models.pair_baselines import BagConfig, BagOfVectors

SIZES = {"vocabulary": 20, "embedding": 4, "hidden": 5}


def bag_of(net: Decomposable) -> BagOfVectors:
    """The bag of vectors that a model is once G does not see what a word looked at."""
    bag = BagOfVectors(BagConfig(**SIZES))
    weights = net.state_dict()
    key = "compare.1.weight"
    weights[key] = weights[key][:, : SIZES["hidden"]]
    bag.load_state_dict({name: weights[name] for name in bag.state_dict()})
    return bag.eval()


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(0, 19), min_size=1, max_size=9),
    st.lists(st.integers(0, 19), min_size=1, max_size=9),
    st.integers(0, 99),
)
def test_without_what_it_looked_at_it_is_a_bag_of_vectors(first, second, number):
    generator = torch.Generator().manual_seed(number)
    net = Decomposable(DecomposableConfig(**SIZES), generator).double().eval()
    with torch.no_grad():
        net.compare[1].weight[:, SIZES["hidden"] :] = 0.0
    inputs = []
    for ids in (first, second):
        row = torch.tensor([ids])
        inputs += [row, torch.ones_like(row, dtype=torch.bool)]
    torch.testing.assert_close(net(*inputs), bag_of(net).double()(*inputs), atol=1e-12, rtol=1e-10)


@settings(max_examples=25, deadline=None)
@given(st.permutations([3, 5, 7, 9, 11]), st.permutations([4, 5, 9, 13]))
def test_no_order_of_the_words_makes_a_difference(first, second):
    net = Decomposable(DecomposableConfig(**SIZES), torch.Generator().manual_seed(0)).double()

    def logits(*sentences):
        inputs = []
        for ids in sentences:
            row = torch.tensor([ids])
            inputs += [row, torch.ones_like(row, dtype=torch.bool)]
        return net(*inputs)

    mine = logits(list(first), list(second))
    torch.testing.assert_close(mine, logits(sorted(first), sorted(second)), atol=1e-12, rtol=1e-10)
