"""BLEU of greedy translations as a validation metric, by which `fit` chooses weights."""

from collections.abc import Sequence

from course_lib.data.tokens.tokenizer import Tokenizer
from course_lib.evaluation.bleu import corpus_bleu
from course_lib.evaluation.translate import translate
from course_lib.models.protocol import EncoderDecoder

_BATCH, _LONGEST = 256, 100


def greedy_bleu(
    model: EncoderDecoder, pairs: Sequence[tuple[str, str]], tokenizers: tuple[Tokenizer, Tokenizer]
) -> float:
    """BLEU of the greedy translations of these pairs, 0 to 100, without regard to case."""
    sources, references = zip(*pairs, strict=True)
    translations = translate(model, sources, *tokenizers, batch_size=_BATCH, max_length=_LONGEST)
    return corpus_bleu([line.text for line in translations], references, lowercase=True).value
