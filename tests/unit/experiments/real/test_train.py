"""One run from end to end, as small as can be: what it leaves, and that its weights say so."""

import gzip
import json

import pytest

from course_lab.experiments.real import captions, judge, train
from course_lab.experiments.real.rungs import Run
from course_lib.data.tokens.tokenizer import JointBPE
from course_lib.models.registry import build
from course_lib.training.checkpoint import load_weights, read_tensors

RUN = Run("cho", 0)


@pytest.fixture
def made(few, tmp_path, monkeypatch):
    monkeypatch.setattr(judge, "_LONGEST", 12)
    train.make(RUN, train.Limits(tmp_path, tiny=True, side_by_side=3))
    return tmp_path


def test_a_run_leaves_its_record_its_weights_and_what_it_wrote(made):
    record = json.loads((made / "cho-0.json").read_text())
    assert (record["rung"], record["seed"], record["stopped"]) == ("cho", 0, "finished")
    assert record["steps"] == record["steps_planned"] == 12
    assert [row[0] for row in record["curve"]] == [6, 12]
    assert record["side_by_side"] == 3
    assert record["command"].endswith("--only rung=cho seed=0")
    scores = record["scores"]["de-en"]
    assert set(scores) == {"val", *captions.TESTS}
    assert set(scores["val"]) & set(judge.SEARCHES) == {"greedy"}
    assert len(record["signatures"]) == 3

    tensors, about = read_tensors(made / "cho-0.safetensors")
    model = build(about["model"], about["model_config"])
    load_weights(model, {name: tensor.float() for name, tensor in tensors.items()}, "the file")
    joint = JointBPE.load(made / "cho-0.tokenizer.json")
    text = captions.Text("de-en", 250, False)
    pairs = captions.sentences(text, "de-en", "val")
    written = json.loads(gzip.decompress((made / "cho-0.texts.json.gz").read_bytes()))
    assert judge.translations(model, pairs, joint, "greedy") == written["de-en"]["val"]["greedy"]
    found = judge.forced_scores(model, pairs, joint)
    assert found["perplexity"] == pytest.approx(scores["val"]["perplexity"], rel=0.01)
