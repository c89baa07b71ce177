"""Chapter 11: the cost of decoding, the language as a set, and what is judged of searches."""

import pytest
import torch

from course_lab.experiments.decoding import search
from course_lab.experiments.decoding.cost import Counting, WithoutCache, with_cache, without_cache
from course_lab.experiments.decoding.language import as_set
from course_lib.decoding.generate import NEVER
from course_lib.decoding.greedy import greedy
from course_lib.device import cpu_generator
from course_lib.models.transformer import Transformer, TransformerConfig


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("tokens", [2, 7])
def test_the_formula_of_the_cost_is_what_is_counted(layers, tokens):
    config = TransformerConfig(20, 30, width=8, heads=2, layers=layers, feed_forward=20)
    model = Transformer(config, cpu_generator(0)).eval()
    source = torch.randint(4, 20, (3, 5), generator=cpu_generator(1))
    real = torch.ones_like(source, dtype=torch.bool)
    with torch.no_grad(), Counting() as encoder:
        model.encode(source, real)
    written = []
    for one, formula in ((model, with_cache), (WithoutCache(model), without_cache)):
        with Counting() as counting:
            decoded = greedy(one, source, real, end=NEVER, max_length=tokens)
        assert counting.count - encoder.count == 3 * formula(config, 5, tokens)
        written.append(decoded.ids)
    assert written[0] == written[1]


def test_a_wrong_ending_or_object_is_not_in_the_language():
    right = ("der", "alte", "Mann", "sieht", "einen", "kleinen", "Hund", ".")
    assert right in as_set()
    slips = {"der": "den", "einen": "ein", "kleinen": "kleine", "sieht": "sehen"}
    for word, other in slips.items():
        assert tuple(other if w == word else w for w in right) not in as_set()
    assert ("der", "Mann", "liest", "den", "Hund", ".") not in as_set()


@pytest.fixture(scope="module")
def world():
    return search.the_world()


@pytest.fixture(scope="module")
def model(world):
    """First weights, half as large again: unsure, but not alike for all words."""
    model = search.make_model(world, 0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(1.5)
    return model.eval()


def test_what_is_judged_of_searches_by_hand(world, model, monkeypatch):
    pairs = world.test[:3]
    true = [world.tokenizers[1].encode(pair.target).ids for pair in pairs]
    dull = [[true[0][0]]] * 3

    def beams(model, source, mask, *, beams, alpha, max_length):
        """Greedy search is dull, wider ones get the first two sentences right."""
        ids = dull if beams == 1 else [true[0], true[1], dull[2]]
        return [[search.Hypothesis(one, -2.0, -2.0, True, None)] for one in ids]

    best = [search.Hypothesis(one, -1.0, -1.0, True, None) for one in true[:2]]
    best[0] = best[0]._replace(log_probability=-2.0)
    monkeypatch.setattr(search, "beam_hypotheses", beams)
    monkeypatch.setattr(search, "most_probable", lambda *_, **__: [*best, None])
    judged = search.judged(model, pairs, world)
    length = (len(true[0]) + len(true[1]) + 1) / sum(map(len, true))
    assert judged["beams"]["1"]["exact"] == 0
    wide = {"exact": 2 / 3, "likeliest": 0.5, "gained": 2 / 3, "lost": 0, "length": length}
    assert judged["beams"]["4"] == pytest.approx(wide, abs=1e-4)
    assert judged["best"] == pytest.approx({"exact": 1.0, "length": 1.0, "known": 2 / 3}, abs=1e-4)
