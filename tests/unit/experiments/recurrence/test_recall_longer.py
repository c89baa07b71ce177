"""Four times the updates until recall: which runs, how long they are, and what is stored."""

from course_lab.experiments.recurrence import recall, recall_longer
from course_lab.experiments.recurrence.recall import SEEDS, Setting, Trained


def test_every_net_has_four_times_the_updates_at_the_rate_that_was_chosen(monkeypatch):
    asked = []

    def train(*setting, seeds, updates):
        asked.append((setting, seeds, updates))
        return Trained({}, [50, None])

    monkeypatch.setattr(recall, "train", train)
    setting = Setting("LSTM", 20, recall.better_rate("LSTM", 20))
    assert setting in recall_longer.settings()
    assert recall_longer.record(setting) == {**setting._asdict(), "updates": [50, None]}
    assert asked == [((*setting,), SEEDS, 4 * recall.UPDATES)]


def test_who_is_late_counts_only_with_more_time():
    late = recall_longer.recalled("LSTM") - recall_longer.recalled("LSTM", recall.UPDATES)
    assert late > 0
    within = recall_longer.recalled("tanh", recall.UPDATES)
    assert within / len(SEEDS) == recall.share_recalled("tanh", recall_longer.DISTANCE)
