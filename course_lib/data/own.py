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

_LANGUAGES = """
ar ara arabic arabisch arabe
cs ces cze czech tschechisch tchèque
da dan danish dänisch danois
de deu ger german deutsch allemand
el ell gre greek griechisch grec
en eng english englisch anglais
es spa spanish spanisch espagnol español
fa fas per persian farsi persisch persan
fi fin finnish finnisch finnois
fr fra fre french französisch français
he heb hebrew hebräisch hébreu
hi hin hindi
hu hun hungarian ungarisch hongrois
it ita italian italienisch italien italiano
ja jpn japanese japanisch japonais
ko kor korean koreanisch coréen
nl nld dut dutch niederländisch néerlandais
no nor nb nob norwegian norwegisch norvégien
pl pol polish polnisch polonais
pt por portuguese portugiesisch portugais português
ro ron rum romanian rumänisch roumain
ru rus russian russisch russe
sv swe swedish schwedisch suédois
tr tur turkish türkisch turc
uk ukr ukrainian ukrainisch ukrainien
vi vie vietnamese vietnamesisch vietnamien
zh zho chi chinese chinesisch chinois
source src original
target tgt trg translation reference
"""
"""A line for each language, and for each side of a pair: words that may name a column."""
_NAMES = {word: line.split()[0] for line in _LANGUAGES.split("\n") for word in line.split()}
_FILLERS = {"text", "sent", "sentence", "line", "side", "lang", "language"}
_TERRITORY = re.compile(r"^([a-z]{2})[-_][a-z]{2}$")
"""As in "de-DE", once the case is gone."""


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


def read_pairs(path: Path | str, names: tuple[str, str] | None = None) -> PairFile:
    """Read a file of sentence pairs.

    Args:
        path: of the file.
        names: further names that a first line may give to the columns, besides usual ones such as
            "source" and "target", "French" and "English", "Deutsch" and "Englisch", "de" and "en".

    Raises:
        CourseError: the file cannot be read, is not UTF-8, holds no pair, or has a line without
            two columns or with an empty one; the message names the line.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise CourseError(f"cannot read {path}: {error.strerror}") from error
    pairs, header = [], None
    for number, line in enumerate(_lines(content, path), start=1):
        if "\t" not in line and not normalise(line, lowercase=False):
            continue
        columns = [column.strip() for column in line.split("\t")]
        if fault := _fault(columns):
            raise CourseError(f"{path}, line {number}: {fault}")
        if number == 1 and _is_header(columns, names or ()):
            header = (columns[0], columns[1])
        else:
            pairs.append((columns[0], columns[1]))
    if not pairs:
        raise CourseError(
            "want a sentence pair on each line, a tab between its sides; "
            f"{path} holds no sentence pair"
        )
    return PairFile(pairs, header, hashlib.sha256(content).hexdigest())


def _is_header(columns: list[str], names: Iterable[str]) -> bool:
    """Return whether a first line names its columns: both of them, and by two different names.

    "Deutsch" and "German" name the same language, so they are a pair of a dictionary.
    """
    known = _NAMES | {name.lower(): name.lower() for name in names}
    kinds = []
    for column in columns:
        text = column.lower()
        words = [text] if text in known else re.split(r"[\W_]+", _TERRITORY.sub(r"\1", text))
        kind = {known.get(word) for word in words if word not in _FILLERS}
        if len(kind) != 1 or None in kind:
            return False
        kinds += kind
    return kinds[0] != kinds[1]


def _lines(content: bytes, path: Path | str) -> list[str]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CourseError(
            f"{path}, line {line}: want UTF-8; got the byte {content[error.start]:#04x}; save the "
            "file again as UTF-8"
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise CourseError(
            f"{path}, line {line}: want UTF-8; got a NUL character, as in UTF-16; save the file "
            "again as UTF-8"
        )
    # Not splitlines(): a sentence may contain other line breaks than a newline. A file without any
    # newline may come from an old Mac.
    lines = text.split("\n") if "\n" in text else text.split("\r")
    return [line.removesuffix("\r") for line in lines]


def _fault(columns: list[str]) -> str | None:
    if len(columns) == 1:
        return f"want two columns with a tab between them; got only {columns[0][:30]!r}"
    if len(columns) > 2:
        return (
            f"want two columns; got {len(columns)}; keep the first two (cut -f1,2), and replace a "
            "tab inside a sentence by a space"
        )
    for name, column in zip(("first", "second"), columns, strict=True):
        if not normalise(column, lowercase=False):
            return f"the {name} column is empty; fill it or delete the line"
    return None


def split(
    pairs: Sequence[tuple[str, str]], share: float = SHARE
) -> dict[str, list[tuple[str, str]]]:
    """Divide the pairs into "train", "valid" and "test", each in the order of the file.

    A hash of the source sentence, from 0 to 1, decides to which part it belongs: below half the
    share is the test part, up to the share the validation part. If a part has no sentence, it gets
    the one with the next higher hash.

    Args:
        pairs: as `read_pairs` gives them.
        share: of the different source sentences, how many are held out, above 0 and below 1.

    Raises:
        CourseError: fewer than three different source sentences, or nothing left to train on.
    """
    hashes = [_hash(source) for source, _ in pairs]
    order = sorted(set(hashes))
    if len(order) < 3:
        raise CourseError(
            f"want at least 3 different source sentences, to train, validate and test; got "
            f"{len(order)}"
        )
    tests = max(1, sum(number < share / 2 for number in order))
    held_out = tests + max(1, sum(share / 2 <= number < share for number in order))
    if held_out >= len(order):
        raise CourseError(
            f"want a pair or more to train on; got {len(order)} source sentences, of which "
            f"{held_out} are held out; hold out a smaller share"
        )
    part = dict.fromkeys(order[:tests], "test") | dict.fromkeys(order[tests:held_out], "valid")
    parts: dict[str, list[tuple[str, str]]] = {name: [] for name in SPLITS[:3]}
    for pair, number in zip(pairs, hashes, strict=True):
        parts[part.get(number, "train")].append(pair)
    return parts


def _hash(source: str) -> float:
    """Return a number from 0 to 1 for a sentence, whatever its case and spacing."""
    text = normalise(source, lowercase=True)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") / 2**64
