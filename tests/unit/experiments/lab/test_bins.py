"""The record of counts by length: written and read in one place."""

import json
import math

import pytest

from course_lab.experiments.bahdanau import bottleneck
from course_lab.experiments.lab.bins import LengthCounts, counts_of, together, with_counts
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.seq2seq import one_vector, pretraining
from course_lib.evaluation.length import exact_match_by_length


def test_counts_go_to_json_and_back():
    lengths, wrote = [3, 3, 3, 12], ["a", "b", "a", "c"]
    bins = exact_match_by_length(lengths, wrote, ["a", "a", "a", "c"], edges=(3, 10, 20, 30))
    counts = counts_of(bins)
    assert counts == [(3, 9, 3, 2), (10, 19, 1, 1), (20, 29, 0, 0)]
    written = json.dumps({"seed": 0, "bins": counts})
    assert written == '{"seed": 0, "bins": [[3, 9, 3, 2], [10, 19, 1, 1], [20, 29, 0, 0]]}'
    read = with_counts(json.loads(written))
    assert read == {"seed": 0, "bins": counts}
    assert all(type(entry) is LengthCounts for entry in read["bins"])


def test_rates():
    one, two = LengthCounts(3, 9, 3, 2), LengthCounts(10, 19, 1, 1)
    assert one.rate == pytest.approx(2 / 3)
    assert together([one, two]) == (3, 19, 4, 3)
    assert math.isnan(LengthCounts(20, 29, 0, 0).rate)


def test_what_chapters_read_is_what_is_stored():
    first = load_stored(bottleneck.STORED)[0]
    *_, count, exact = first["bins"][0]
    assert bottleneck.load_curves()[first["model"]][0][0] == exact / count
    run = one_vector.load_runs("width 32")[0]
    assert run["bins"][0].rate == one_vector.load_exact("width 32", *run["bins"][0][:2])[0]
    everything = pretraining.load_rates()["scratch"]
    counts = [with_counts(e)["bins"] for e in load_stored(pretraining.STORED)]
    assert everything[0] in [together(bins).rate for bins in counts]
