"""Both orders with four times the updates: which runs, how long they are, what is stored."""

from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.seq2seq import ends_longer, one_vector, which_end


def test_every_lesson_is_four_times_as_long(monkeypatch):
    asked = []
    monkeypatch.setattr(
        one_vector, "fit", lambda model, batches, valid, config, progress: asked.append(config)
    )
    monkeypatch.setattr(which_end, "by_fifths", lambda *_: {"source": [], "target": []})
    monkeypatch.setattr(which_end, "length_bins", lambda *_: [])
    found = ends_longer.judged(Trial("backwards", 0, 2e-2))
    assert (found["variant"], found["times"]) == ("backwards", 4)
    assert [config.steps for config in asked] == [4 * steps for _, _, steps in one_vector.LESSONS]


def test_what_is_stored_is_of_both_orders_and_of_the_same_words():
    stored, shorter = load_stored(ends_longer.STORED), load_stored(which_end.STORED)
    runs = {(run.variant, run.seed) for run in which_end.trials()}
    assert {(entry["variant"], entry["seed"]) for entry in stored} == runs
    assert {entry["times"] for entry in stored} == {ends_longer.TIMES}
    for mine, theirs in zip(stored, shorter, strict=True):
        for side in which_end.SIDES:
            assert [of for _, of in mine[side]] == [of for _, of in theirs[side]]


def test_its_gains_are_read_as_those_of_the_shorter_runs():
    longer = which_end.removed("source", ends_longer.STORED)
    assert len(longer) == len(which_end.SEEDS)
    assert longer != which_end.removed("source")
