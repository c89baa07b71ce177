"""Film reviews: the corpus' own numbers make the folds, its lines the sentences."""

import io
import zipfile

from course_lib.data.corpora import reviews


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
    assert [label for _, label in folds[9]] == [0, 1]
    assert folds[0][0][0][0][0] == "movie_reviews/neg/cv012_1.txt"
    assert folds[0][0][0][1] == ("it", "is", ".")
    assert len(folds[0][0][0]) == 2


def test_the_real_corpus_has_its_published_counts(course_data):
    folds = reviews.load()
    assert [len(fold) for fold in folds] == [200] * 10
    for fold in folds:
        assert sum(label for _, label in fold) == 100
        assert min(len(sentences) for sentences, _ in fold) >= 1
    texts = {sentences for fold in folds for sentences, _ in fold}
    assert len(texts) > 1990
    assert "plot" in folds[0][0][0][0]
