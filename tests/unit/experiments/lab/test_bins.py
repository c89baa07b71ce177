"""The record of counts by length: written and read in one place."""

import json

from course_lab.experiments.lab.bins import LengthCounts, counts_of, with_counts
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
