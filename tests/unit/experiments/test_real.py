"""Chapter 13: runs of the ladder, how captions are judged, and the shipped networks."""

import json
import math
from pathlib import Path
from statistics import mean

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from course_lab.experiments.lab.page_net import load_net
from course_lab.experiments.real import (
    encoder_heads,
    in_page,
    judge,
    links,
    networks,
    scores,
    train,
    verb_object,
)
from course_lab.experiments.real.rungs import RUNGS, Run
from course_lab.experiments.real.verb_object import AMONG, DIRECTIONS, DISTANCES
from course_lib.cli import train as train_command
from course_lib.cli.main import main
from course_lib.data.batch import EncodedPair, collate, encode_pairs
from course_lib.data.tokens.tokenizer import JointBPE
from course_lib.device import cpu_generator
from course_lib.models.registry import build
from course_lib.models.transformer import Transformer, TransformerConfig
from course_lib.training.checkpoint import weights_of
from tests.unit.experiments.conftest import ENGLISH, GERMAN

LADDER = Path(__file__).parents[3] / "book" / "results" / "ladder.json"


class Asked(Exception):
    """Raised in place of training: what `fit` was called with."""

    def __init__(self, model, train, valid, config, **rest):
        super().__init__()
        self.model, self.train, self.config, self.metric = model, train, config, rest["metric"]


@pytest.mark.parametrize("name", sorted(RUNGS.keys() - {"transformer-both", "transformer-en-de"}))
@pytest.mark.usefixtures("few_captions")
def test_the_command_line_trains_what_the_ladder_reports(name, monkeypatch, tmp_path):
    def refuse(*arguments, **named):
        raise Asked(*arguments, **named)

    rung = RUNGS[name]
    source, target = rung.direction.split("-")
    for module in (train, train_command):
        monkeypatch.setattr(module, "fit", refuse)
    with pytest.raises(Asked) as reported:
        train.train(Run(name, 1), rung, train.Limits(tmp_path / "ladder"))
    command = ["train", rung.model, "--data", "multi30k", "--source", source, "--target", target]
    with pytest.raises(Asked) as trained:
        main([*command, "--seed", "1", "--run", str(tmp_path / "run")])
    wanted, asked = reported.value, trained.value
    assert asked.config == wanted.config
    assert asked.model.config == wanted.model.config
    weights = weights_of(asked.model)
    assert all(torch.equal(weights[k], tensor) for k, tensor in weights_of(wanted.model).items())
    for one, other in zip(asked.train.epoch(0), wanted.train.epoch(0), strict=True):
        assert torch.equal(one.source, other.source)
        assert torch.equal(one.target_out, other.target_out)
    assert [asked.metric.keywords["pairs"]] == wanted.metric.keywords["pairs"]


def test_the_scores_of_the_chapter_are_those_of_the_ladder():
    assert scores.load() == scores.rows(json.loads(LADDER.read_text(encoding="utf-8")))
    judged = {row["rung"]: row for row in scores.load()}
    assert set(judged) == set(RUNGS)
    # The chapter's order, by either search; attention is worth ten points.
    for search in ("greedy", "beam5"):
        order = [
            mean(judged[rung][search])
            for rung in ("sutskever", "cho", "lstmn", "luong", "bahdanau", "transformer")
        ]
        assert order == sorted(order)
        assert order[4] > order[1] + 10


def test_perplexity_is_shared_among_tokens_and_among_words():
    pairs = list(zip(GERMAN[:3], ENGLISH[:3], strict=True))
    joint = JointBPE.train([side for pair in pairs for side in pair], size=60, lowercase=False)
    sizes = {"source_vocabulary": len(joint), "target_vocabulary": len(joint)}
    model = build("cho", {"embedding": 8, "hidden": 8} | sizes, cpu_generator(0)).eval()
    judged, _ = judge.judge(model, pairs, [4, 7, 4], joint, [])
    nats, tokens = 0.0, 0
    for pair in pairs:
        batch = collate(encode_pairs([pair], joint, joint), [0])
        with torch.no_grad():
            logits = model(batch.source, batch.source_mask, batch.target_in).logits
        nats += float(F.cross_entropy(logits[0], batch.target_out[0], reduction="sum"))
        tokens += batch.tokens
    words = (4 + 1) + (7 + 1) + (4 + 1)
    assert judged["perplexity"] == pytest.approx(math.exp(nats / tokens), abs=1e-3)
    assert judged["perplexity_per_word"] == pytest.approx(math.exp(nats / words), rel=1e-4)


def test_agreement_counts_the_content_words_that_model_1_links():
    assert links.content(["The", "dog", "'", "is", "running", "2", "."]) == [1, 4]
    words = (["ein", "kleiner", "hund", "rennt", "."], ["a", "small", "dog", "is", "running", "."])
    model_1 = {(0, 0), (1, 1), (2, 2), (4, 5)}
    attention = {(0, 0), (1, 1), (3, 2), (3, 4), (4, 5)}
    assert links.agreement([attention, set()], [model_1, {(2, 2)}], [words, words]) == (1, 3)


def test_attention_on_a_mark_or_the_end_makes_no_link():
    # Three English words; columns: the language mark, two German words, the end mark.
    weights = torch.tensor([[0.1, 0.6, 0.2, 0.1], [0.5, 0.2, 0.3, 0.0], [0.0, 0.1, 0.7, 0.2]])
    assert links.attention_links([weights], 0, 1) == [{(0, 0), (1, 2)}]
    assert links.attention_links([weights], 1, 1) == [{(1, 1)}]
    assert links.attention_links([torch.tensor([[0.0, 0.1, 0.2, 0.7]])], 0, 1) == [set()]


PAIRS = [EncodedPair([5, 6, 2], [7, 8, 9]), EncodedPair([10, 11, 12, 13, 2], [14])]


def test_a_silenced_encoder_head_reads_its_mean_and_nothing_is_left_changed():
    config = TransformerConfig(20, 20, width=12, heads=2, layers=2, feed_forward=24)
    model = Transformer(config, cpu_generator(0)).eval()
    batches = [collate(PAIRS, [0, 1])]
    reads = encoder_heads.mean_reads(model, batches)
    apart = [collate([pair], [0]) for pair in PAIRS]  # without padding
    torch.testing.assert_close(reads, encoder_heads.mean_reads(model, apart))
    whole = encoder_heads.nats(model, batches)
    lost = encoder_heads.lost(model, batches, reads)
    assert encoder_heads.nats(model, batches) == whole
    attention = model.encoder[1].self_attention
    columns = attention.columns(1)
    with torch.no_grad():
        attention.output.bias += attention.output.weight[:, columns] @ reads[1, columns]
        attention.output.weight[:, columns] = 0
    wanted = encoder_heads.nats(model, batches) - whole
    assert lost[1, 1].item() == pytest.approx(wanted, abs=1e-5)
    assert abs(wanted) > 1e-4


def test_the_stored_comparisons_fit_the_stored_captions():
    pairs, records = verb_object.pairs(), verb_object.load()
    assert len({pair.caption for pair in pairs}) == len(pairs) == 200
    asked = [(record["direction"], record["among"]) for record in records]
    assert asked == [(direction, among) for direction in DIRECTIONS for among in AMONG]
    for record in records:
        fixed = verb_object.at_distance(pairs[100:], record["direction"])
        half = record["second_half"]
        assert half["distance_right"] == fixed[DISTANCES.index(record["distance"])].mean()
        assert half["right"] == record["every_head"][record["head"]]
        assert max(record["untrained"]) < half["right"] - 0.1


@pytest.mark.parametrize("name", networks.NAMES)
def test_each_network_has_a_card_and_is_small(name):
    assert (networks.FOLDER / f"{name}.safetensors").stat().st_size < 8_000_000
    card = (networks.FOLDER / f"{name}.md").read_text(encoding="utf-8")
    about = networks.load(name).about
    assert about["command"] in card
    assert f"{about['parameters']:,} parameters" in card
    assert all(f"{score:.1f} after" in card for score in about["packed"].values())


def test_the_page_shows_what_its_network_gives(tmp_path):
    made, stored = in_page.made(), in_page.stored()
    assert made._replace(rows=[]) == stored._replace(rows=[])
    np.testing.assert_allclose(made.rows, stored.rows, atol=2e-3)
    path = tmp_path / "net.safetensors"
    path.write_bytes(in_page.in_one_file())
    tensors, _ = load_net(networks.FOLDER / f"{in_page.NAME}.safetensors")
    of_page, told = load_net(path)
    assert set(of_page) == set(tensors)
    assert all((of_page[name] == tensors[name]).all() for name in tensors)
    assert len(told["tokens"]) == len(networks.load(in_page.NAME).tokenizer)
