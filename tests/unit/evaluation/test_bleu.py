"""BLEU is sacreBLEU's, on plain text, and what can not be scored is refused."""

import pytest

from course_lib.evaluation.bleu import corpus_bleu, tokenizer_for

REFERENCES = ["The old woman saw a small dog.", "Two men are sitting in the garden of the house."]


def test_a_perfect_translation_scores_100() -> None:
    result = corpus_bleu(REFERENCES, REFERENCES)
    assert result.value == pytest.approx(100.0)
    assert result.brevity_penalty == 1.0
    assert result.precisions == (100.0, 100.0, 100.0, 100.0)


def test_the_signature_tells_case_tokenizer_smoothing_and_version() -> None:
    cased = corpus_bleu(REFERENCES, REFERENCES).signature
    lower = corpus_bleu(REFERENCES, REFERENCES, lowercase=True).signature
    assert cased.startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")
    assert lower == cased.replace("case:mixed", "case:lc")


def test_case_counts_unless_told_otherwise() -> None:
    shouted = [text.upper() for text in REFERENCES]
    assert corpus_bleu(shouted, REFERENCES).value < 20
    assert corpus_bleu(shouted, REFERENCES, lowercase=True).value == pytest.approx(100.0)


def test_it_is_the_corpus_that_is_scored_not_the_mean_of_sentences() -> None:
    hypotheses = [REFERENCES[0], "Two men sit in the garden."]
    whole = corpus_bleu(hypotheses, REFERENCES).value
    parts = [corpus_bleu([h], [r]).value for h, r in zip(hypotheses, REFERENCES, strict=True)]
    assert abs(whole - sum(parts) / 2) > 3


def test_output_that_is_too_short_is_punished() -> None:
    result = corpus_bleu(["The old woman saw a"], ["The old woman saw a small dog."])
    assert result.precisions == (100.0, 100.0, 100.0, 100.0)
    assert result.brevity_penalty < 0.6
    assert (result.hypothesis_tokens, result.reference_tokens) == (5, 8)


def test_an_empty_hypothesis_is_a_bad_translation_not_an_error() -> None:
    assert corpus_bleu(["", REFERENCES[1]], REFERENCES).value < 80


def test_spaced_full_stops_bring_no_warning_to_the_notebook(caplog, capfd) -> None:
    spaced = ["the old woman sees the dog ."] * 200
    assert corpus_bleu(spaced, spaced).value == pytest.approx(100.0)
    assert not caplog.records
    assert capfd.readouterr() == ("", "")


def test_text_for_people_is_one_line_with_the_signature() -> None:
    shown = str(corpus_bleu(REFERENCES, REFERENCES))
    assert shown.startswith("BLEU 100.0 (nrefs:1|")
    assert "\n" not in shown


def test_hypotheses_and_references_must_pair_up() -> None:
    with pytest.raises(ValueError, match="got 1 hypotheses and 2"):
        corpus_bleu(REFERENCES[:1], REFERENCES)


def test_nothing_to_score_is_an_error_not_a_zero() -> None:
    with pytest.raises(ValueError, match="at least one sentence"):
        corpus_bleu([], [])


def test_a_bare_string_would_be_scored_letter_by_letter_and_is_refused() -> None:
    # beartype lets a str pass as a sequence of str, so the function itself must look.
    with pytest.raises(TypeError, match="list of sentences"):
        corpus_bleu("a dog", "a dog")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A cat.", "13a"),
        ("我有三只猫。", "zh"),
        ("猫がいます。", "char"),
        ("แมวนอน", "char"),
        ("", "13a"),
    ],
)
def test_scripts_without_spaces_are_cut_by_the_letter(text, name):
    assert tokenizer_for([text]) == name
    if text:
        assert f"tok:{name}" in corpus_bleu([text], [text], tokenize=name).signature
