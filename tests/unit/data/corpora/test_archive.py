"""What is wrong with a file is told as that, not as a fault of what it should hold."""

import pytest

from course_lib.data.corpora import reviews, sick, snli
from course_lib.errors import CourseError


@pytest.mark.parametrize("place", ["missing", "folder"])
@pytest.mark.parametrize(
    "read", [reviews.read_folds, sick.read_pairs, lambda p: snli.read_pairs(p, "train")]
)
def test_a_file_that_cannot_be_opened_is_no_broken_archive(read, place, tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(CourseError, match=f"cannot read {tmp_path / place}: (No such|Is a dir)"):
        read(tmp_path / place)
