"""A verdict needs a known claim, a known word, one true inequality and a figure."""

import numpy as np
import pytest
import torch

from course_lab.claims import CLAIMS, VERDICTS, Finding, claim, read_findings


def test_every_claim_of_the_course_is_registered_once() -> None:
    assert list(CLAIMS) == [f"C{n:02d}" for n in range(1, len(CLAIMS) + 1)]
    assert len({entry.statement for entry in CLAIMS.values()}) == len(CLAIMS) >= 33


def test_every_claim_has_a_statement_of_one_short_line() -> None:
    for identifier, entry in CLAIMS.items():
        assert 10 < len(entry.statement) <= 95, identifier
        assert entry.statement == entry.statement.strip(" ."), identifier


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("true", [True, np.bool_(True), np.array(True), torch.tensor(True)])
def test_a_true_inequality_prints_one_line_that_reads_back(capsys, verdict, true) -> None:
    claim("C08", verdict, true, "exact match 0.97 at 41–50 words: √, ü, [x]")
    printed = capsys.readouterr().out
    assert printed == f"[C08] {verdict}: exact match 0.97 at 41–50 words: √, ü, [x]\n"
    assert list(read_findings(printed)) == [
        Finding("C08", verdict, "exact match 0.97 at 41–50 words: √, ü, [x]")
    ]


@pytest.mark.parametrize("false", [False, np.bool_(False), torch.tensor(1.0) > 2])
def test_a_false_inequality_is_an_assertion_error_and_prints_nothing(capsys, false) -> None:
    with pytest.raises(AssertionError, match=r"C08.*does not support.*'holds'.*0\.40"):
        claim("C08", "holds", false, "exact match 0.40")
    assert capsys.readouterr().out == ""


def test_findings_are_read_in_order_from_among_other_output() -> None:
    text = (
        "epoch 3 loss 0.12\n"
        "[C01] holds: exact match 0.95 -> 0.00\n"
        "[C99] holds: nothing\n"
        "  [C02] holds: indented, so not a verdict\n"
        "[C04] perhaps: no verdict\n"
        "[C08] holds in part: 0.81\n"
        "[C14] does not hold: mean -0.01, variance 63.9"
    )
    assert [(f.identifier, f.verdict) for f in read_findings(text)] == [
        ("C01", "holds"),
        ("C08", "holds in part"),
        ("C14", "does not hold"),
    ]
