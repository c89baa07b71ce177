"""The map of positions: each cell is the number of that place, place 0 at the top."""

import numpy as np
import torch

from course_lab.figures.still.position_map import position_map
from course_lib.attention.position import sinusoidal


def test_each_cell_has_its_number_and_places_go_down() -> None:
    rows = sinusoidal(torch.arange(12), 8)
    axes, bar = position_map(rows).axes
    (mesh,) = axes.collections
    np.testing.assert_allclose(mesh.get_array().reshape(12, 8), rows)
    assert axes.get_ylim() == (12, 0)
    assert mesh.get_clim() == (-1, 1)
    assert [label.get_text() for label in bar.get_yticklabels()] == ["−1", "0", "1"]
