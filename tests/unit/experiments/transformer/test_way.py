"""One sentence's way: its stations hold what the model computes there."""

import math
from itertools import pairwise

import pytest
import torch

from course_lab.experiments.lab.world import batch_of
from course_lab.experiments.transformer import in_page, peers, way
from course_lib.device import cpu_generator
from course_lib.models.transformer import Transformer, TransformerConfig


@pytest.fixture(scope="module")
def small():
    world = peers.make_world(60, 24)
    config = TransformerConfig(*map(len, world.tokenizers), width=8, heads=2, layers=2)
    return Transformer(config, cpu_generator(0)).eval(), world


def test_the_streams_grow_by_what_each_sub_layer_finds(small):
    model, world = small
    batch = batch_of(world.test[:1], world.tokenizers)
    found = way.way_of(model, batch)
    streams = {
        name.removesuffix(".norm"): torch.tensor(stream)[None]
        for name, stream in found.entered.items()
        if name.endswith("norm")
    }
    with torch.inference_mode():
        layer = model.encoder[1]
        before = streams["encoder.1.around_self"]
        read = layer.self_attention(layer.around_self.norm(before)).context
        after = before + read
        torch.testing.assert_close(streams["encoder.1.around_feed_forward"], after)
        thought = layer.feed_forward(layer.around_feed_forward.norm(after))
        torch.testing.assert_close(streams["encoder_norm"], after + thought)
        memory = model.encode(batch.source, batch.source_mask).encoded
        torch.testing.assert_close(model.encoder_norm(streams["encoder_norm"]), memory)
    assert not any(part._forward_hooks for part in model.modules())


def test_stations_hold_what_the_model_computes(small):
    model, world = small
    pair = world.test[0]
    stations = way.stations(model, world.tokenizers, pair)
    batch = batch_of([pair], world.tokenizers)
    by_name = {(station.side, station.name): station for station in stations}
    assert [station.side for station in stations].index("target") == 7
    embedding = by_name["source", "embedding"]
    assert embedding.numbers == batch.source[0].tolist()
    embedded = math.sqrt(8) * model.source_embed.table.weight[batch.source[0]]
    torch.testing.assert_close(torch.tensor(embedding.leaving), embedded.detach())
    with torch.inference_mode():
        looks = model.attention_maps(batch.source, batch.source_mask, batch.target_in)
        out = model(batch.source, batch.source_mask, batch.target_in)
    cross = by_name["target", "2 cross-attention"].heads
    assert cross.reads == "source"
    torch.testing.assert_close(torch.tensor(cross.weights), looks.cross[1][0])
    masked = by_name["target", "1 self-attention"].heads
    assert masked.hides
    torch.testing.assert_close(torch.tensor(masked.weights), looks.decoder[0][0])
    assert stations[-1].name == "words"
    _, score, share = stations[-1].guesses[0][0]
    assert score == pytest.approx(out.logits[0, 0].max().item())
    assert share == pytest.approx(out.logits[0, 0].softmax(-1).max().item())


def test_what_leaves_a_station_comes_in_at_the_next(small):
    model, world = small
    stations = way.stations(model, world.tokenizers, world.test[0])
    for side, count in (("source", 7), ("target", 10)):
        own = [station for station in stations if station.side == side]
        assert len(own) == count
        for below, above in pairwise(own):
            torch.testing.assert_close(torch.tensor(below.leaving), torch.tensor(above.entering))
    # The last of the source is the memory.
    batch = batch_of([world.test[0]], world.tokenizers)
    with torch.inference_mode():
        memory = model.encode(batch.source, batch.source_mask).encoded[0]
    torch.testing.assert_close(
        torch.tensor([s for s in stations if s.side == "source"][-1].leaving), memory
    )


def test_the_heads_of_a_station_attend_as_the_formula_says(small):
    model, world = small
    for station in way.stations(model, world.tokenizers, world.test[0]):
        if station.heads is None:
            continue
        heads = {
            name: torch.tensor(getattr(station.heads, name))
            for name in ("queries", "keys", "scores", "weights", "values", "read")
        }
        scores = heads["queries"] @ heads["keys"].mT / math.sqrt(4)
        torch.testing.assert_close(scores, heads["scores"])
        if station.heads.hides:
            later = torch.ones_like(scores[0], dtype=torch.bool).triu(1)
            scores = scores.masked_fill(later, -torch.inf)
        weights = scores.softmax(-1)
        torch.testing.assert_close(weights, heads["weights"])
        torch.testing.assert_close(weights @ heads["values"], heads["read"])


def test_the_stored_network_translates_and_its_figure_opens_on_a_look():
    figure = in_page.show({"Buch": "book"})
    assert "Open at “2 self-attention”" in figure.alt
    assert "reads most: “who”" in figure.alt
