"""BLEU is sacreBLEU's, on plain text, and what can not be scored is refused."""

import unicodedata

import numpy as np
import pytest

from course_lib.evaluation.bleu import corpus_bleu, corpus_chrf, tokenizer_for

REFERENCES = ["The old woman saw a small dog.", "Two men are sitting in the garden of the house."]


def test_a_perfect_translation_scores_100() -> None:
    result = corpus_bleu(REFERENCES, REFERENCES)
    assert result.value == pytest.approx(100.0)


def test_the_signature_tells_case_tokenizer_smoothing_and_version() -> None:
    cased = corpus_bleu(REFERENCES, REFERENCES).signature
    lower = corpus_bleu(REFERENCES, REFERENCES, lowercase=True).signature
    assert cased.startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")
    assert lower == cased.replace("case:mixed", "case:lc")


def test_output_that_is_too_short_is_punished() -> None:
    result = corpus_bleu(["The old woman saw a"], ["The old woman saw a small dog."])
    assert result.value < 60
    assert (result.hypothesis_tokens, result.reference_tokens) == (5, 8)


def test_hypotheses_and_references_must_pair_up() -> None:
    with pytest.raises(ValueError, match="got 1 hypotheses and 2"):
        corpus_bleu(REFERENCES[:1], REFERENCES)
    with pytest.raises(ValueError, match="got 2 hypotheses and 1"):
        corpus_bleu(REFERENCES, REFERENCES[:1])


@pytest.mark.parametrize("measure", [corpus_bleu, corpus_chrf])
def test_a_bare_string_would_be_scored_letter_by_letter_and_is_refused(measure) -> None:
    # beartype lets a str pass as a sequence of str, so the function itself must look.
    with pytest.raises(TypeError, match="list of sentences"):
        measure("a dog", "a dog")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A cat.", "13a"),
        ("我有三只猫。", "zh"),
        ("猫がいます。", "char"),
        ("แมวนอน", "char"),
        ("The word for cat is 猫 there.", "13a"),
        ("", "13a"),
    ],
)
def test_scripts_without_spaces_are_cut_by_the_letter(text, name):
    assert tokenizer_for([text]) == name
    if text:
        assert f"tok:{name}" in corpus_bleu([text], [text], tokenize=name).signature


@pytest.mark.parametrize("measure", [corpus_bleu, corpus_chrf])
@pytest.mark.parametrize("side", [0, 1])
def test_another_unicode_form_of_the_same_words_changes_nothing(measure, side):
    """A file from a Mac has accents apart; one from a typesetter soft hyphens."""
    pairs = [["der schöne Vogel singt", "das Mädchen sieht die Tür"]] * 2
    wanted = measure(*pairs).value
    for form in (
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text.replace("ch", "c\N{SOFT HYPHEN}h"),
    ):
        changed = list(pairs)
        changed[side] = [form(text) for text in pairs[side]]
        assert changed[side] != pairs[side]
        assert measure(*changed).value == pytest.approx(wanted)


@pytest.mark.parametrize("measure", [corpus_bleu, corpus_chrf])
def test_an_array_of_sentences_is_a_list_of_sentences(measure):
    assert measure(np.array(REFERENCES), np.array(REFERENCES)).value == pytest.approx(100)
