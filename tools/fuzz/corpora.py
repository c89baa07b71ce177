"""Small corpora in the formats of the real ones, spoiled, and how each of them is read.

Nobody's bytes get so far in a command: other content than the published has another checksum.
A parser must refuse them all the same, for it can be called with any file.
"""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

from course_lib.data.corpora import hansards, reviews, sick, snli
from course_lib.errors import CourseError
from tools.fuzz.spoil import spoiled

_LABELS = ("entailment", "neutral", "contradiction")
_PAIRS = [(f"A dog sees {n} cats", "An animal sees", _LABELS[n % 3]) for n in range(6)]
_HEAD = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
_ROWS = [f"{n}\t{a}\t{b}\t4.5\t{label.upper()}\n" for n, (a, b, label) in enumerate(_PAIRS)]
_SICK = "".join([_HEAD, *_ROWS]).encode()


def write_pairs(name: str, folder: Path, random: Random) -> None:
    """The files of "sick" or "snli" as they lie in a folder of data, one thing in them spoiled."""
    (folder / name).mkdir(parents=True)
    if name == "snli":
        (folder / "snli/snli_1.0.zip").write_bytes(_snli(random))
        return
    files = ("SICK_train.txt", "SICK_trial.txt", "SICK_test_annotated.txt")
    wrong = random.choice(files)
    for file in files:
        (folder / "sick" / file).write_bytes(spoiled(_SICK, random) if file == wrong else _SICK)


def a_reading(random: Random, folder: Path) -> tuple[str, Callable[[], object]]:
    """Which corpus it is, and what reads a spoiled file of it."""
    path = folder / "corpus"
    name = random.choice(["hansards", "reviews", "sick", "snli"])
    if name == "hansards":
        lines = [_spoiled_text(line, random) for line in ("the dog . ||| le chien .", "1-1 2p2")]
        return name, lambda: _pair_of_hansards(*lines)
    if name == "reviews":
        path.write_bytes(_reviews(random))
        return name, lambda: reviews.read_folds(path)
    if name == "sick":
        path.write_bytes(spoiled(_SICK, random))
        return name, lambda: sick.read_pairs(path)
    path.write_bytes(_snli(random))
    return name, lambda: snli.read_pairs(path, "train")


def _pair_of_hansards(sentences: str, links: str) -> object:
    try:
        return hansards.parse_pair(sentences, links)
    except ValueError as error:  # as its page says
        raise CourseError(str(error)) from error


def _spoiled_text(text: str, random: Random) -> str:
    content = text.encode()
    return (spoiled(content, random) if random.random() < 0.5 else content).decode(errors="replace")


def _snli(random: Random) -> bytes:
    names = ("sentence1", "sentence2", "gold_label")
    lines = [json.dumps(dict(zip(names, pair, strict=True))).encode() for pair in _PAIRS]
    splits = ("train", "dev", "test")
    return _archive({f"snli_1.0/snli_1.0_{split}.jsonl": [*lines] for split in splits}, random)


def _reviews(random: Random) -> bytes:
    texts = {"neg": [b"a bad film .", b"it is long ."], "pos": [b"a good film ."]}
    return _archive({f"movie_reviews/{kind}/cv000_1.txt": texts[kind] for kind in texts}, random)


def _archive(files: dict[str, list[bytes]], random: Random) -> bytes:
    """Lines by the name of their file, packed; one line is spoiled, or what was packed."""
    inside = random.random() < 0.6
    if inside:
        lines = random.choice([*files.values()])
        place = random.randrange(len(lines))
        lines[place] = spoiled(lines[place], random)
    packing = random.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", packing) as archive:
        for name, lines in files.items():
            archive.writestr(name, b"\n".join([*lines, b""]))
    return content.getvalue() if inside else spoiled(content.getvalue(), random)
