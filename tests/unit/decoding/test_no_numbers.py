"""What all searches have in common: broken logits are refused, and results are ordinary tensors."""

import pytest
import torch
from jaxtyping import Int
from torch import Tensor

from course_lib.decoding.beam import beam
from course_lib.decoding.exact import most_probable
from course_lib.decoding.greedy import greedy
from course_lib.decoding.sample import sample
from course_lib.models.protocol import Memory, State, Step
from course_lib.models.registry import build
from tests.stubs import NextWord


def sampled(*given, **asked):
    return sample(*given, generator=torch.Generator().manual_seed(1), **asked)


SEARCHES = [greedy, beam, most_probable, sampled]
searches = pytest.mark.parametrize("search", SEARCHES, ids=lambda s: s.__name__)
SOURCE = torch.tensor([[4, 5, 3], [5, 3, 0]])


class Broken(NextWord):
    """One logit, of one token in one sentence, is not a number, from the second step on."""

    def __init__(self, token: int, value: float) -> None:
        super().__init__({1: 4, 2: 4, 4: 4}, 7)
        self.token, self.value = token, value

    def step(
        self,
        token: Int[Tensor, " B"],
        state: State,
        memory: Memory,
        *,
        return_attention: bool = False,
    ) -> Step:
        logits = super().step(token, state, memory).logits.clone()
        if (token == 4).any():
            logits[-1, self.token] = self.value
        return Step(logits, state)


@searches
@pytest.mark.parametrize("token", [0, 3, 6])
@pytest.mark.parametrize("value", [torch.nan, torch.inf])
def test_logits_that_are_no_numbers_are_refused(search, token, value):
    with pytest.raises(ValueError, match=r"none is nan or infinity; got"):
        search(Broken(token, value), SOURCE, SOURCE > 0, max_length=4)


def tensors(found):
    if isinstance(found, Tensor):
        yield found
    elif isinstance(found, list | tuple):
        for each in found:
            yield from tensors(each)


@searches
def test_another_default_device_or_number_changes_nothing(search):
    settings = {"source_vocabulary": 9, "target_vocabulary": 9, "embedding": 4, "hidden": 4}
    model = build("bahdanau", settings, torch.Generator().manual_seed(1))
    wanted = search(model, SOURCE, SOURCE > 0, max_length=3)
    before = torch.get_default_dtype()
    try:
        torch.set_default_dtype(torch.float64)
        with torch.device("meta"):
            assert search(model, SOURCE, SOURCE > 0, max_length=3) == wanted
    finally:
        torch.set_default_dtype(before)
