"""BLEU of greedy translations as a validation metric, by which `fit` chooses weights."""

from collections.abc import Sequence

from course_lib.data.tokens.tokenizer import Tokenizer
from course_lib.evaluation.bleu import corpus_bleu
from course_lib.evaluation.translate import translate
from course_lib.models.protocol import EncoderDecoder

_BATCH, _LONGEST = 256, 100


def greedy_bleu(
    model: EncoderDecoder,
    pairs: Sequence[tuple[str, str]],
    tokenizers: tuple[Tokenizer, Tokenizer],
) -> float:
    """The BLEU of a model's greedy translations, from 0 to 100, without regard to case.

    Args:
        model: the translator.
        pairs: source sentences and their references, as plain text.
        tokenizers: of the source and of the target.

    Raises:
        CourseError: no pairs, or an empty source sentence.
    """
    translations = translate(
        model,
        [source for source, _ in pairs],
        *tokenizers,
        batch_size=_BATCH,
        max_length=_LONGEST,
    )
    references = [reference for _, reference in pairs]
    return corpus_bleu([line.text for line in translations], references, lowercase=True).value
