"""SICK's files as pairs, and one line where a file is none."""

import pytest

from course_lib.data.corpora import sick
from course_lib.data.inference_pairs import InferencePair
from course_lib.errors import CourseError

HEAD = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"


def test_a_file_becomes_pairs(tmp_path):
    path = tmp_path / "SICK_trial.txt"
    path.write_text(HEAD + "7\tA man sings\tNobody sings\t3.1\tCONTRADICTION\n", encoding="utf-8")
    assert sick.read_pairs(path) == [InferencePair("A man sings", "Nobody sings", "contradiction")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\tb\n", "want the columns pair_ID"),
        ("", "want the columns pair_ID"),
        (HEAD + "7\tA man sings\tNobody sings\t3.1\tMAYBE\n", "line 2"),
        (HEAD + "7\tA man sings\n", "line 2"),
    ],
)
def test_another_format_is_told(text, words, tmp_path):
    path = tmp_path / "SICK_trial.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match=words):
        sick.read_pairs(path)


def test_the_published_files(course_data):
    counts = {split: len(sick.load(split)) for split in sick.SPLITS}
    assert counts == {"train": 4500, "trial": 500, "test": 4927}
    test = sick.load("test")
    assert round(sum(pair.label == "neutral" for pair in test) / len(test), 3) == 0.567
