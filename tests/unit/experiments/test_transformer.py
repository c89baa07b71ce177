"""Chapter 10: a fair comparison, head maps, the stations of one sentence, the page's network."""

import math
from itertools import pairwise

import pytest
import torch

from course_lab.experiments.lab.world import batch_of
from course_lab.experiments.transformer import ablations, in_page, peers, way
from course_lib.device import cpu_generator
from course_lib.models.transformer import Transformer, TransformerConfig


@pytest.fixture(scope="module")
def small():
    """A Transformer of width 8 with two heads and two layers, and a small world."""
    world = peers.make_world(60, 24)
    config = TransformerConfig(*map(len, world.tokenizers), width=8, heads=2, layers=2)
    return Transformer(config, cpu_generator(0)).eval(), world


def test_rivals_are_of_one_size_and_differ_as_their_names_say():
    records = peers.load_records()
    sizes = [records[name][0]["parameters"] for name in ("Transformer", "Bahdanau")]
    assert max(sizes) < 1.02 * min(sizes)
    for name in peers.TWINS:
        longer, base = peers.VARIANTS[name], peers.VARIANTS[name.split(",")[0]]
        assert longer.settings == base.settings
        assert peers.fit_config(longer).steps == peers.LONGER * peers.fit_config(base).steps
    whole = peers.VARIANTS["Transformer"]
    for name, variant in ablations.VARIANTS.items():
        changed = set(variant.settings.items()) - set(whole.settings.items())
        changes = len(changed) + (variant.warmup != whole.warmup)
        assert changes == (2 if "," in name else 1), name
        assert variant.times == whole.times


def test_head_maps_are_those_of_the_model_cut_to_the_words(small):
    model, world = small
    pairs = world.test[:3]
    maps = peers.head_maps(model, pairs, world)
    assert set(maps) == {(n, h) for n in range(2) for h in range(2)}
    for (layer, head), matrices in maps.items():
        for pair, matrix in zip(pairs, matrices, strict=True):
            alone = batch_of([pair], world.tokenizers)
            with torch.inference_mode():
                looks = model.attention_maps(alone.source, alone.source_mask, alone.target_in)
            torch.testing.assert_close(matrix, looks.cross[layer][0, head, : len(pair.target)])
    rates = peers.error_rates(model, world)
    assert len(rates["rows"]) == len(peers.SHIFTS)
    own = peers.head_error_rates(model, world.test[: peers.LINKED], world)
    assert rates["head"] == round(own[tuple(rates["which"])], 4)


def test_stations_hold_what_the_model_computes(small):
    model, world = small
    pair = world.test[0]
    stations = way.stations(model, world.tokenizers, pair)
    batch = batch_of([pair], world.tokenizers)
    by_name = {(station.side, station.name): station for station in stations}
    embedding = by_name["source", "embedding"]
    assert embedding.numbers == batch.source[0].tolist()
    embedded = math.sqrt(8) * model.source_embed.table.weight[batch.source[0]]
    torch.testing.assert_close(torch.tensor(embedding.leaving), embedded.detach())
    with torch.inference_mode():
        looks = model.attention_maps(batch.source, batch.source_mask, batch.target_in)
        logits = model(batch.source, batch.source_mask, batch.target_in).logits
        memory = model.encode(batch.source, batch.source_mask).encoded[0]
    cross = by_name["target", "2 cross-attention"].heads
    assert cross.reads == "source"
    torch.testing.assert_close(torch.tensor(cross.weights), looks.cross[1][0])
    masked = by_name["target", "1 self-attention"].heads
    torch.testing.assert_close(torch.tensor(masked.weights), looks.decoder[0][0])
    _, score, share = stations[-1].guesses[0][0]
    assert score == pytest.approx(logits[0, 0].max().item())
    assert share == pytest.approx(logits[0, 0].softmax(-1).max().item())
    # What leaves a station enters the next; what leaves the last of the source is the memory.
    for side in ("source", "target"):
        own = [station for station in stations if station.side == side]
        for below, above in pairwise(own):
            torch.testing.assert_close(torch.tensor(below.leaving), torch.tensor(above.entering))
    last = [station for station in stations if station.side == "source"][-1]
    torch.testing.assert_close(torch.tensor(last.leaving), memory)


@pytest.fixture(scope="module")
def stored():
    return in_page.load()


def test_the_table_of_the_page_is_what_the_network_writes(stored):
    source, target = in_page.SENTENCES[0]
    opening = in_page.written(source.split(), *stored)
    assert " ".join(opening.words) == target
    assert [row[0][0] for row in opening.next] == [*opening.words, "end"]
    html = in_page.translator({"Ball": "ball"})._repr_html_()
    assert html.count("<tr>") == 2 + len(opening.words)
