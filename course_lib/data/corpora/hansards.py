"""Hansards word alignments (Och & Ney 2000): 447 English-French pairs, linked by annotators.

Sentences are written as "English ||| French", already split into words. Links are positions from
1, English first: "3-2" is sure, "3p2" possible. A sure link counts as possible too (Och & Ney
2000), although the file does not repeat it.
"""

import re

from course_lib.data.corpora.download import fetch
from course_lib.data.pairs import AlignedPair

_LINK = re.compile(r"(\d+)([-p])(\d+)")


def load(*, progress: bool = True) -> list[AlignedPair]:
    """The 447 pairs, English source and French target, with sure and possible links.

    Raises:
        CourseError: the data cannot be downloaded or found.
    """
    paths = fetch("hansards", progress=progress)
    sentences, links = (
        paths[name].read_text(encoding="utf-8").removesuffix("\n").split("\n")
        for name in ("enfr.src-tgt", "enfr.gold")
    )
    return [parse_pair(*lines) for lines in zip(sentences, links, strict=True)]


def parse_pair(sentences: str, links: str) -> AlignedPair:
    """One pair from its line of sentences and its line of links.

    Raises:
        ValueError: a line is not of that form, or a link points outside the sentences.
    """
    sides = sentences.split("|||")
    if len(sides) != 2:
        raise ValueError(f"want 'source ||| target'; got {sentences!r}")
    found = {kind: set() for kind in "-p"}
    for text in links.split():
        match = _LINK.fullmatch(text)
        if match is None:
            raise ValueError(f"want a link such as 3-2 or 3p2; got {text!r}")
        source, kind, target = match.groups()
        found[kind].add((int(source) - 1, int(target) - 1))
    sure = frozenset(found["-"])
    return AlignedPair(tuple(sides[0].split()), tuple(sides[1].split()), sure, sure | found["p"])
