"""The captions as text in one direction or both, and what a split is judged by."""

import math

import pytest
import torch
import torch.nn.functional as F

from course_lab.experiments.real import captions
from course_lab.experiments.real.captions import BOTH, TRAIN, Text
from course_lab.experiments.real.judge import EDGES, judge
from course_lib.data.batch import collate, encode_pairs
from course_lib.data.tokens.tokenizer import JointBPE
from course_lib.device import cpu_generator
from course_lib.models.registry import build
from tests.unit.experiments.real.conftest import ENGLISH, GERMAN


def test_a_network_for_both_is_told_the_language_by_one_token(few):
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
    scores, _ = judge(model, pairs, [4, 7, 4], joint, [])
    nats, tokens = 0.0, 0
    for pair in pairs:
        batch = collate(encode_pairs([pair], joint, joint), [0])
        with torch.no_grad():
            logits = model(batch.source, batch.source_mask, batch.target_in).logits
        nats += float(F.cross_entropy(logits[0], batch.target_out[0], reduction="sum"))
        tokens += batch.tokens
    words = (4 + 1) + (7 + 1) + (4 + 1)
    assert scores["perplexity"] == pytest.approx(math.exp(nats / tokens), abs=1e-3)
    assert scores["perplexity_per_word"] == pytest.approx(math.exp(nats / words), rel=1e-4)
    assert tokens > words


def test_the_right_words_in_other_case_are_right_without_case_alone(monkeypatch):
    pairs, joint, model = pair_and_model()
    shouted = [target.upper() for _, target in pairs]
    monkeypatch.setattr("course_lab.experiments.real.judge.translations", lambda *a: shouted)
    scores, written = judge(model, pairs, [4, 20, 4], joint, ["greedy"])
    found = scores["greedy"]
    assert found["bleu_lowercase"] == 100.0
    assert found["bleu"] < 50
    assert written == {"greedy": shouted}
    bins = found["by_length"]
    assert [(b["from"], b["sentences"]) for b in bins] == [(EDGES[0], 2), (EDGES[-2], 1)]
    assert bins[0]["bleu"] == 100.0
    assert ["lc" in signature for signature in found["signatures"]] == [False, True, False]
