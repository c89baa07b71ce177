"""Tokens lead back to words and text; nothing but the training split is learned."""

import json
import subprocess
import sys

import pytest
import torch

from course_lib.data.tokens.tokenizer import (
    END,
    PAD,
    SPECIALS,
    START,
    UNKNOWN,
    JointBPE,
    WordVocabulary,
    load_tokenizer,
    merge_to_words,
)
from course_lib.data.tokens.words import normalise
from course_lib.errors import CourseError

LINES = [
    "Two young, White males are outside near many bushes.",
    "Zwei junge weiße Männer sind im Freien in der Nähe vieler Büsche.",
    'A man in a T-shirt (blue) says: "Don\'t!"',
    "Ein Mann mit einem T-Shirt geht.",
] * 3


@pytest.fixture(scope="module")
def bpe():
    return JointBPE.train(LINES, size=120)


@pytest.fixture(scope="module")
def words():
    return WordVocabulary.from_sentences([["the", "dog", "sees", "the", "cat", "."], ["a", "dog"]])


@pytest.mark.parametrize("line", LINES[:4])
def test_bpe_gives_back_the_lower_cased_text_with_its_spacing(bpe, line):
    assert bpe.decode(bpe.encode(line).ids) == line.lower()


def test_bpe_words_are_words_and_punctuation(bpe):
    found = bpe.encode("Two young, White (T-shirt).")
    assert found.words == ["two", "young", ",", "white", "(", "t-shirt", ")", "."]
    spelled = [""] * len(found.words)
    for token, word in zip(found.tokens, found.word_of_token, strict=True):
        spelled[word] += token.replace("▁", "")
    assert spelled == found.words
    assert max(found.word_of_token.count(word) for word in range(len(found.words))) > 1


def test_bpe_keeps_the_numbers_of_words_that_came_split(bpe):
    found = bpe.encode(["Two", "white,", "bushes", "."])
    assert found.words == ["two", "white,", "bushes", "."]
    assert sorted(set(found.word_of_token)) == [0, 1, 2, 3]


@pytest.mark.parametrize("line", LINES[:4])
def test_emitted_ids_are_described_as_the_text_was(bpe, line):
    found = bpe.encode(line)
    assert bpe.from_ids(found.ids) == found


def test_unknown_characters_become_unknown_and_show(bpe):
    found = bpe.encode("two ωψ men")
    assert UNKNOWN in found.ids
    assert found.words == ["two", "ωψ", "men"]
    assert bpe.decode(found.ids) == "two <unk> men"
    assert bpe.from_ids(found.ids).word_of_token == found.word_of_token


def test_odd_characters_break_nothing(bpe, words):
    for tokenizer in (bpe, words):
        assert tokenizer.encode("two▁men").words == ["two_men"]
        # A byte that was no UTF-8 arrives from a terminal as half of a surrogate pair.
        assert tokenizer.encode("two \udcff men").words == ["two", "men"]
        assert tokenizer.encode("Cafe\u0301".lower()).words == ["café"]


SEEN_AS_PLAIN = {
    "byte-order mark": ("\ufeffmännliche Hunde", "männliche hunde"),
    "soft hyphen": ("männ\xadliche Hunde", "männliche hunde"),
    "zero-width space": ("männliche\u200b Hunde", "männliche hunde"),
    "word joiner": ("männ\u2060liche Hunde", "männliche hunde"),
    "marks of direction": ("\u200emännliche\u200f \u2068Hunde\u2069", "männliche hunde"),
    "decomposed": ("ma\u0308nnliche Hunde", "männliche hunde"),
    "no-break spaces": ("männliche\xa0\u202fHunde", "männliche hunde"),
    "thin and wide spaces": ("männliche\u2009\u3000\u2003Hunde", "männliche hunde"),
    "line separators": ("männliche\u2028\u2029\x85Hunde", "männliche hunde"),
    "carriage return": ("männliche Hunde\r", "männliche hunde"),
    "null": ("hun\0de", "hunde"),
    "a PDF's hyphen, a terminal's backspace": ("männ\x02liche Hun\x08\x7fde", "männliche hunde"),
    "control character of Latin-1": ("männliche\x96 Hunde", "männliche hunde"),
}


@pytest.mark.parametrize(("text", "plain"), SEEN_AS_PLAIN.values(), ids=SEEN_AS_PLAIN)
def test_what_cannot_be_seen_makes_no_word(text, plain):
    lines = ["männliche hunde", "t-shirt finde"]
    words = WordVocabulary(" ".join(lines).split(), lowercase=True)
    for tokenizer in (words, JointBPE.train(lines, size=60)):
        assert tokenizer.encode(text) == tokenizer.encode(plain)
        assert UNKNOWN not in tokenizer.encode(text).ids


@pytest.mark.parametrize(
    ("known", "typed"), [("don't", "don’t"), ("don’t", "don't"), ("a-b", "a−b")]
)
def test_a_typographic_sign_is_read_as_its_twin_where_training_saw_only_that(known, typed):
    words = WordVocabulary.from_sentences([[known, "x"]])
    assert words.encode([typed]).ids == words.encode([known]).ids
    bpe = JointBPE.train([known, "x"], size=60)
    assert bpe.encode(typed).ids == bpe.encode([known]).ids


def test_a_sign_that_training_saw_stays_itself():
    bpe = JointBPE.train(["don't don’t"], size=60)
    assert bpe.encode("don't").ids != bpe.encode("don’t").ids
    assert bpe.decode(bpe.encode("don’t").ids) == "don’t"


SCRIPTS = {
    "Hindi": ("हिन्दी भाषा।", ["हिन्दी", "भाषा", "।"]),
    "Persian": ("می\u200cروم خانه", ["می\u200cروم", "خانه"]),
    "Arabic": ("كِتَابٌ جديد؟", ["كِتَابٌ", "جديد", "؟"]),
    "Hebrew": ("שָׁלוֹם עולם", None),
    "Chinese": ("我爱你。", ["我", "爱", "你", "。"]),
    "Japanese": ("猫がTシャツを", ["猫", "が", "T", "シ", "ャ", "ツ", "を"]),
    "Thai": ("น้ำ ดี", ["น้ำ", "ดี"]),
    "Korean": ("고양이가 잔다.", ["고양이가", "잔다", "."]),
    "emoji": ("❤\ufe0f 👩\u200d💻 ok", None),
    "Vietnamese": ("ye\u0302\u0301u", ["yếu"]),
    "Yoruba": ("ọ̀rẹ́", None),
}


@pytest.mark.parametrize(("text", "words"), SCRIPTS.values(), ids=SCRIPTS)
def test_every_script_comes_back_in_whole_words(text, words):
    bpe = JointBPE.train([text], size=200, lowercase=False)
    found = bpe.encode(text)
    assert words is None or found.words == words
    assert bpe.from_ids(found.ids) == found
    assert bpe.decode(found.ids) == normalise(text, lowercase=False)
    assert WordVocabulary.from_sentences([found.words]).encode(text).words == found.words


def test_a_typed_special_token_is_plain_text(bpe, words):
    assert END not in bpe.encode("two </s> men").ids
    assert words.encode("dog </s> <pad>").ids[1:] == [UNKNOWN] * (
        len(words.encode("dog </s> <pad>").ids) - 1
    )


def test_decoding_stops_at_end_and_drops_start_and_padding(bpe, words):
    ids = bpe.encode("two men").ids
    assert bpe.decode([START, *ids, END, *ids, PAD]) == "two men"
    assert bpe.decode([PAD, *ids, PAD]) == "two men"
    assert words.decode([START, *words.encode("the dog").ids, END, 5]) == "the dog"


def test_bpe_training_ignores_the_order_of_lines_and_the_number_of_threads(tmp_path):
    program = (
        "import sys; from course_lib.data.tokens.bpe import JointBPE; "
        f"lines = {LINES!r}; "
        "JointBPE.train(lines[:: int(sys.argv[2])], size=110).save(sys.argv[1])"
    )
    files = []
    for number, (threads, step) in enumerate([("1", "1"), ("2", "1"), ("2", "-1")]):
        files.append(tmp_path / f"{number}.json")
        subprocess.run(
            [sys.executable, "-c", program, str(files[-1]), step],
            check=True,
            env={"RAYON_NUM_THREADS": threads, "PATH": "", "PYTHONHASHSEED": threads},
        )
    assert len({file.read_bytes() for file in files}) == 1


def test_case_is_kept_when_asked():
    bpe = JointBPE.train(LINES, size=120, lowercase=False)
    assert bpe.decode(bpe.encode(LINES[0]).ids) == LINES[0]
    assert WordVocabulary(["der"], lowercase=True).encode("DER").ids == [len(SPECIALS)]


def test_rare_words_are_left_out():
    vocabulary = WordVocabulary.from_sentences([["a", "a", "b"]], minimum=2)
    assert vocabulary.encode("a b").ids == [4, UNKNOWN]
    with pytest.raises(CourseError, match="want a training word that occurs 3 times"):
        WordVocabulary.from_sentences([["a", "a", "b"]], minimum=3)


def test_saved_tokenizers_come_back_the_same(bpe, words, tmp_path):
    for tokenizer, text in ((bpe, LINES[2]), (words, "the cat barks")):
        path = tmp_path / "tokenizer.json"
        tokenizer.save(path)
        again = load_tokenizer(path)
        assert type(again) is type(tokenizer)
        assert len(again) == len(tokenizer)
        assert again.encode(text) == tokenizer.encode(text)
        again.save(tmp_path / "again.json")
        assert (tmp_path / "again.json").read_bytes() == path.read_bytes()


def test_broken_files_are_one_clear_line(bpe, words, tmp_path):
    path = tmp_path / "tokenizer.json"
    with pytest.raises(CourseError, match=r"cannot read the tokenizer .*tokenizer\.json"):
        load_tokenizer(path)
    bpe.save(path)
    content = json.loads(path.read_text())
    for broken in (
        "",
        path.read_text()[:500],
        "[]",
        "{}",
        "\x00",
        json.dumps(content | {"tokens": content["tokens"][1:]}),
        json.dumps(content | {"merges": [["no", "such"]]}),
        json.dumps(content | {"merges": 3}),
        json.dumps(content | {"format": 99}),
    ):
        path.write_text(broken)
        with pytest.raises(CourseError, match=r"tokenizer\.json is no tokenizer") as caught:
            load_tokenizer(path)
        assert "\n" not in str(caught.value)


def test_weights_over_tokens_become_weights_over_words():
    weights = torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.5, 0.1, 0.4, 0.0], [0.0, 0.0, 0.5, 0.5]])
    merged = merge_to_words(weights, [0, 0, 1], [0, 0, 1, 2])
    torch.testing.assert_close(merged, torch.tensor([[0.45, 0.35, 0.2], [0.0, 0.5, 0.5]]))


def test_a_control_character_among_given_words_stays_a_word():
    """The movie reviews have some, between spaces like words."""
    assert WordVocabulary.from_sentences([["a", "\x12", "b"]]).encode(["\x12"]).ids[0] > UNKNOWN
