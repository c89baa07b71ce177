"""Where in a sentence a model is right: by the place in the source, and after a first error."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from jaxtyping import Bool
from torch import Tensor

from course_lab.experiments.lab.world import Tokenizers
from course_lib.data.batch import Batch, Batches, encode_pairs
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import END
from course_lib.evaluation.teacher_forcing import map_teacher_forced
from course_lib.evaluation.translate import translate
from course_lib.models.protocol import EncoderDecoder, Output

LONG, FIFTHS = 12, 5
"""`by_fifths` takes sentences of so many words or more, and so many parts of them."""
STOP = "."


class Share(NamedTuple):
    """How many of how many words are right."""

    right: int
    of: int

    @property
    def rate(self) -> float:
        """right / of; NaN where there are none."""
        return self.right / self.of if self.of else float("nan")


def forced_right(
    model: EncoderDecoder, pairs: Sequence[AlignedPair], tokenizers: Tokenizers
) -> list[Bool[Tensor, " _"]]:
    """Whether the model's first choice is the true word, when it has read the true words so far.

    Returns:
        for each pair one row over its target words and the end mark.
    """

    def rows(batch: Batch, output: Output) -> list[Tensor]:
        right = output.logits.argmax(-1) == batch.target_out
        return [row[real] for row, real in zip(right, batch.target_mask, strict=True)]

    batches = Batches(encode_pairs(pairs, *tokenizers), pairs_per_batch=100, shuffle=False)
    return [row for group in map_teacher_forced(model, batches, rows) for row in group]


def by_source_fifth(
    model: EncoderDecoder, pairs: Sequence[AlignedPair], tokenizers: Tokenizers
) -> list[Share]:
    """From where in the source the words come that a model gets right, teacher forced.

    Only pairs of `LONG` source words or more count, and in them target words with one sure link.

    Returns:
        one share for each fifth of the source, the first words first.
    """
    return by_fifths(model, pairs, tokenizers, marks=True)["source"]


def by_fifths(
    model: EncoderDecoder,
    pairs: Sequence[AlignedPair],
    tokenizers: Tokenizers,
    *,
    marks: bool = False,
) -> dict[str, list[Share]]:
    """The same words sorted twice: by the place of their partner in the source, and by their own.

    Only pairs of `LONG` source words or more count, and in them target words with one sure link;
    the full stop at the end does where `marks` is true.

    Returns:
        "source" and "target", each with one share for each fifth of the sentence, the first words
        first.
    """
    counts = {side: [[0, 0] for _ in range(FIFTHS)] for side in ("source", "target")}
    long = [pair for pair in pairs if len(pair.source) >= LONG]
    for pair, right in zip(long, forced_right(model, long, tokenizers), strict=True):
        for j, word in enumerate(pair.target):
            partners = [source for source, target in pair.sure if target == j]
            if len(partners) != 1 or (word == STOP and not marks):
                continue
            for side, place, words in (
                ("source", partners[0], pair.source),
                ("target", j, pair.target),
            ):
                fifth = counts[side][place * FIFTHS // len(words)]
                fifth[0] += int(right[j])
                fifth[1] += 1
    return {side: [Share(*count) for count in fifths] for side, fifths in counts.items()}


class AfterFirstError(NamedTuple):
    """The same positions, once with the true words before them and once with the model's own.

    Attributes:
        forced: right words after the first error, the model having read the true words.
        free: right words at the same positions of what it wrote by itself.
        forced_anywhere: true words after the first error that are among its choices after it, at
            whatever place, the model having read the true words.
        free_anywhere: the same of what it wrote by itself.
    """

    forced: Share
    free: Share
    forced_anywhere: Share
    free_anywhere: Share


def after_first_error(
    model: EncoderDecoder, pairs: Sequence[AlignedPair], tokenizers: Tokenizers
) -> AfterFirstError:
    """What a model does with a sentence once it has made an error in it.

    Up to and with its first error it writes the same in both ways of reading, for it has read the
    same. So the words that count are those after it, of the translations with an error.
    """
    longest = max(len(pair.target) for pair in pairs)
    translations = translate(model, [p.source for p in pairs], *tokenizers, max_length=2 * longest)
    right, of = Counter[str](), 0
    for pair, chosen, wrote in zip(
        pairs, forced_choices(model, pairs, tokenizers), translations, strict=True
    ):
        true = tokenizers[1].encode(pair.target).ids
        places = [i for i, (a, b) in enumerate(zip(chosen, [*true, END], strict=True)) if a != b]
        if not places:
            continue
        begin = places[0] + 1
        rest = true[begin:]
        of += len(rest)
        for way, ids in (("forced", chosen[:-1]), ("free", wrote.target.ids)):
            after = ids[begin:]
            right[way] += sum(a == b for a, b in zip(rest, after, strict=False))
            right[f"{way}_anywhere"] += (Counter(rest) & Counter(after)).total()
    return AfterFirstError(**{name: Share(right[name], of) for name in AfterFirstError._fields})


def forced_choices(
    model: EncoderDecoder, pairs: Sequence[AlignedPair], tokenizers: Tokenizers
) -> list[list[int]]:
    """The model's first choice at each step, the end mark's too, having read the true words."""

    def rows(batch: Batch, output: Output) -> list[list[int]]:
        chosen = output.logits.argmax(-1)
        return [row[real].tolist() for row, real in zip(chosen, batch.target_mask, strict=True)]

    batches = Batches(encode_pairs(pairs, *tokenizers), pairs_per_batch=100, shuffle=False)
    return [row for group in map_teacher_forced(model, batches, rows) for row in group]
