"""SNLI's archive, on a small one of the same format; the real one is not at hand."""

import json
import zipfile

from course_lib.data.corpora import snli
from course_lib.data.inference_pairs import InferencePair


def entry(label, **more):
    return json.dumps({"gold_label": label, "sentence1": "Two dogs.", "sentence2": "Pets.", **more})


def test_pairs_without_a_label_are_left_out(tmp_path):
    lines = [entry("neutral", pairID="1"), entry("-"), entry("contradiction")]
    path = tmp_path / "snli_1.0.zip"
    with zipfile.ZipFile(path, "w") as files:
        files.writestr("snli_1.0/snli_1.0_dev.jsonl", "\n".join(lines) + "\n")
    pairs = snli.read_pairs(path, "dev")
    assert pairs[0] == InferencePair("Two dogs.", "Pets.", "neutral")
    assert [pair.label for pair in pairs] == ["neutral", "contradiction"]
