"""The claims that the course puts to the test, and the one call that gives a verdict.

A chapter measures something, then says

    claim("C08", "holds", lowest >= 0.95, "lowest exact match in any bin 0.97, 3 seeds")

which asserts the inequality and prints one line. The ledger page is made from these lines as
they stand in the stored notebooks, so no verdict is in the book without its measurement.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

VERDICTS = ("holds", "holds in part", "does not hold")


class Claim(NamedTuple):
    """What somebody says about attention or recurrence; who does is in `course_lab.sources`.

    Attributes:
        statement: the claim, in our words.
        chapters: the chapters that measure it, by number.
    """

    statement: str
    chapters: tuple[int, ...]


class Finding(NamedTuple):
    """A verdict on a claim, read back from a printed line."""

    identifier: str
    verdict: str
    measured: str

    def __str__(self) -> str:
        return f"[{self.identifier}] {self.verdict}: {self.measured}"


def _claim(statement: str, *chapters: int) -> Claim:
    return Claim(statement, chapters)


CLAIMS: dict[str, Claim] = {
    "C01": _claim("One context vector of fixed size serves long sources worse", 2, 4, 13),
    "C02": _claim("GRU and LSTM mend long sequences in theory, and fall short in practice", 1),
    "C03": _claim(
        "A recurrent gradient vanishes with distance because the non-linearity squashes",
        1,
    ),
    "C04": _claim("Recurrence cannot be parallel over time; attention can", 8),
    "C05": _claim("An unrolled recurrent net is a deep net with shared weights", 1),
    "C06": _claim(
        "The LSTM's cell state cures vanishing gradients; long dependencies stay hard", 1
    ),
    "C07": _claim("Seq2seq with target = source is an autoencoder, a useful pre-training", 2),
    "C08": _claim("With attention, quality no longer falls with length", 4, 13),
    "C09": _claim("Attention weights are soft word alignments", 4),
    "C10": _claim(
        "Bahdanau's attention is query-key-value, keys and values both the annotations",
        4,
        5,
    ),
    "C11": _claim("A plain dot product with the decoder state is enough of a score", 5),
    "C12": _claim("A local window is cheaper than global attention and loses little", 6, 12),
    "C13": _claim(
        "Soft is akin to global and hard to local; hard is intricate and has no gradient", 6
    ),
    "C14": _claim("In higher dimensions the mean of dot products grows", 5),
    "C15": _claim("Without the 1/√d scale the softmax's gradient becomes tiny", 5),
    "C18": _claim("There may be infinitely many keys and values, and a basis spans a dense set", 5),
    "C21": _claim("The LSTMN's self-attention still walks through the sequence once", 8),
    "C22": _claim("Decomposable attention equals models ten times its size", 7),
    "C23": _claim("Decomposable attention extends a bag-of-vectors model", 7),
    "C24": _claim("Decomposable attention is linear in the length", 7),
    "C25": _claim("Heads run side by side and W^O mixes them", 9),
    "C26": _claim("Feed-forward weights are shared over positions, not over layers", 10),
    "C27": _claim(
        "Self-attention alone knows no order; positions must be added, masks still apply",
        8,
    ),
    "C28": _claim("The decoder's mask hides every later step", 8, 10),
    "C29": _claim("Attention learns relations such as verb and object with no parser", 13),
    "C30": _claim("Heads specialise in ways that a reader can name", 9),
    "C31": _claim(
        "Self-attention takes Q, K and V from one sequence, cross-attention K and V from the other",
        10,
    ),
    "C32": _claim("Encoding runs once, decoding runs token by token", 11),
    "C33": _claim("Attention weights show which words and sentences an answer rests on", 6),
    "C34": _claim("Transformers are recurrent nets", 15),
    "C35": _claim("A state of d × d numbers can keep about d pairs", 15),
    "C36": _claim("The delta rule corrects what keys that overlap do to a memory", 15),
    "C37": _claim("Attention recalls what no state of fixed size can", 15),
}

_LINE = re.compile(rf"^\[(C\d\d)\] ({'|'.join(VERDICTS)}): (\S.*)$", re.MULTILINE)


def claim(identifier: str, verdict: str, expect: object, measured: str) -> None:
    """Give a verdict on a claim: asserts the inequality behind it and prints one line.

    The line is `[C08] holds: <measured>`; `read_findings` takes it apart again.

    Args:
        identifier: one of `CLAIMS`, such as "C01".
        verdict: "holds", "holds in part" or "does not hold".
        expect: the measured inequality that supports this verdict, with a margin: a bool, or one
            bool of NumPy or torch.
        measured: the figure behind it, on one line, rounded to the digits that repeat.

    Raises:
        ValueError: an unknown identifier or verdict, or `measured` is empty or has a line break.
        TypeError: `expect` is not one bool, such as a bare number or an array of them.
        AssertionError: `expect` is False: what was measured does not support the verdict.
    """
    if identifier not in CLAIMS:
        raise ValueError(f"want a claim from C01 to {max(CLAIMS)}; got {identifier!r}")
    if verdict not in VERDICTS:
        raise ValueError(f"want a verdict, one of {', '.join(VERDICTS)}; got {verdict!r}")
    if not measured.strip() or len(measured.splitlines()) != 1:
        raise ValueError(f"{identifier}: want one line with a figure as measured; got {measured!r}")
    if not _one_bool(expect):
        raise AssertionError(
            f"{identifier}: the measurement does not support the verdict {verdict!r}: {measured}"
        )
    print(Finding(identifier, verdict, measured.strip()))


def anchor(identifier: str, nth: int = 1) -> str:
    """The anchor in a chapter's page of its nth verdict on a claim.

    The ledger links to it. `anchor("C08")` is "claim-c08", and `anchor("C08", 2)` is "claim-c08-2".
    """
    return f"claim-{identifier.lower()}" + (f"-{nth}" if nth > 1 else "")


def _one_bool(value: object) -> bool:
    # Comparisons in NumPy and torch give scalars of their own; `.item()` makes both Python's.
    # A number or a list would be true by accident, so they are refused.
    shape = getattr(value, "shape", None)
    if shape is not None and tuple(shape) == ():
        value = value.item()  # type: ignore[attr-defined]
    if not isinstance(value, bool):
        kind = f"{type(value).__name__}" + (f" of shape {tuple(shape)}" if shape else "")
        raise TypeError(f"want one True or False as expect, the inequality itself; got {kind}")
    return value


def read_findings(text: str) -> Iterator[Finding]:
    """The findings that `claim` printed in a cell's stored output, in order."""
    for identifier, verdict, measured in _LINE.findall(text):
        if identifier in CLAIMS:
            yield Finding(identifier, verdict, measured)
