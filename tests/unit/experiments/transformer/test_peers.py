"""The comparison's runs: what a variant is, what is measured, what is stored."""

import pytest
import torch

from course_lab.experiments.transformer import ablations, peers
from course_lib.device import cpu_generator
from course_lib.models.transformer import Transformer, TransformerConfig


@pytest.fixture(scope="module")
def world() -> peers.PeerWorld:
    return peers.make_world(60, 24)


def test_no_sentence_stands_in_two_lists_and_lengths_are_kept(world):
    lists = [world.train, world.valid, world.test, world.beyond, world.compositional]
    sources = [{pair.source for pair in pairs} for pairs in lists]
    assert sum(map(len, sources)) == len(set.union(*sources))
    for pairs in lists:
        lengths = {len(pair.source) for pair in pairs}
        if pairs is world.beyond:
            assert min(lengths) > peers.LONGEST
            assert max(lengths) <= peers.BEYOND
        else:
            assert max(lengths) <= peers.LONGEST


def test_the_two_models_are_of_one_size():
    world = peers.make_world()
    sizes = [
        sum(p.numel() for p in peers.make_model(peers.VARIANTS[name], world, 0).parameters())
        for name in ("Transformer", "Bahdanau")
    ]
    assert max(sizes) < 1.02 * min(sizes)


def test_a_twin_is_the_same_but_for_its_time():
    for name in peers.TWINS:
        twin, base = peers.VARIANTS[name], peers.VARIANTS[name.split(",")[0]]
        assert twin.settings == base.settings
        assert peers.fit_config(twin).steps == peers.LONGER * peers.fit_config(base).steps


def test_head_maps_are_those_of_the_model_cut_to_the_words(world):
    config = TransformerConfig(*map(len, world.tokenizers), width=8, heads=2, layers=2)
    model = Transformer(config, cpu_generator(0)).eval()
    pairs = world.test[:3]
    maps = peers.head_maps(model, pairs, world)
    assert set(maps) == {(n, h) for n in range(2) for h in range(2)}
    for found in maps.values():
        for pair, matrix in zip(pairs, found, strict=True):
            assert matrix.shape == (len(pair.target), len(pair.source) + 1)
            torch.testing.assert_close(matrix.sum(-1), torch.ones(len(pair.target)))
    rates = peers.error_rates(model, world)
    assert len(rates["rows"]) == len(peers.SHIFTS)
    layer, head = rates["which"]
    own = peers.head_error_rates(model, world.test[: peers.LINKED], world)
    assert rates["head"] == round(own[layer, head], 4)


def test_an_ablation_is_the_whole_model_with_one_thing_changed():
    whole = peers.VARIANTS["Transformer"]
    for name, variant in ablations.VARIANTS.items():
        changed = set(variant.settings.items()) - set(whole.settings.items())
        changes = len(changed) + (variant.warmup != whole.warmup)
        assert changes == (2 if "," in name else 1), name
        assert variant.times == whole.times
