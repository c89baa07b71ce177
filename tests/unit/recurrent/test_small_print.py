"""What the docstring of the LSTMN promises at the borders."""

from course_lib.recurrent.lstmn import DeepFusionCell
from tests.unit.recurrent.test_lstmn import A, D, H, make, run_lstmn, words


def test_both_scores_of_deep_fusion_are_as_wide_as_told():
    cell = DeepFusionCell(D, H, A)
    assert cell.inter.keys.out_features == cell.intra.keys.out_features == A


def test_without_deep_fusion_nothing_is_read_of_a_source():
    assert not run_lstmn(make(), words()).state.source.any()
