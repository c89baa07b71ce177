"""In the tests every annotated shape of course_lib is checked at run time."""

import pytest
import torch
from jaxtyping import TypeCheckError


def test_a_wrong_shape_is_caught_at_the_call():
    from course_lib.attention.attend import attend

    query, key, value = torch.zeros(2, 3, 4), torch.zeros(2, 5, 4), torch.zeros(2, 6, 4)
    with pytest.raises(TypeCheckError, match=r"Float\[Tensor"):
        attend(query, key, value)  # five keys, six values


def test_a_wrong_kind_of_number_is_caught_at_the_call():
    from course_lib.attention.masks import padding_mask

    with pytest.raises(TypeCheckError, match=r"Int\[Tensor"):
        padding_mask(torch.tensor([1.0, 2.0]))
