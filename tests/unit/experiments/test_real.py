"""Chapter 13: runs of the ladder, how captions are judged, and the shipped networks."""

import gzip
import json
import math
import tarfile
from pathlib import Path
from statistics import mean

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from course_lab.experiments.lab.page_net import load_net
from course_lab.experiments.real import (
    captions,
    encoder_heads,
    in_page,
    judge,
    ladder,
    lengths,
    links,
    networks,
    own,
    scores,
    train,
    verb_object,
)
from course_lab.experiments.real.captions import BOTH, TRAIN, Text, mark
from course_lab.experiments.real.rungs import RUNGS, Run
from course_lab.experiments.real.verb_object import AMONG, DIRECTIONS, DISTANCES, Pair
from course_lib.cli import commands
from course_lib.cli.parser import main
from course_lib.data.batch import EncodedPair, collate, encode_pairs
from course_lib.data.tokens.tokenizer import JointBPE
from course_lib.device import cpu_generator
from course_lib.evaluation.translate import translate
from course_lib.models.registry import build
from course_lib.models.transformer import Transformer, TransformerConfig
from course_lib.training.checkpoint import load_weights, read_tensors, weights_of
from tests.unit.experiments.conftest import ENGLISH, GERMAN

LADDER = Path(__file__).parents[3] / "book" / "results" / "ladder.json"


# Runs of the ladder


class Asked(Exception):
    """Raised in place of training: what `fit` was called with."""

    def __init__(self, model, train, valid, config, **rest):
        super().__init__()
        self.model, self.train, self.config, self.metric = model, train, config, rest["metric"]


@pytest.mark.parametrize("name", [name for name in RUNGS if name != "transformer-both"])
@pytest.mark.usefixtures("few_captions")
def test_the_command_line_trains_what_the_ladder_reports(name, monkeypatch, tmp_path):
    def refuse(*arguments, **named):
        raise Asked(*arguments, **named)

    rung = RUNGS[name]
    source, target = rung.direction.split("-")
    for module in (train, commands):
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


def test_a_run_leaves_its_record_its_weights_and_what_it_wrote(few_captions, tmp_path, monkeypatch):
    monkeypatch.setattr(judge, "_LONGEST", 12)
    train.make(Run("cho", 0), train.Limits(tmp_path, tiny=True))
    record = json.loads((tmp_path / "cho-0.json").read_text())
    assert (record["rung"], record["seed"], record["stopped"]) == ("cho", 0, "finished")
    assert record["steps"] == record["steps_planned"] == 12
    assert record["command"].endswith("--only rung=cho seed=0")
    # The stored weights give the stored translations and perplexity.
    tensors, about = read_tensors(tmp_path / "cho-0.safetensors")
    model = build(about["model"], about["model_config"])
    load_weights(model, {name: tensor.float() for name, tensor in tensors.items()}, "the file")
    joint = JointBPE.load(tmp_path / "cho-0.tokenizer.json")
    pairs = captions.sentences(Text("de-en", 250, False), "de-en", "val")
    written = json.loads(gzip.decompress((tmp_path / "cho-0.texts.json.gz").read_bytes()))
    assert judge.translations(model, pairs, joint, "greedy") == written["de-en"]["val"]["greedy"]
    perplexity = judge.forced_scores(model, pairs, joint)["perplexity"]
    assert perplexity == pytest.approx(record["scores"]["de-en"]["val"]["perplexity"], rel=0.01)


def record_of(run: Run) -> dict:
    about = {"rung": run.rung, "seed": run.seed, "parameters": 1, "training_seconds": 100.0}
    return about | {"valid_bleu": 30.0 + run.seed}


def test_the_best_on_the_validation_split_is_shipped_or_every_seed(tmp_path):
    folder, target = tmp_path / "runs", tmp_path / "kept"
    folder.mkdir()
    runs = [Run(rung, seed) for rung in ("transformer", "transformer-both") for seed in (0, 1)]
    records = {run: record_of(run) for run in [*runs, Run("cho", 0)]}
    for run in records:
        for ending in ("safetensors", "tokenizer.json", "texts.json.gz", "log"):
            (folder / f"{run.name}.{ending}").write_text(run.name)
    ladder.ship(records, folder, target)
    assert {path.name: path.read_text() for path in target.glob("*.safetensors")} == {
        "transformer.safetensors": "transformer-1",
        "transformer-both-0.safetensors": "transformer-both-0",
        "transformer-both-1.safetensors": "transformer-both-1",
    }
    with tarfile.open(target / "rest.tar.gz") as archive:
        names = archive.getnames()
    assert "transformer-1.tokenizer.json" in names
    assert "transformer-0.tokenizer.json" not in names


def test_a_stored_run_is_not_made_again(tmp_path, monkeypatch, capsys):
    file, folder, begun = tmp_path / "ladder.json", tmp_path / "runs", []
    ladder.write_results(file, {Run("cho", 0): record_of(Run("cho", 0))})

    def pretend(function, jobs, logs, **options):
        for run in jobs:
            begun.append(run)
            well = run.seed == 1
            if well:
                (logs / f"{run.name}.json").write_text(json.dumps(record_of(run)))
            yield run, well

    monkeypatch.setattr(ladder, "side_by_side", pretend)
    monkeypatch.setattr(ladder, "line", lambda record: record["rung"])
    ladder.main(["--file", str(file), "--folder", str(folder), "--only", "rung=cho"])
    assert begun == [Run("cho", 1), Run("cho", 2)]
    assert list(ladder.read_results(file)) == [Run("cho", 0), Run("cho", 1)]
    assert "cho-2 failed; see cho-2.log" in capsys.readouterr().out


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


# Judging captions


def test_a_network_for_both_directions_reads_the_language_from_one_token(few_captions):
    text = Text(BOTH, 90, lowercase=False)
    into_english, into_german = (captions.sentences(text, w, TRAIN)[0] for w in ("de-en", "en-de"))
    assert into_english == ("2en Ein Hund rennt.", "A dog runs.")
    assert into_german == ("2de A dog runs.", "Ein Hund rennt.")
    joint = captions.tokenizer(text)
    assert joint.encode("2en Ein Hund").tokens[0] == "▁2en"
    assert joint.encode("2de A dog").tokens[0] == "▁2de"
    assert len(captions.encoded(text, TRAIN)) == 18
    assert captions.source_lengths(text, "de-en", TRAIN)[:2] == [4, 7]


def pair_and_model():
    pairs = list(zip(GERMAN[:3], ENGLISH[:3], strict=True))
    joint = JointBPE.train([side for pair in pairs for side in pair], size=60, lowercase=False)
    sizes = {"source_vocabulary": len(joint), "target_vocabulary": len(joint)}
    model = build("cho", {"embedding": 8, "hidden": 8} | sizes, cpu_generator(0)).eval()
    return pairs, joint, model


def test_perplexity_is_shared_among_tokens_and_among_words():
    pairs, joint, model = pair_and_model()
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


def test_the_right_words_in_other_case_are_right_without_case_alone(monkeypatch):
    pairs, joint, model = pair_and_model()
    shouted = [target.upper() for _, target in pairs]
    monkeypatch.setattr(judge, "translations", lambda *a: shouted)
    judged, written = judge.judge(model, pairs, [4, 20, 4], joint, ["greedy"])
    greedy = judged["greedy"]
    assert greedy["bleu_lowercase"] == 100.0
    assert greedy["bleu"] < 50
    assert written == {"greedy": shouted}
    bins = [(b["from"], b["sentences"]) for b in greedy["by_length"]]
    assert bins == [(judge.EDGES[0], 2), (judge.EDGES[-2], 1)]


def test_neighbouring_captions_are_joined_and_the_rest_is_dropped():
    lines = ["A dog runs.", "Two men sleep .", "No stop", "A cat."]
    assert lengths.join(lines, 2, ".") == ["A dog runs. Two men sleep .", "No stop. A cat."]
    assert lengths.join(lines, 3, ",") == ["A dog runs, Two men sleep, No stop"]
    assert lengths.join(lines, 5, ".") == []


def test_captions_translated_apart_are_judged_by_the_same_references(few_captions, monkeypatch):
    right = dict(zip(GERMAN, ENGLISH, strict=True))
    monkeypatch.setattr(lengths, "_ENOUGH", 2)
    monkeypatch.setattr(
        lengths,
        "translations",
        lambda model, pairs, *rest: [right.get(source, "A dog.") for source, _ in pairs],
    )
    single, *joined = lengths.measure("bahdanau")
    assert (single["sentences"], single["whole"]) == (9, {"bleu": 100.0, "length_ratio": 1.0})
    assert [record["sentences"] for record in joined] == [4, 4, 3, 3]
    for record in joined:
        assert record["apart"]["bleu"] == 100
        assert record["whole"]["bleu"] < 20
        assert record["whole"]["length_ratio"] < 0.5


# Attention, links and heads


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


def test_the_mean_of_the_last_heads_is_the_networks_attention():
    network = networks.load("transformer-both")
    pairs = [("2en Ein Hund rennt.", "A dog is running.")]
    heads = links.head_maps(network.model, network.tokenizer, pairs)
    (attention,) = links.forced_attention(network.model, pairs, *network.tokenizers)
    last = torch.stack([maps[0] for maps in heads[12:]]).mean(0)
    assert (len(heads), attention.shape) == (16, (5, 6))
    torch.testing.assert_close(last, attention, atol=1e-5, rtol=0)


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


def test_a_look_at_the_mark_the_end_or_the_word_itself_can_be_left_out():
    # The mark, four words, the end mark: the verb is word 1 of the caption, its object word 3.
    looks = torch.zeros(2, 6, 6)
    looks[0, 2] = torch.tensor([0.5, 0.0, 0.3, 0.0, 0.2, 0.0])
    looks[1, 2] = torch.tensor([0.3, 0.1, 0.0, 0.0, 0.2, 0.4])
    looks[0, 4] = torch.tensor([0.0, 0.0, 0.6, 0.0, 0.3, 0.1])
    looks[1, 4] = torch.tensor([0.0, 0.4, 0.2, 0.1, 0.0, 0.3])
    hits = {
        key: verb_object.hits([looks], [Pair(0, 1, 3)], *key)[:, 0].tolist()
        for key in ((direction, among) for direction in DIRECTIONS for among in AMONG)
    }
    assert hits["verb to object", "all"] == [False, False]
    assert hits["verb to object", "other words"] == [True, True]
    assert hits["object to verb", "all"] == [True, False]
    assert hits["object to verb", "other words"] == [True, False]


def test_the_second_half_is_judged_by_the_choice_of_the_first():
    heads = np.array([[1, 1, 1, 0, 0, 1], [1, 0, 0, 1, 1, 1]], dtype=bool)
    fixed = np.zeros((len(DISTANCES), 6), dtype=bool)
    fixed[DISTANCES.index(2)] = [1, 1, 0, 0, 1, 1]
    compared = verb_object.compare(heads, fixed)
    assert (compared["head"], compared["distance"]) == (0, 2)
    half = compared["second_half"]
    assert (half["right"], half["distance_right"], half["elsewhere"]) == (0.333, 0.667, [0, 1])
    low, high = half["difference"]
    assert low < -1 / 3 < high
    # The second half would choose the other head, which is right once on the first half.
    assert (compared["head_of_second_half"], compared["every_head"]) == (1, [0.333, 1.0])
    both = compared["both_halves"]
    assert (both["right"], both["distance_right"]) == (round(2 / 6, 3), round(4 / 6, 3))


def test_the_stored_comparisons_fit_the_stored_captions_and_heads():
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
    stored = encoder_heads.load()
    grid = [(n, h) for n in range(4) for h in range(4)]
    assert [(one["layer"], one["head"]) for one in stored] == grid
    compared = records[asked.index(("object to verb", "all"))]
    best = max(range(16), key=lambda n: stored[n]["found"])
    assert best == compared["head"]
    assert stored[best]["found"] == compared["both_halves"]["right"]


def test_negations_and_objects_that_come_first_are_counted():
    lines = [
        "Ein Mann, der kein Hemd trägt.",
        "Niemand sitzt da, und nicht einmal ein Hund.",
        "Den Mann beißt der Hund.",
        "Einen Ball fängt der Hund nicht.",
        "Ein keiner Niete.",
        "Denise lacht, dem Nichts nahe.",
    ]
    assert own.counts(lines) == {"captions": 6, "negation": 4, "object first": 2}


def test_stored_links_lie_within_the_sentences_and_hold_what_the_chapter_names():
    stored = own.load()["pairs"]
    assert [(one["german"], one["english"]) for one in stored] == list(own.PAIRS)
    tokenizer, named = networks.load("bahdanau").tokenizer, set()
    for one in stored:
        german, english = (tokenizer.encode(one[side]).words for side in ("german", "english"))
        pairs = [*map(tuple, one["sure"]), *map(tuple, one["possible"])]
        assert len(pairs) == len(set(pairs))
        named |= {(german[j], english[i]) for j, i in pairs}
    assert {("wirft", "throws"), ("Schnee", "snow")} <= named


# The shipped networks


@pytest.mark.parametrize("name", networks.NAMES)
def test_each_network_has_a_card_and_is_small(name):
    assert (networks.FOLDER / f"{name}.safetensors").stat().st_size < 8_000_000
    card = (networks.FOLDER / f"{name}.md").read_text(encoding="utf-8")
    about = networks.load(name).about
    assert about["command"] in card
    assert f"{about['parameters']:,} parameters" in card
    assert all(f"{score:.1f} after" in card for score in about["packed"].values())


def test_the_mark_decides_the_language():
    network = networks.load("transformer-both")
    asked = {"en": "Ein Mann fährt Fahrrad.", "de": "A man is riding a bike."}
    sources = [f"{mark(language)} {text}" for language, text in asked.items()]
    english, german = translate(network.model, sources, *network.tokenizers)
    assert english.text.split()[:2] == ["A", "man"]
    assert german.text.split()[:2] == ["Ein", "Mann"]


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
