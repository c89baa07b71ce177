"""What the Transformer still gets wrong: 100 translations from German, each read and judged.

Every tenth caption of Multi30k's test 2016, translated by `transformer-both` in greedy search, was
read beside its source and its reference. `mistakes.json` has a record for each: the caption's
number, what was found, and a hash of the translation that was read. A translation is "right" if it
says what the *source* says in understandable English, however it is worded: captions without a
finite verb, tenses, and *a* for *an* do not count. Otherwise it has one kind of mistake; where
there are several, the one that is first in `KINDS`. One annotator judged, and no second one.

    python -m course_lab.experiments real/mistakes

translates again and prints all that was read, and what has changed since. With `--file FILE` it
writes the records there too, and a translation that nobody has read gets "unread": read it and
fill in what it is.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.real import networks
from course_lab.experiments.real.captions import TESTS, marked, plain
from course_lab.experiments.real.judge import translations
from course_lab.experiments.real.one_a_line import one_a_line
from course_lib.files import atomic_write

STORED = Path(__file__).with_name("mistakes.json")
NETWORK, WAY = "transformer-both", "de-en"
EVERY = 10
RIGHT, UNREAD = "right", "unread"
KINDS = {
    "made-up word": "a word that is no English, or German that was left as it is",
    "wrong verb": "another action than the source's",
    "wrong noun": "another person, thing or place",
    "wrong adjective": "another property",
    "left out": "something of the source is not said",
    "added": "something is said that the source does not say",
    "wrong relation": "who does what to whom, with what, where: attachment or preposition",
    "number, gender or form": "one for several, his for her, or a form that does not fit",
}
"""Kinds of mistakes, by what they are; a translation with several counts under the first."""


def translated() -> list[tuple[int, str, str, str]]:
    """Of every tenth caption its number, source and reference, and what the network writes."""
    network = networks.load(NETWORK)
    pairs = plain(WAY, TESTS[0])
    rows = range(0, len(pairs), EVERY)
    asked = marked([pairs[row] for row in rows], network.about["direction"], WAY)
    written = translations(network.model, asked, network.tokenizer, "greedy")
    return [(row, *pairs[row], text) for row, text in zip(rows, written, strict=True)]


def short_hash(text: str) -> str:
    """Tells one translation from another without saying it."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]


def load() -> list[dict[str, Any]]:
    """What was read: "caption", "found" (`RIGHT` or one of `KINDS`) and "hash"."""
    return load_stored(STORED)


def counts() -> Counter[str]:
    """How often each kind was found, and how many translations are right."""
    return Counter(record["found"] for record in load())


def read_again(
    now: Sequence[tuple[int, str, str, str]], records: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The records of these translations: what was found stands while the translation is the same.

    Args:
        now: from `translated`.
        records: what was read before.
    """
    known = {(record["caption"], record["hash"]): record["found"] for record in records}
    return [
        {"caption": row, "found": known.get((row, key), UNREAD), "hash": key}
        for row, _, _, text in now
        for key in [short_hash(text)]
    ]


def save_to(path: Path) -> None:
    """Prints source, reference, translation and what was found, then the counts, and stores."""
    now = translated()
    records = read_again(now, load())
    for (row, *texts), record in zip(now, records, strict=True):
        print(row, record["found"], *texts, sep="\n  ")
    for kind, count in Counter(record["found"] for record in records).most_common():
        print(f"{count:4} {kind}")
    atomic_write(path, one_a_line(records) + "\n")


EXPERIMENTS = [
    Artifact("Translations that were read.", STORED, lambda file, seed: save_to(file)),
]
