"""Corpus BLEU and chrF, as sacreBLEU computes them, with the signature that makes them comparable.

Both sides are plain text and sacreBLEU cuts them into tokens. They are normalised first as every
tokenizer of the course does it (composed accents, no invisible characters): a model cannot write
what its tokenizer does not know, so a reference in another Unicode form would count as wrong.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sacrebleu.metrics import BLEU, CHRF

from course_lib.data.tokens.tokenizer import Tokenizer
from course_lib.data.tokens.words import normalise
from course_lib.evaluation.translate import translate
from course_lib.models.protocol import EncoderDecoder


class Bleu(NamedTuple):
    """BLEU of a corpus in 0..100, sacreBLEU's record of how it was computed, and its tokens."""

    value: float
    signature: str
    hypothesis_tokens: int
    reference_tokens: int

    def __str__(self) -> str:
        return f"BLEU {self.value:.1f} ({self.signature})"


# Scripts that put no spaces between words; the first two rows are Chinese characters.
_CHARACTERS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_CHINESE = re.compile(f"[{_CHARACTERS}]")
_OTHERS = re.compile("[\u3041-\u30ff\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff]")


def tokenizer_for(references: Iterable[str]) -> str:
    """The sacreBLEU tokenizer for such text: its default, "13a", cuts at spaces and punctuation.

    In scripts without spaces between words a whole sentence would count as one word. Chinese is
    cut by "zh"; Japanese, Thai and similar scripts are cut into characters, by "char".
    """
    text = "".join(references)
    chinese, others = len(_CHINESE.findall(text)), len(_OTHERS.findall(text))
    if 2 * (chinese + others) <= len("".join(text.split())):
        return "13a"
    return "char" if others else "zh"


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[str],
    lowercase: bool = False,
    tokenize: str = "13a",
) -> Bleu:
    """BLEU of a corpus with one reference a sentence (Papineni et al. 2002, section 2.3).

    With `lowercase` without regard to case; for `tokenize` see `tokenizer_for`. ValueError for
    another number of references; TypeError for a bare string or no text.
    """
    hypotheses, references = _normalised(hypotheses, references)
    # force: sentences of the mini-world end in " .", which sacreBLEU would take for text that was
    # tokenised by mistake and complain about on stderr. BLEU is the same.
    metric = BLEU(lowercase=lowercase, tokenize=tokenize, force=True)
    result = metric.corpus_score(hypotheses, [references])
    return Bleu(
        value=float(result.score),
        signature=str(metric.get_signature()),
        hypothesis_tokens=int(result.sys_len),
        reference_tokens=int(result.ref_len),
    )


def greedy_bleu(
    model: EncoderDecoder, pairs: Sequence[tuple[str, str]], tokenizers: tuple[Tokenizer, Tokenizer]
) -> float:
    """BLEU of greedy translations without regard to case, a validation metric for `fit`."""
    sources, references = zip(*pairs, strict=True)
    translations = translate(model, sources, *tokenizers, batch_size=256, max_length=100)
    return corpus_bleu([line.text for line in translations], references, lowercase=True).value


class Chrf(NamedTuple):
    """chrF of a corpus, in 0..100, and sacreBLEU's record of how it was computed."""

    value: float
    signature: str


def corpus_chrf(hypotheses: Sequence[str], references: Sequence[str]) -> Chrf:
    """The F-score of character n-grams, n from 1 to 6, recall counted twice (Popović 2015).

    Unlike BLEU it gives credit for a word with the wrong ending, which matters for German.
    Arguments and errors are those of `corpus_bleu`.
    """
    hypotheses, references = _normalised(hypotheses, references)
    metric = CHRF()
    result = metric.corpus_score(hypotheses, [references])
    return Chrf(float(result.score), str(metric.get_signature()))


def _normalised(
    hypotheses: Sequence[str], references: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Both sides in one Unicode form. Of a bare string sacreBLEU would score the letters."""
    for name, texts in (("hypotheses", hypotheses), ("references", references)):
        if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
            raise TypeError(f"want a list of sentences as plain text as {name}; got {texts!r:.60}")
    if len(hypotheses) != len(references):
        counts = f"{len(hypotheses)} hypotheses and {len(references)} references"
        raise ValueError(f"want one reference for each hypothesis; got {counts}")
    return [normalise(h, False) for h in hypotheses], [normalise(r, False) for r in references]
