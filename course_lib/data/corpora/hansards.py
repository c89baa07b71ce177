"""Hansards word alignments (Och & Ney 2000): 447 English-French pairs, linked by annotators.

Sentences are written as "English ||| French", already split into words. Links are positions from
1, English first: "3-2" is sure, "3p2" possible. A sure link counts as possible too (Och & Ney
2000), although the file does not repeat it.
"""

import re

from course_lib.data.corpora.download import fetch
from course_lib.data.pairs import AlignedPair, Link

_LINK = re.compile(r"(\d+)([-p])(\d+)")


def load() -> list[AlignedPair]:
    """Load the 447 pairs, English source and French target, with sure and possible links."""
    paths = fetch("hansards")
    sentences, links = (
        paths[name].read_text(encoding="utf-8").removesuffix("\n").split("\n")
        for name in ("enfr.src-tgt", "enfr.gold")
    )
    return [parse_pair(*lines) for lines in zip(sentences, links, strict=True)]


def parse_pair(sentences: str, links: str) -> AlignedPair:
    """Make a pair of its line of sentences and its line of links.

    ValueError if a link points outside the sentences.
    """
    source, target = sentences.split("|||")
    kinds: dict[str, set[Link]] = {"-": set(), "p": set()}
    for i, kind, j in _LINK.findall(links):
        kinds[kind].add((int(i) - 1, int(j) - 1))
    sure = frozenset(kinds["-"])
    return AlignedPair(tuple(source.split()), tuple(target.split()), sure, sure | kinds["p"])
