"""A translator of real sentences that runs in the page: type, look, drag a look, cover a word."""

from collections.abc import Sequence
from typing import NamedTuple

from course_lab.figures.touch.core import Interactive, stored, weight_map

_END = "end"


class Way(NamedTuple):
    """A direction of translation.

    Attributes:
        source, to: its two languages, as a reader calls them.
        lang: the code of the first.
        mark: the word before a sentence that asks for the second.
        common: words by which the first language is told.
    """

    source: str
    to: str
    lang: str
    mark: str
    common: Sequence[str]


class Try(NamedTuple):
    """A sentence that shows what one control does.

    Attributes:
        name: what its key says.
        way: which direction.
        text: the sentence.
        watch: what to do, and what to watch for.
        opens: whether the control is folded away at first.
    """

    name: str
    way: int
    text: str
    watch: str
    opens: bool = False


class Example(NamedTuple):
    """A sentence and its translation, made before the page was.

    Attributes:
        way: which direction.
        text: the sentence.
        source: its S words.
        words: the T words of the translation, without END.
        written: the translation as text.
        rows: (T + 1, S + 2) attention weights of each word and of END, over the mark, the words and
            END; the mean of all heads.
        back: the translation, translated back.
    """

    way: int
    text: str
    source: Sequence[str]
    words: Sequence[str]
    written: str
    rows: Sequence[Sequence[float]]
    back: str


def translator(
    net: bytes,
    ways: Sequence[Way],
    first: Example,
    tries: Sequence[Try],
    *,
    layers: int,
    heads: int,
    at: int,
    longest: int = 80,
) -> Interactive:
    """Shows a sentence, its translation, what each word reads, and the translation back.

    Args:
        net: a safetensors file whose header tells tokens, merges and twins of the tokenizer.
        ways: the two directions.
        first: stands there before the network is fetched.
        tries: to choose from.
        layers: of encoder and decoder.
        heads: of each layer.
        at: the word of its translation that is chosen at first, from 0.
        longest: the most tokens that a sentence may have.
    """
    return Interactive(
        "translator",
        "A translator of real sentences, English to German and back, to type into",
        tables=[
            weight_map(
                "What all heads read, in the mean (weights)",
                [ways[first.way].mark, *first.source, _END],
                [*first.words, _END],
                first.rows,
            ),
            stored(net, "translator"),
        ],
        parts=["net", "words", "table", "sentence", "transformer", "bpe", "search"],
        data={
            "ways": [{**way._asdict(), "common": list(way.common)} for way in ways],
            "first": first._asdict(),
            "tries": [one._asdict() for one in tries],
            "layers": layers,
            "heads": heads,
            "at": at,
            "alpha": 0.6,
            "longest": longest,
            "size": f"{len(net) / 1e6:.1f} MB",
        },
    )
