"""From sentences to translations, with the attention of each."""

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from jaxtyping import Float
from torch import Tensor, nn
from tqdm import tqdm

from course_lib.data.batch import EncodedPair, collate
from course_lib.data.tokens.tokenizer import END, SPECIALS, Tokenized, Tokenizer, merge_to_words
from course_lib.decoding.generate import Decoded
from course_lib.decoding.greedy import greedy
from course_lib.errors import CourseError
from course_lib.models.protocol import evaluating


class Translation(NamedTuple):
    """One translated sentence.

    Attributes:
        text: the translation as plain text.
        source, target: tokens and words that the model read and wrote, without the end mark.
        finished: whether it wrote the end mark; otherwise it was cut off at `max_length`.
        weights: (T, S + 1), attention of each target token over the source tokens and, in the
            last column, the end mark; None unless asked for, and for a model without attention.
        word_weights: (Tw, Sw + 1), the same over words: summed over the tokens of a source word,
            averaged over those of a target word. Its labels are `source_labels` and `target.words`.
    """

    text: str
    source: Tokenized
    target: Tokenized
    finished: bool
    weights: Float[Tensor, "_ _"] | None
    word_weights: Float[Tensor, "_ _"] | None

    @property
    def source_labels(self) -> list[str]:
        """The source words and the end mark: one label for each column of `word_weights`."""
        return [*self.source.words, SPECIALS[END]]


def translate(
    model: nn.Module,
    sentences: Sequence[str | Sequence[str]],
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    *,
    batch_size: int = 64,
    max_length: int = 128,
    max_source: int | None = None,
    return_attention: bool = False,
    progress: bool = False,
    search: Callable[..., Decoded] | None = None,
) -> list[Translation]:
    """Translate sentences, by default with greedy search; the model keeps its mode.

    Sentences of similar length share a batch; a translation does not depend on its batch.

    Args:
        sentences: plain text, or lists of words; CourseError if one is empty.
        source_tokenizer: the one that the model was trained with, as the target's.
        batch_size: sentences translated side by side.
        max_length: tokens after which an unfinished translation is cut off.
        max_source: longest source allowed, in tokens, else CourseError; None allows any length.
        search: by default `greedy`; for five beams `functools.partial(beam, beams=5)`.
    """
    if isinstance(sentences, str):
        raise TypeError("want a list of sentences; got one bare string")
    sources = [
        _encode(number, sentence, source_tokenizer, max_source)
        for number, sentence in enumerate(sentences, start=1)
    ]
    order = sorted(range(len(sources)), key=lambda i: len(sources[i].ids))
    starts = range(0, len(order), batch_size)
    translations: dict[int, Translation] = {}
    with evaluating(model) as device:
        # A program without a console has no standard error.
        hidden = not progress or sys.stderr is None
        for start in tqdm(starts, desc="translate", unit="batch", disable=hidden):
            rows = order[start : start + batch_size]
            pairs = [EncodedPair([*sources[i].ids, END], []) for i in rows]
            batch = collate(pairs, rows).to(device)
            decoded = (search or greedy)(
                model,
                batch.source,
                batch.source_mask,
                max_length=max_length,
                return_attention=return_attention,
            )
            for i, ids, matrix, done in zip(
                rows, decoded.ids, decoded.weights, decoded.finished, strict=True
            ):
                target = target_tokenizer.from_ids(ids)
                text, words = target_tokenizer.decode(ids), None
                if matrix is not None:
                    matrix = matrix.cpu()
                    words = over_words(matrix, sources[i], target)
                translations[i] = Translation(text, sources[i], target, done, matrix, words)
    return [translations[i] for i in range(len(sources))]


def _encode(
    number: int, sentence: str | Sequence[str], tokenizer: Tokenizer, longest: int | None
) -> Tokenized:
    try:
        source = tokenizer.encode(sentence)
    except CourseError as error:
        raise CourseError(f"sentence {number}: {error}") from error
    if longest is not None and len(source.ids) > longest:
        raise CourseError(
            f"want at most {longest} tokens; sentence {number} has {len(source.ids)} tokens; split "
            "it into shorter sentences"
        )
    return source


def over_words(
    weights: Float[Tensor, "T S"], source: Tokenized, target: Tokenized
) -> Float[Tensor, "Tw Sw"]:
    """Merge attention over tokens into that over words; the source's end mark is a last word."""
    if not target.ids:
        return weights.new_zeros(0, len(source.words) + 1)
    return merge_to_words(weights, target.word_of_token, [*source.word_of_token, len(source.words)])
