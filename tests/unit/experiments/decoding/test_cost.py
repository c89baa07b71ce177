"""The formula of chapter 11 is what is counted, with a cache and without; both write alike."""

import pytest
import torch

from course_lab.experiments.decoding.cost import (
    Counting,
    WithoutCache,
    with_cache,
    without_cache,
)
from course_lib.decoding.generate import NEVER
from course_lib.decoding.greedy import greedy
from course_lib.device import cpu_generator
from course_lib.models.transformer import Transformer, TransformerConfig


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("tokens", [1, 7])
def test_what_is_counted_is_the_formula(layers, tokens):
    config = TransformerConfig(20, 30, width=8, heads=2, layers=layers, feed_forward=20)
    model = Transformer(config, cpu_generator(0)).eval()
    source = torch.randint(4, 20, (3, 5), generator=cpu_generator(1))
    real = torch.ones_like(source, dtype=torch.bool)
    with torch.no_grad(), Counting() as encoder:
        model.encode(source, real)
    written = []
    for one, wanted in ((model, with_cache), (WithoutCache(model), without_cache)):
        with Counting() as counting:
            found = greedy(one, source, real, end=NEVER, max_length=max(1, tokens - 1))
        steps = max(2, tokens)
        assert counting.count - encoder.count == 3 * wanted(config, 5, steps)
        written.append(found.ids)
    assert written[0] == written[1]
