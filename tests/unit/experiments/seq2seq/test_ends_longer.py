"""Both orders with four times the updates: which runs, how long they are, what is stored."""

from course_lab.experiments.lab.rates import Trial
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
