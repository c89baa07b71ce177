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


class Source(NamedTuple):
    """A text that makes a claim.

    Attributes:
        title: as its authors gave it.
        author: of a paper the first one and the year; "" where none could be found.
        link: where to read it; "" where no public address could be found.
    """

    title: str
    author: str
    link: str


class Claim(NamedTuple):
    """What somebody says about attention or recurrence.

    Attributes:
        statement: the claim, in our words.
        said: a few words of each of the `SOURCES` that make it, as they stand there.
    """

    statement: str
    said: dict[str, str]


class Finding(NamedTuple):
    """A verdict on a claim, read back from a printed line."""

    identifier: str
    verdict: str
    measured: str

    def __str__(self) -> str:
        return f"[{self.identifier}] {self.verdict}: {self.measured}"


SOURCES: dict[str, Source] = {
    "000": Source(
        "Attention is Viral!",
        "Wei, in the blog N+3/4, 2019",
        "https://github.com/weiddeng/blog/blob/259c5335b2231542d165c0abcf20943bfbfbe052/"
        "_posts/2019-06-29-attention-is-viral.markdown",
    ),
    "001": Source("Attention: in search of efficient and performant seq2seq encoder", "", ""),
    "002": Source("All About Attention and Transformer", "", ""),
    "003": Source("Notes: Attention! Transformers!", "", ""),
    "004": Source("Attention", "", ""),
    "bahdanau": Source(
        "Neural Machine Translation by Jointly Learning to Align and Translate",
        "Bahdanau et al., 2015",
        "https://arxiv.org/abs/1409.0473",
    ),
    "cho": Source(
        "On the Properties of Neural Machine Translation",
        "Cho et al., 2014",
        "https://arxiv.org/abs/1409.1259",
    ),
    "d2l": Source(
        "Dive into Deep Learning, Natural Language Inference: Using Attention",
        "Zhang et al., 2023",
        "https://d2l.ai/chapter_natural-language-processing-applications/"
        "natural-language-inference-attention.html",
    ),
    "jelassi": Source(
        "Repeat After Me: Transformers are Better than State Space Models at Copying",
        "Jelassi et al., 2024",
        "https://arxiv.org/abs/2402.01032",
    ),
    "katharopoulos": Source(
        "Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention",
        "Katharopoulos et al., 2020",
        "https://arxiv.org/abs/2006.16236",
    ),
    "luong": Source(
        "Effective Approaches to Attention-based Neural Machine Translation",
        "Luong et al., 2015",
        "https://arxiv.org/abs/1508.04025",
    ),
    "schlag": Source(
        "Linear Transformers Are Secretly Fast Weight Programmers",
        "Schlag et al., 2021",
        "https://arxiv.org/abs/2102.11174",
    ),
    "vaswani": Source(
        "Attention Is All You Need", "Vaswani et al., 2017", "https://arxiv.org/abs/1706.03762"
    ),
    "yang": Source(
        "Hierarchical Attention Networks for Document Classification",
        "Yang et al., 2016",
        "https://aclanthology.org/N16-1174/",
    ),
}
"""The numbers are the five sets of notes that the course grew from: 002 is of 2021, 003 of 2020,
001 is an undated draft, and 004 are undated notes of a lecture."""

CLAIMS: dict[str, Claim] = {
    "C01": Claim(
        "One context vector of fixed size serves long sources worse",
        {
            "cho": "degrades rapidly as the length of the sentence",
            "000": "When input sequence is long, quality degrades",
            "003": "Compressing all the source sentence information into a single vector",
            "004": "the difficulty of training a model capable of encoding a long sequence",
        },
    ),
    "C02": Claim(
        "GRU and LSTM mend long sequences in theory, and fall short in practice",
        {
            "000": "Theoretically GRU/LSTM mitigates the problem "
            "but practically they still come short",
            "004": "challenges still remain when it comes to long-term dependencies",
        },
    ),
    "C03": Claim(
        "A recurrent gradient vanishes with distance because the non-linearity squashes",
        {
            "001": "gradient problems caused by non-linearity of sigmoid",
            "002": "the gradient is differentiated too many times",
            "004": "gradually more difficult to learn relationships as the distance",
        },
    ),
    "C04": Claim(
        "Recurrence cannot be parallel over time; attention can",
        {
            "vaswani": "precludes parallelization within training examples",
            "001": "hence concurrency is impossible",
            "002": "we can not utilize the parallel computing",
            "003": "without using recurrence, and thus, allowing parallelization",
        },
    ),
    "C05": Claim(
        "An unrolled recurrent net is a deep net with shared weights",
        {
            "004": "where the same weights are used at each layer",
        },
    ),
    "C06": Claim(
        "The LSTM's cell state cures vanishing gradients; long dependencies stay hard",
        {
            "002": "let the cell decide whether to remember or forget",
            "004": "does resolve the issue of vanishing gradients",
        },
    ),
    "C08": Claim(
        "With attention, quality no longer falls with length",
        {
            "bahdanau": "no performance deterioration even with sentences of length 50 or more",
            "000": "It mitigates a pain point",
            "003": "doesn't want to reduce all the information in a single vector",
        },
    ),
    "C09": Claim(
        "Attention weights are soft word alignments",
        {
            "bahdanau": "(soft-)alignments found by the model agree well with our intuition",
            "003": "able to align an input sequence to an output sequence",
            "004": "soft alignments",
        },
    ),
    "C10": Claim(
        "Bahdanau's attention is query-key-value, keys and values both the annotations",
        {
            "000": "the query hitting on each key, value pair",
            "003": "With this, we can write Bahdanau's attention",
        },
    ),
    "C11": Claim(
        "A plain dot product with the decoder state is enough of a score",
        {
            "luong": "dot works well for the global attention",
            "004": "we take the dot product between our output state",
        },
    ),
    "C12": Claim(
        "A local window is cheaper than global attention and loses little",
        {
            "luong": "which is expensive and can potentially render it impractical",
            "003": "Attending to all source words is computationally expensive",
        },
    ),
    "C13": Claim(
        "Soft is akin to global and hard to local; hard is intricate and has no gradient",
        {
            "luong": "the hard attention model is non-differentiable",
            "003": "similar to local attention, but more complicated",
        },
    ),
    "C14": Claim(
        "In higher dimensions the mean of dot products grows",
        {
            "002": "as the dimension goes up, the average of R increases",
        },
    ),
    "C15": Claim(
        "Without the 1/√d scale the softmax's gradient becomes tiny",
        {
            "vaswani": "regions where it has extremely small gradients",
            "001": "the softmax function may have an extremely small gradient",
        },
    ),
    "C23": Claim(
        "Decomposable attention extends a bag-of-vectors model",
        {
            "004": "Can we relate this model to the ‘bag of vectors’ model",
        },
    ),
    "C24": Claim(
        "Decomposable attention is linear in the length",
        {
            "d2l": "a more desirable linear complexity than quadratic complexity "
            "when computing attention weights",
        },
    ),
    "C25": Claim(
        "Heads run side by side and W^O mixes them",
        {
            "001": "concat of multiple attention + linear mapping back to dim",
            "003": "Each attention layer is computed in parallel",
        },
    ),
    "C27": Claim(
        "Self-attention alone knows no order; positions must be added, masks still apply",
        {
            "vaswani": "in order for the model to make use of the order of the sequence",
            "000": "Since keys have order, mask can apply",
            "001": "positional encoding",
        },
    ),
    "C28": Claim(
        "The decoder's mask hides every later step",
        {
            "001": "masked attention to avoid observing steps later",
        },
    ),
    "C29": Claim(
        "Attention learns relations such as verb and object with no parser",
        {
            "002": "trying to learn those relations in an implicit way",
        },
    ),
    "C30": Claim(
        "Heads specialise in ways that a reader can name",
        {
            "vaswani": "attention heads clearly learn to perform different tasks",
            "004": "manually [inspect] the attention heads",
        },
    ),
    "C32": Claim(
        "Encoding runs once, decoding runs token by token",
        {
            "001": "decode process: auto-regressive generation",
        },
    ),
    "C33": Claim(
        "Attention weights show which words and sentences an answer rests on",
        {
            "yang": "which words and sentences contribute to the classification decision",
        },
    ),
    "C34": Claim(
        "A Transformer with linear attention is a recurrent net",
        {
            "katharopoulos": "reveals their relationship to recurrent neural networks",
        },
    ),
    "C35": Claim(
        "A matrix of d × d numbers keeps no more than d pairs",
        {
            "schlag": "storing more than d_dot associations will result in a retrieval error",
        },
    ),
    "C36": Claim(
        "The delta rule can correct what a memory holds for a key",
        {
            "schlag": "can more easily learn to correct the current mapping from keys to values",
        },
    ),
    "C37": Claim(
        "Attention recalls more than a state of fixed size",
        {
            "jelassi": "fundamentally limited by their fixed-size latent state",
        },
    ),
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
