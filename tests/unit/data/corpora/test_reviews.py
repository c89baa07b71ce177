"""Film reviews: the corpus' own numbers make the folds, its lines the sentences."""

import io
import zipfile

from course_lib.data.corpora import reviews
from course_lib.data.document import Document


def archive(*names: str) -> io.BytesIO:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as opened:
        for name in names:
            opened.writestr(name, f"{name} is bad . \n\n it is .\n")
    made.seek(0)
    return made


def test_the_third_digit_from_the_right_is_the_fold_and_the_folder_the_label():
    names = [f"movie_reviews/{kind}/cv{n}_1.txt" for kind in ("pos", "neg") for n in ("012", "987")]
    folds = reviews.read_folds(archive("movie_reviews/README", *names))
    assert [len(fold) for fold in folds] == [2, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    assert [document.label for document in folds[9]] == [0, 1]
    assert folds[0][0].sentences[0][0] == "movie_reviews/neg/cv012_1.txt"
    assert folds[0][0].sentences[1] == ("it", "is", ".")
    assert len(folds[0][0].sentences) == 2


def test_a_fold_is_judged_and_the_others_are_learned_from():
    folds = [[Document(((f"{n}{letter}",),), 0) for letter in "ab"] for n in range(10)]
    rest, judged = reviews.split(folds, 3)
    assert [document.sentences[0][0] for document in judged] == ["3a", "3b"]
    assert len(rest) == 18
    assert not set(rest) & set(judged)


def test_the_real_corpus_has_its_published_counts(course_data):
    folds = reviews.load()
    assert [len(fold) for fold in folds] == [200] * 10
    for fold in folds:
        assert sum(document.label for document in fold) == 100
        assert min(len(document.sentences) for document in fold) >= 1
    texts = {document.sentences for fold in folds for document in fold}
    assert len(texts) > 1990
    assert "plot" in folds[0][0].sentences[0]
