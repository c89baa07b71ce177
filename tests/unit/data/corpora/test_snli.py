"""SNLI's archive, on a small one of the same format; the real one is not at hand."""

import json
import zipfile

import pytest

from course_lib.data.corpora import snli
from course_lib.data.inference_pairs import InferencePair
from course_lib.errors import CourseError


def entry(label, **more):
    return json.dumps({"gold_label": label, "sentence1": "Two dogs.", "sentence2": "Pets.", **more})


@pytest.fixture
def archive(tmp_path):
    def make(lines, split="dev"):
        path = tmp_path / "snli_1.0.zip"
        with zipfile.ZipFile(path, "w") as files:
            files.writestr(f"snli_1.0/snli_1.0_{split}.jsonl", "\n".join(lines) + "\n")
        return path

    return make


def test_pairs_without_a_label_are_left_out(archive):
    path = archive([entry("neutral", pairID="1"), entry("-"), entry("contradiction")])
    found = snli.read_pairs(path, "dev")
    assert found[0] == InferencePair("Two dogs.", "Pets.", "neutral")
    assert [pair.label for pair in found] == ["neutral", "contradiction"]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([entry("perhaps")], "line 1: want a label, one of"),
        ([entry("neutral"), "{"], "line 2: want JSON"),
        (['{"gold_label": "neutral"}'], "line 1: want JSON"),
        (["3"], "line 1: want JSON"),
        ([entry("neutral", sentence1=None)], "line 1: want JSON"),
        ([entry("neutral", sentence2=["Pets."])], "line 1: want JSON"),
        ([entry(["neutral"])], "line 1: want JSON"),
    ],
)
def test_another_line_is_told(lines, words, archive):
    with pytest.raises(CourseError, match=words):
        snli.read_pairs(archive(lines), "dev")
