"""Corpus BLEU against the formula of Papineni et al. (2002) and against sacreBLEU's own call."""

import math
import random
from collections import Counter

import pytest
import sacrebleu

from course_lib.evaluation.bleu import corpus_bleu

WORDS = ["the", "a", "old", "small", "woman", "dog", "sees", "hears", "in", "garden", "and", "not"]


def corpus(seed: int) -> tuple[list[str], list[str]]:
    """References of random words and hypotheses with some words lost, changed or added."""
    rng = random.Random(seed)
    references, hypotheses = [], []
    for _ in range(40):
        words = [rng.choice(WORDS) for _ in range(rng.randint(4, 20))]
        noisy = [w if rng.random() > 0.15 else rng.choice(WORDS) for w in words]
        noisy = noisy[: rng.randint(max(3, len(words) - 3), len(words))]
        references.append(" ".join(words))
        hypotheses.append(" ".join(noisy))
    return hypotheses, references


def ngrams(words: list[str], n: int) -> Counter:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def papineni(hypotheses: list[str], references: list[str]) -> float:
    """Section 2.3: geometric mean of clipped precisions, times the brevity penalty."""
    logs = 0.0
    for n in range(1, 5):
        matched = total = 0
        for hypothesis, reference in zip(hypotheses, references, strict=True):
            found, wanted = ngrams(hypothesis.split(), n), ngrams(reference.split(), n)
            matched += sum((found & wanted).values())
            total += sum(found.values())
        logs += math.log(matched / total) / 4
    c = sum(len(h.split()) for h in hypotheses)
    r = sum(len(reference.split()) for reference in references)
    return 100 * min(1.0, math.exp(1 - r / c)) * math.exp(logs)


@pytest.mark.parametrize("seed", range(5))
def test_bleu_equals_the_formula_of_the_paper(seed: int) -> None:
    hypotheses, references = corpus(seed)
    assert corpus_bleu(hypotheses, references).value == pytest.approx(
        papineni(hypotheses, references), abs=1e-9
    )


@pytest.mark.parametrize("lowercase", [False, True])
def test_bleu_equals_sacrebleu_on_text_with_case_punctuation_and_umlauts(lowercase: bool) -> None:
    references = [
        "Zwei junge weiße Männer sind im Freien, in der Nähe vieler Büsche.",
        "Mehrere Männer mit Schutzhelmen bedienen ein Antriebsradsystem.",
        'Ein Mann in einem blauen Hemd sagt: "Das kostet 3,50 Euro!"',
    ]
    hypotheses = [
        "zwei junge Männer sind im Freien in der Nähe von Büschen.",
        "Männer mit Helmen bedienen ein System .",
        'Ein mann in einem blauen Hemd sagt "Das kostet 3,50 Euro"!',
    ]
    expected = sacrebleu.corpus_bleu(hypotheses, [references], lowercase=lowercase)
    result = corpus_bleu(hypotheses, references, lowercase=lowercase)
    assert result.value == pytest.approx(expected.score, abs=1e-9)
    assert 10 < result.value < 90
