"""A file of one's own pairs: what programs write is read, a fault is named by its line."""

import pytest

from course_lib.data.own import read_pairs, split
from course_lib.errors import CourseError

PAIRS = [("Der Hund schläft.", "The dog sleeps."), ("Die Katze", "The cat"), ("a", "b")]
TEXT = "".join(f"{source}\t{target}\n" for source, target in PAIRS)


def written(folder, content: bytes | str):
    path = folder / "pairs.tsv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    "content",
    [
        TEXT,
        TEXT.removesuffix("\n"),
        "\ufeff" + TEXT,
        TEXT.replace("\n", "\r\n"),
        "\n \n" + TEXT.replace("\n", "\n\n"),
        TEXT.replace("\t", " \t "),
        "source\ttarget\n" + TEXT,
        "German\tEnglish\r\n" + TEXT,
        "\ufeffde\ten\n" + TEXT,
    ],
)
def test_the_same_pairs_come_from_every_program(content, tmp_path):
    assert read_pairs(written(tmp_path, content)).pairs == PAIRS


def test_a_first_line_that_names_the_columns_is_no_pair(tmp_path):
    assert read_pairs(written(tmp_path, TEXT)).names is None
    for head in ("Src\tTgt", "Deutsch\tEnglisch", "de-DE\ten_GB", "source_text\ttarget_text"):
        assert read_pairs(written(tmp_path, f"{head}\n{TEXT}")).names == tuple(head.split("\t"))
    given = written(tmp_path, "Bairisch\tDeutsch\n" + TEXT)
    assert read_pairs(given).names is None
    assert read_pairs(given, ("bairisch", "deutsch")).names == ("Bairisch", "Deutsch")
    # With a word that names nothing: a pair.
    for pair in (("ja", "yes"), ("German", "a sentence"), ("it rains", "es regnet")):
        content = "\t".join(pair) + "\n" + TEXT
        assert read_pairs(written(tmp_path, content)).pairs[0] == pair
    assert read_pairs(written(tmp_path, "no\tno\n" + TEXT)).pairs[0] == ("no", "no")


def test_quotation_marks_and_odd_line_breaks_belong_to_the_sentence(tmp_path):
    content = '"Ja\tYes\nEr sagt "nein"\t"No" he says\na\u2028b\tc\x85d\n'
    assert read_pairs(written(tmp_path, content)).pairs == [
        ('"Ja', "Yes"),
        ('Er sagt "nein"', '"No" he says'),
        ("a\u2028b", "c\x85d"),
    ]


FAULTS = {
    "one column": ("a\tb\nonly one\n", "line 2: want two columns .*; got 1"),
    "three columns": ("a\tb\tc\n", "line 1: want two columns .*; got 3"),
    "empty source": ("a\tb\n\tb\n", "line 2: want two columns"),
    "empty target": ("a\tb\n\na\t \n", "line 3: want two columns"),
    "Latin-1": (b"a\tb\nc\td\nf\xfcr\tfor\n", "line 3: want UTF-8; got the byte 0xfc"),
    "UTF-16": ("a\tb\n".encode("utf-16"), "line 1: want UTF-8; got the byte 0xff"),
    "empty": ("", "holds no sentence pair"),
    "blank": ("\n \n", "holds no sentence pair"),
    "only a head": ("de\ten\n", "holds no sentence pair"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "said"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named_by_its_line(content, said, tmp_path):
    with pytest.raises(CourseError, match=f"pairs.tsv(, | |: ){said}"):
        read_pairs(written(tmp_path, content))


MANY = [(f"Satz {n}", f"sentence {n}") for n in range(400)]


def test_the_parts_are_shares_of_the_file_in_its_order():
    parts = split(MANY)
    assert sorted(pair for pairs in parts.values() for pair in pairs) == sorted(MANY)
    assert {name: len(pairs) for name, pairs in parts.items()} == pytest.approx(
        {"train": 360, "valid": 20, "test": 20}, abs=12
    )
    for pairs in parts.values():
        assert pairs == sorted(pairs, key=MANY.index)


def test_a_source_that_stands_twice_is_on_one_side():
    twice = [*MANY, *((f"satz\xa0{n} ", f"otherwise {n}") for n in range(400))]
    for name, pairs in split(twice).items():
        sources = {source.lower().replace("\xa0", " ").strip() for source, _ in pairs}
        others = {s.lower() for n, ps in split(MANY).items() if n != name for s, _ in ps}
        assert not sources & others


def test_a_file_that_grows_keeps_its_test_pairs():
    before, after = split(MANY), split(MANY + [(f"Neu {n}", "new") for n in range(400)])
    for name in before:
        assert set(before[name]) <= set(after[name])
