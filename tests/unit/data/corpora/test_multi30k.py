"""Multi30k's splits, as they were published."""

import gzip
import hashlib

from course_lib.data.corpora.multi30k import SPLITS, load
from course_lib.data.corpora.registry import DATASETS, Dataset, RemoteFile


def test_the_splits_have_their_published_sizes(course_data):
    sizes = {split: len(load(split)) for split in SPLITS}
    assert sizes == {
        "train": 29000,
        "val": 1014,
        "test_2016_flickr": 1000,
        "test_2017_flickr": 1000,
    }


def test_sentences_are_paired_in_either_direction(course_data):
    german, english = load("train")[0]
    assert german == "Zwei junge weiße Männer sind im Freien in der Nähe vieler Büsche."
    assert english == "Two young, White males are outside near many bushes."
    assert load("train", "en", "de")[0] == (english, german)
    assert load("train", "en", "en")[0] == (english, english)


def test_no_test_pair_was_trained_on(course_data):
    # Some captions are the same in one language; none is the same in both.
    train = set(load("train"))
    assert not train & set(load("test_2016_flickr"))


def test_only_a_newline_separates_sentences(tmp_path, monkeypatch):
    """Python's splitlines() would cut at these characters and shift every later pair."""
    texts = {"de": "eins\u2028eins\nzwei\n", "en": "one\x85one\n two \n"}
    files = []
    for language, text in texts.items():
        content = gzip.compress(text.encode(), mtime=0)
        path = f"multi30k/val.{language}.gz"
        (tmp_path / "multi30k").mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        files.append(RemoteFile(path, len(content), digest, ("http://127.0.0.1:9/x",)))
    monkeypatch.setitem(DATASETS, "multi30k", Dataset("", "", "", tuple(files)))
    monkeypatch.setenv("COURSE_DATA", str(tmp_path))
    assert load("val") == [("eins\u2028eins", "one\x85one"), ("zwei", "two")]
