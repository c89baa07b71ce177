"""What a figure cannot show truly is refused."""

import pytest

from course_lab.figures.touch.attention import AttentionExample, attention_explorer

NAN = float("nan")


def example(scores, *links) -> AttentionExample:
    return AttentionExample(["a"], ["x"], scores, *links)


REFUSED = [
    (lambda: attention_explorer([example([[1.0, 2.0]])]), r"\(1, 1\)"),
    (lambda: attention_explorer([example([[NAN]])]), "minus infinity"),
]


@pytest.mark.parametrize(("draw", "said"), REFUSED)
def test_what_would_be_a_falsehood_is_refused(draw, said):
    with pytest.raises((ValueError, TypeError), match=said):
        draw()
