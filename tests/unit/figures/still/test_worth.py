"""Weight beside worth: two panels of dots, and words that say the same."""

from course_lab.figures.still.worth import Worth, weight_and_worth

ROWS = {"king": Worth([0.0, 0.25, 0.5], [1.0, 0.75, 1.0]), "place": Worth([0.5], [0.9])}


def test_it_draws_each_seed_on_the_row_of_its_name():
    picture = weight_and_worth(ROWS)
    left, right = picture.axes
    assert [label.get_text() for label in left.get_yticklabels()] == ["king", "place"]
    assert [list(line.get_xdata()) for line in left.lines] == [[0.0, 0.25, 0.5], [0.5]]
    assert [list(line.get_xdata()) for line in right.lines] == [[1.0, 0.75, 1.0], [0.9]]
    assert left.lines[0].get_ydata()[0] > left.lines[1].get_ydata()[0]
    assert [bar.get_width() for bar in right.patches] == [1.0, 0.9]
    assert left.lines[0].get_color() != right.lines[0].get_color()
    assert left.get_xlim() == right.get_xlim() == (0, 1)
