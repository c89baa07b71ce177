"""The real path, a fixed number of updates: train on Multi30k, score, translate, align.

Where the data is absent it is skipped, and says so.
"""

import json

import pytest

from course_lib.cli.main import main
from tests.real.captions import require_multi30k


@pytest.fixture(scope="module", autouse=True)
def multi30k_present():
    require_multi30k()


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A small Bahdanau after 60 updates on the real 29,000 pairs, a thirtieth of its training."""
    folder = tmp_path_factory.mktemp("real") / "run"
    arguments = ["train", "bahdanau", "--data", "multi30k", "--source", "de", "--target", "en"]
    small = ["--hidden", "128", "--vocabulary", "3000", "--steps", "60"]
    assert main([*arguments, *small, "--run", str(folder)]) == 0
    return folder


def test_60_updates_translate_something(trained, tmp_path, capsys):
    """An untrained model scores below 0.1 BLEU; 3.2 and a perplexity of 90 were measured."""
    scores = tmp_path / "scores.json"
    assert main(["evaluate", str(trained), "--json", str(scores)]) == 0
    found = json.loads(scores.read_text())
    assert found["split"] == "test_2016_flickr"
    assert found["sentences"] == 1000
    assert "case:mixed" in found["signature"]
    assert found["bleu"] > 1
    assert found["perplexity"] < 200


def test_a_sentence_typed_by_hand_is_translated_and_aligned(trained, tmp_path, capsys):
    picture = tmp_path / "map.png"
    sentence = "Ein Mann fährt mit dem Fahrrad durch die Stadt."
    assert main(["translate", str(trained), sentence]) == 0
    assert capsys.readouterr().out.split()[:2] == ["A", "man"]
    assert main(["align", str(trained), sentence, "--figure", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
