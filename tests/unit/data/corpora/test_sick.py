"""SICK's files as pairs."""

from course_lib.data.corpora import sick
from course_lib.data.inference_pairs import InferencePair

HEAD = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"


def test_a_file_becomes_pairs(tmp_path):
    path = tmp_path / "SICK_trial.txt"
    path.write_text(HEAD + "7\tA man sings\tNobody sings\t3.1\tCONTRADICTION\n", encoding="utf-8")
    assert sick.read_pairs(path) == [InferencePair("A man sings", "Nobody sings", "contradiction")]


def test_the_published_files(course_data):
    counts = {split: len(sick.load(split)) for split in sick.SPLITS}
    assert counts == {"train": 4500, "trial": 500, "test": 4927}
    test = sick.load("test")
    assert round(sum(pair.label == "neutral" for pair in test) / len(test), 3) == 0.567
