"""The sliding window: its numbers are those of local attention."""

import numpy as np
import pytest
import torch

from course_lab.figures.touch.window import WindowExample, sliding_window, windowed
from course_lib.attention.local import local_attention

SCORES = [[0, -100, -700, -300], [-50, 0, -20, -900], [-10, -400, 0, -30]]
EXAMPLE = WindowExample(
    ["we", "saw", "it", "."], ["es", "sahen", "wir"], SCORES, [2.2, 1.0, 0.4],
    [(2, 0), (1, 1), (0, 2)], ["it", "saw", "we"],
)  # fmt: skip


@pytest.mark.parametrize("predicted", [False, True])
@pytest.mark.parametrize("radius", [1, 2])
def test_the_weights_are_those_of_local_attention(radius, predicted):
    scores = torch.tensor(SCORES).double() / 256
    center = torch.tensor(EXAMPLE.positions if predicted else [0.0, 1.0, 2.0]).double()
    # One query for each row, whose scores are the stored ones.
    for t in range(3):
        near = local_attention(
            torch.ones(1, 1).double(),
            scores[t][:, None],
            torch.eye(4).double(),
            center[t : t + 1],
            radius=radius,
            score=lambda q, k: q @ k.mT,
            gaussian=predicted,
        )
        np.testing.assert_allclose(
            near.over(4)[0], windowed(EXAMPLE, radius, predicted)[t], atol=1e-6
        )


def test_the_links_out_of_sight_are_marked():
    html = sliding_window([EXAMPLE], 1)._repr_html_()
    assert html.count('aria-label="missed gold link"') == 2
    assert html.count('aria-label="gold link"') == 1
