"""The scores' comparison: one thing differs, rates were chosen alike, stored counts fit."""

import torch

from course_lab.experiments.lab.world import make_world
from course_lab.experiments.query_key_value import enough
from course_lib.attention.scores import AdditiveScore, GeneralScore, dot, scaled_dot


def test_the_models_differ_in_their_score_alone():
    world = make_world(12, 2, min_words=4, max_words=6)
    models = {name: enough.make_model(name, world, 3) for name in enough.SCORES}
    assert models["dot"].score is dot
    assert models["scaled dot"].score is models["scaled dot, 4 times as long"].score is scaled_dot
    assert isinstance(models["additive"].score, AdditiveScore)
    assert isinstance(models["general"].score, GeneralScore)
    shared = models["dot"].state_dict()
    for variant, model in models.items():
        for name, weight in shared.items():
            assert torch.equal(model.state_dict()[name], weight), name
        own = set(model.state_dict()) - set(shared)
        assert {name.partition(".")[0] for name in own} == (
            {"score"} if variant in ("additive", "general") else set()
        )


def test_components_of_variance_one_are_a_layer_normalisation_of_query_and_key():
    rng = torch.Generator().manual_seed(0)
    query, key = (3 + 0.05 * torch.randn(2, n, 64, generator=rng) for n in (3, 5))
    norm = torch.nn.LayerNorm(64)
    for score in (dot, scaled_dot):
        found = enough.of_variance_one(score)(query, key)
        torch.testing.assert_close(found, score(norm(query), norm(key)))
    # The size of what comes in no longer counts.
    larger = enough.of_variance_one(dot)(100 * query, key)
    torch.testing.assert_close(larger, enough.of_variance_one(dot)(query, key), rtol=0.01, atol=0.1)
