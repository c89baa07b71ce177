"""One table of learning rates for all chapters."""

from course_lab.figures.still.by_rate import by_rate


def test_rates_stand_in_order_and_what_was_not_tried_is_a_dash():
    table = by_rate("Loss", {"GRU": {0.01: 0.5, 0.0025: 0.75}, "LSTM": {0.005: 0.25}}, digits=3)
    assert [line.split() for line in repr(table).splitlines()] == [
        ["Loss"],
        ["model", "0.0025", "0.005", "0.01"],
        ["GRU", "0.750", "–", "0.500"],
        ["LSTM", "–", "0.250", "–"],
    ]
