"""The run on real captions: which command, what is kept, what is stored."""

import json

from course_lab.experiments.bahdanau import captions
from course_lab.experiments.lab import records
from course_lab.experiments.lab.experiment import main
from course_lib.cli.parser import make_parser


def test_a_record_says_how_it_was_scored_and_how_long_it_took(monkeypatch, tmp_path):
    scores = {"bleu": 33.0, "signature": "13a", "sentences": 1000, "perplexity": 7.0}
    size = {"parameters": 3, "updates": 7}

    def pretend(train, *, seed):
        assert (train[0], seed) == ("bahdanau", 1)
        return {**scores, **size, "training_minutes": 6.5, "split": "test_2016_flickr"}

    monkeypatch.setattr(captions, "scores_of", pretend)
    monkeypatch.setattr(records, "side_by_side", map)
    file = tmp_path / "captions.json"
    main(["bahdanau/captions", "--file", str(file), "--only", "seed=1"], captions.EXPERIMENTS)
    kept = {"model": "bahdanau", "seed": 1, **scores, **size, "minutes": 6.5}
    assert json.loads(file.read_text()) == [kept]


def test_the_command_is_one_and_its_seeds_are_stored():
    options = make_parser().parse_args(["train", *captions.COMMAND.split()])
    assert (options.model, options.data) == ("bahdanau", "multi30k")
    found = captions.load_scores()
    assert tuple(record["seed"] for record in found) == captions.SEEDS
    alike = ("signature", "sentences", "parameters", "updates")
    assert len({tuple(record[name] for name in alike) for record in found}) == 1
    assert found[0]["sentences"] == 1000
