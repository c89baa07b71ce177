"""Four times the updates: which runs, how long they are, and what is stored of them."""

from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.seq2seq import longer, one_vector


def test_the_widths_are_the_two_ends_at_the_rates_of_the_shorter_runs():
    runs = longer.trials()
    widths = list(one_vector.WIDTHS)
    assert {run.variant for run in runs} == {widths[0], widths[-1]}
    assert Trial("width 32", 1, one_vector.RATE_OF["width 32"]) in runs
    assert len(set(runs)) == len(runs) == 2 * len(longer.SEEDS)


def test_every_lesson_is_four_times_as_long(monkeypatch):
    asked = []
    monkeypatch.setattr(
        one_vector, "fit", lambda model, batches, valid, config, progress: asked.append(config)
    )
    monkeypatch.setattr(one_vector, "record", lambda *_: {"nats": 0.5})
    assert longer.judged(Trial("width 32", 0, 2e-2)) == {"nats": 0.5, "times": 4}
    assert [config.steps for config in asked] == [4 * steps for _, _, steps in one_vector.LESSONS]
    assert {config.learning_rate for config in asked} == {2e-2}


def test_what_is_stored_is_of_these_runs_and_of_the_same_sentences():
    stored = load_stored(longer.STORED)
    assert {(e["variant"], e["seed"]) for e in stored} == {
        (run.variant, run.seed) for run in longer.trials()
    }
    assert {entry["times"] for entry in stored} == {longer.TIMES}
    for name in longer.WIDTHS:
        for mine, theirs in zip(
            one_vector.load_runs(name, longer.STORED), one_vector.load_runs(name), strict=True
        ):
            assert mine["parameters"] == theirs["parameters"]
            assert [b[:3] for b in mine["bins"]] == [b[:3] for b in theirs["bins"]]
