"""Unknown words that can be told apart, and found again after the tokenizer was saved."""

from course_lib.data.tokens.hashed import BUCKETS, encode_hashed, hashing_vocabulary
from course_lib.data.tokens.tokenizer import UNKNOWN, load_tokenizer


def test_the_same_unknown_word_has_the_same_id_and_two_have_two(tmp_path):
    vocabulary = hashing_vocabulary(["A dog runs.", "A cat"])
    one, two = (encode_hashed(vocabulary, text) for text in ("A wolf runs", "the wolf, a lynx"))
    assert one[0] == vocabulary.encode("a").ids[0]
    assert one[1] == two[1]
    assert two[1] != two[4]
    assert UNKNOWN not in one + two
    vocabulary.save(tmp_path / "tokens.json")
    assert encode_hashed(load_tokenizer(tmp_path / "tokens.json"), "A wolf runs") == one


def test_golden_buckets():
    """The hash is the same on every machine: a stored model depends on it."""
    vocabulary = hashing_vocabulary(["a"])
    first = len(vocabulary) - BUCKETS
    ids = encode_hashed(vocabulary, ["wolf", "lynx", "bear"])
    assert [i - first for i in ids] == GOLDEN


GOLDEN = [14, 92, 3]


def test_rare_words_are_unknown_and_get_a_bucket():
    vocabulary = hashing_vocabulary(["the dog", "the cat"], minimum=2)
    first = len(vocabulary) - BUCKETS
    assert first == 4 + 1
    assert all(i >= first for i in encode_hashed(vocabulary, "dog cat"))
