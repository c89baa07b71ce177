"""One sentence's way: its stations hold what the model computes there."""

import math

import pytest
import torch

from course_lib.device import cpu_generator
from course_lib.experiments.lab.world import batch_of
from course_lib.experiments.transformer import in_page, peers, way
from course_lib.models.transformer import Transformer, TransformerConfig

READS = ("course_lib/experiments/transformer", "course_lib/figures/touch")


@pytest.fixture(scope="module")
def small():
    world = peers.make_world(60, 24)
    config = TransformerConfig(*map(len, world.tokenizers), width=8, heads=2, layers=2)
    return Transformer(config, cpu_generator(0)).eval(), world


def test_the_streams_grow_by_what_each_sub_layer_finds(small):
    model, world = small
    batch = batch_of(world.test[:1], world.tokenizers)
    found = way.way_of(model, batch)
    streams = {name: torch.tensor(stream)[None] for name, stream in found.streams.items()}
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
    assert not any(part._forward_pre_hooks for part in model.modules())


def test_stations_hold_what_the_model_computes(small):
    model, world = small
    pair = world.test[0]
    stations = way.stations(model, world.tokenizers, pair)
    batch = batch_of([pair], world.tokenizers)
    names = [(station.side, station.name) for station in stations]
    assert names.index(("target", "token")) == 8
    assert names[-1] == ("target", "words")
    embedded = math.sqrt(8) * model.source_embed.table.weight[batch.source[0]]
    torch.testing.assert_close(torch.tensor(stations[1].vectors), embedded.detach())
    with torch.inference_mode():
        looks = model.looks(batch.source, batch.source_mask, batch.target_in)
        out = model(batch.source, batch.source_mask, batch.target_in)
    cross = stations[names.index(("target", "2 cross-attention"))]
    assert cross.reads == "source"
    torch.testing.assert_close(torch.tensor(cross.weights), looks.cross[1][0])
    masked = stations[names.index(("target", "1 self-attention"))]
    torch.testing.assert_close(torch.tensor(masked.weights), looks.decoder[0][0])
    found = way.way_of(model, batch)
    left = torch.tensor(found.streams["decoder.0.around_cross"])
    own = stations[names.index(("target", "1 self-attention"))]
    torch.testing.assert_close(torch.tensor(own.vectors), left)
    share = out.logits[0, 0].softmax(-1).max().item()
    assert stations[-1].guesses[0][0][1] == pytest.approx(share)


def test_norms_behind_their_sub_layers_are_refused(small):
    _, world = small
    config = TransformerConfig(*map(len, world.tokenizers), width=8, heads=2, norm="post")
    with pytest.raises(ValueError, match="pre"):
        way.way_of(Transformer(config), batch_of(world.test[:1], world.tokenizers))


def test_the_network_is_kept_in_half_precision(small, tmp_path, monkeypatch):
    model, world = small
    settings = {"width": 8, "heads": 2, "layers": 2}
    monkeypatch.setattr(peers, "TRANSFORMER", settings)
    in_page.save_to(tmp_path / "one", in_page.InPage(model, world.tokenizers))
    again = in_page.load(tmp_path / "one")
    for name, weight in model.state_dict().items():
        torch.testing.assert_close(again.model.state_dict()[name], weight.half().float())
    words = [world.tokenizers[1].decode([i]) for i in range(4, len(world.tokenizers[1]))]
    assert words == [again.tokenizers[1].decode([i]) for i in range(4, len(again.tokenizers[1]))]
    in_page.save_to(tmp_path / "two", again)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_stored_network_translates_and_its_figure_opens_on_a_look():
    figure = in_page.show()
    assert "Open at “2 cross-attention”" in figure.alt
    assert "reads most: “" in figure.alt
