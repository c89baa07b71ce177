"""Chapter 11's searches: what is counted, what is stored, and that rates were compared."""

import pytest
import torch

from course_lab.experiments.decoding import search, tree


@pytest.fixture(scope="module")
def world():
    return search.the_world()


@pytest.fixture(scope="module")
def model(world):
    """First weights, three times as large: unsure, but not alike for all words."""
    model = search.make_model(world, 0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(1.5)
    return model.eval()


def test_what_is_judged(world, model, monkeypatch):
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
    found = search.judged(model, pairs, world)
    assert found["beams"]["1"]["exact"] == 0
    assert found["beams"]["4"] == pytest.approx(
        {
            "exact": 0.6667,
            "likeliest": 0.5,
            "gained": 0.6667,
            "lost": 0,
            "length": (len(true[0]) + len(true[1]) + 1) / sum(map(len, true)),
        },
        abs=1e-4,
    )
    assert found["best"] == {"exact": 1.0, "length": 1.0, "known": 0.6667}
    assert set(found["alphas"]) == {"0.0", "0.6", "1.0", "2.0"}


def test_the_tree_is_the_search_and_its_sums_are_the_models(world, model):
    pair = world.test[0]
    for beams in (1, 3):
        found = tree.searched(model, pair, world, beams)
        batch = search.batch_of([pair], world.tokenizers)
        best = search.searched(model, batch, beams=beams, longest=2 * len(pair.target))
        if best.log_probability[0] > float("-inf"):
            ends = [node.total for step in found.steps for node in step if node.ended]
            assert max(ends) == pytest.approx(best.log_probability[0], abs=2e-3)
        assert all(len(step) <= beams for step in found.steps)


def test_the_stored_tree_is_a_sentence_that_greedy_search_spoils():
    source, right, searches = tree.load()
    assert sorted(searches) == list(tree.WIDTHS)
    assert searches[1].written != right
    for width in tree.WIDTHS[1:]:
        assert searches[width].written == right
        assert searches[width].total > searches[1].total
    for found in searches.values():
        before = [0.0]
        for step in found.steps:
            assert all(node.total <= before[node.parent] + 2e-3 for node in step)
            before = [node.total for node in step]
    assert tree.show().id.startswith("cl-beams-")
    assert len(source) == 8
