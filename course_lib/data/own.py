"""A reader's own sentence pairs: a text file with two columns and a tab between them.

One pair a line, the source first, in UTF-8. A byte-order mark and Windows line ends make no
difference, blank lines are skipped, and quotation marks are letters like others. A hash of the
source sentence decides whether it is held out. So a sentence that occurs twice is never both
trained on and tested on, and a file that grows keeps its test pairs, unless it is so small that no
hash falls into a part: then the part gets the next sentence, which a longer file may train on.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from course_lib.data.tokens.words import normalise
from course_lib.errors import CourseError

SPLITS = ("train", "valid", "test", "all")
"""The parts of a file; `all` is every pair in it."""

SHARE = 0.1
"""The share of different source sentences held out, half for validation and half for test."""

_NAMES = """
source src original target tgt trg translation reference
ar cs da de el en es fa fi fr he hi hu it ja ko nl no nb pl pt ro ru sv tr uk vi zh
ara ces dan deu ger ell eng spa fas fin fra fre heb hin hun ita jpn kor nld dut nor pol por ron rus
swe tur ukr vie zho chi
arabic czech danish german greek english spanish persian farsi finnish french hebrew hindi hungarian
italian japanese korean dutch norwegian polish portuguese romanian russian swedish turkish ukrainian
vietnamese chinese
arabisch tschechisch dänisch deutsch griechisch englisch spanisch persisch finnisch französisch
hebräisch ungarisch italienisch japanisch koreanisch niederländisch norwegisch polnisch
portugiesisch rumänisch russisch schwedisch türkisch ukrainisch vietnamesisch chinesisch
arabe tchèque danois allemand grec anglais espagnol finnois français italien japonais néerlandais
polonais portugais roumain russe suédois turc chinois español italiano português
"""
"""Words that may name a column: the sides of a pair, and languages by code and by name."""
_COLUMN = re.compile(r"(\w+?)([ _-](text|sent|sentence)|[_-][a-z]{2})?")
"""Such as "source_text" and "de-DE", once the case is gone."""


class PairFile(NamedTuple):
    """The content of a file of sentence pairs.

    Attributes:
        pairs: source and target of each line, as text, in the order of the file.
        names: the names of the columns in the first line; None if the first line is a pair.
        sha256: of the file's bytes.
    """

    pairs: list[tuple[str, str]]
    names: tuple[str, str] | None
    sha256: str


def read_pairs(path: Path | str, names: Iterable[str] = ()) -> PairFile:
    """Read a file of sentence pairs.

    A first line names the columns if both are usual names, such as "source" and "target", "French"
    and "English", "de" and "en", or are among `names`; case makes no difference.

    CourseError if the file is not UTF-8, holds no pair, or has a line without two columns or with
    an empty one; the message names the line.
    """
    content = Path(path).read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CourseError(
            f"{path}, line {line}: want UTF-8; got the byte {content[error.start]:#04x}; save the "
            "file again as UTF-8"
        ) from None
    known = {*_NAMES.split(), *(name.lower() for name in names)}
    pairs, header = [], None
    # Not splitlines(): a sentence may contain other line breaks than a newline.
    for number, line in enumerate(text.split("\n"), start=1):
        columns = tuple(column.strip() for column in line.split("\t"))
        if columns == ("",):
            continue
        if len(columns) != 2 or not all(columns):
            raise CourseError(
                f"{path}, line {number}: want two columns with a tab between them, none of them "
                f"empty; got {len(columns)}"
            )
        lower = {column.lower() for column in columns}
        if number == 1 and len(lower) == 2 and all(_is_name(each, known) for each in lower):
            header = columns
        else:
            pairs.append(columns)
    if not pairs:
        raise CourseError(f"want a sentence pair on each line; {path} holds no sentence pair")
    return PairFile(pairs, header, hashlib.sha256(content).hexdigest())


def _is_name(column: str, known: set[str]) -> bool:
    match = _COLUMN.fullmatch(column)
    return column in known or (match is not None and match[1] in known)


def split(pairs: Sequence[tuple[str, str]]) -> dict[str, list[tuple[str, str]]]:
    """Divide the pairs into "train", "valid" and "test", each in the order of the file.

    A hash of the source sentence, from 0 to 1, decides to which part it belongs: below half of
    `SHARE` is the test part, up to `SHARE` the validation part. If a part has no sentence, it gets
    the one with the next higher hash. CourseError for fewer than three different source sentences.
    """
    hashes = [_hash(source) for source, _ in pairs]
    order = sorted(set(hashes))
    tests = max(1, sum(number < SHARE / 2 for number in order))
    held_out = tests + max(1, sum(SHARE / 2 <= number < SHARE for number in order))
    if held_out >= len(order):
        raise CourseError(f"want at least 3 different source sentences; got {len(order)}")
    part = dict.fromkeys(order[:tests], "test") | dict.fromkeys(order[tests:held_out], "valid")
    parts: dict[str, list[tuple[str, str]]] = {name: [] for name in SPLITS[:3]}
    for pair, number in zip(pairs, hashes, strict=True):
        parts[part.get(number, "train")].append(pair)
    return parts


def _hash(source: str) -> float:
    """Return a number from 0 to 1 for a sentence, whatever its case and spacing."""
    text = normalise(source, lowercase=True)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") / 2**64
