"""What a trained translator is worth on one split: perplexity, BLEU and chrF, BLEU by length."""

import time
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from course_lib.data.batch import Batches, encode_pairs
from course_lib.data.tokens.tokenizer import Tokenizer
from course_lib.decoding.beam import beam
from course_lib.decoding.greedy import greedy
from course_lib.evaluation.bleu import corpus_bleu, corpus_chrf
from course_lib.evaluation.teacher_forcing import teacher_forced
from course_lib.evaluation.translate import translate
from course_lib.models.protocol import EncoderDecoder
from course_lib.training.objective import perplexity

SEARCHES = {"greedy": greedy, "beam5": partial(beam, beams=5)}
EDGES = (1, 8, 11, 14, 18, 10_000)
"""Where the bins of source lengths begin, in words and punctuation marks; the last is open."""
_BATCH, _LONGEST = 256, 100

Pairs = Sequence[tuple[str, str]]


def translations(
    model: EncoderDecoder, pairs: Pairs, tokenizer: Tokenizer, search: str
) -> list[str]:
    """What the model makes of the sources, as plain text."""
    translated = translate(
        model,
        [source for source, _ in pairs],
        tokenizer,
        tokenizer,
        batch_size=_BATCH,
        max_length=_LONGEST,
        search=SEARCHES[search],
    )
    return [translation.text for translation in translated]


def forced_scores(model: EncoderDecoder, pairs: Pairs, tokenizer: Tokenizer) -> dict[str, float]:
    """Teacher-forced perplexity of the references: of a token, and of a word.

    The nats are summed over all tokens and the end mark, and shared among the tokens, or among
    the words and punctuation marks; an end mark counts as one of them.
    """
    encoded = encode_pairs(pairs, tokenizer, tokenizer)
    scores = teacher_forced(model, Batches(encoded, tokens_per_batch=8192))
    words = sum(len(tokenizer.encode(target).words) + 1 for _, target in pairs)
    return {
        "perplexity": round(scores.perplexity, 3),
        "perplexity_per_word": round(perplexity(scores.nats * scores.tokens, words), 3),
    }


def text_scores(pairs: Pairs, hypotheses: Sequence[str], lengths: Sequence[int]) -> dict[str, Any]:
    """BLEU with and without regard to case, chrF, and BLEU without case by source length.

    Args:
        pairs: sources and references.
        hypotheses: what the model wrote.
        lengths: of the sources, in words.
    """
    references = [target for _, target in pairs]
    cased, lower = (corpus_bleu(hypotheses, references, lowercase=low) for low in (False, True))
    chrf = corpus_chrf(hypotheses, references)
    bins = []
    for low, high in pairwise(EDGES):
        rows = [i for i, length in enumerate(lengths) if low <= length < high]
        if rows:
            score = corpus_bleu(
                [hypotheses[i] for i in rows], [references[i] for i in rows], lowercase=True
            ).value
            bins.append({"from": low, "sentences": len(rows), "bleu": round(score, 2)})
    return {
        "bleu": round(cased.value, 2),
        "bleu_lowercase": round(lower.value, 2),
        "chrf": round(chrf.value, 2),
        "signatures": [cased.signature, lower.signature, chrf.signature],
        "by_length": bins,
    }


def judge(
    model: EncoderDecoder,
    pairs: Pairs,
    lengths: Sequence[int],
    tokenizer: Tokenizer,
    searches: Sequence[str],
) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """All scores of a split, and what the model wrote by each search; see `text_scores`."""
    scores: dict[str, Any] = {"sentences": len(pairs)}
    scores |= forced_scores(model, pairs, tokenizer)
    written = {}
    for search in searches:
        begun = time.monotonic()
        written[search] = translations(model, pairs, tokenizer, search)
        seconds = round(time.monotonic() - begun, 2)
        scores[search] = {**text_scores(pairs, written[search], lengths), "seconds": seconds}
    return scores, written
