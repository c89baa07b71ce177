"""A verdict needs a known claim, a known word and one true inequality; each claim has a source."""

import numpy as np
import pytest
import torch

from course_lab.claims import CLAIMS, SOURCES, VERDICTS, claim, read_findings


def test_every_claim_is_registered_once_and_quoted_from_a_source():
    assert list(CLAIMS) == sorted(CLAIMS)
    assert len({entry.statement for entry in CLAIMS.values()}) == len(CLAIMS)
    assert all(entry.said for entry in CLAIMS.values())
    assert {name for entry in CLAIMS.values() for name in entry.said} == set(SOURCES)


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("true", [True, np.bool_(True), torch.tensor(True)])
def test_a_true_inequality_prints_one_line_that_reads_back(capsys, verdict, true):
    claim("C08", verdict, true, "exact match 0.97 at 41–50 words: √, ü, [x]")
    printed = capsys.readouterr().out
    assert printed == f"[C08] {verdict}: exact match 0.97 at 41–50 words: √, ü, [x]\n"
    (finding,) = read_findings(printed)
    assert finding == ("C08", verdict, "exact match 0.97 at 41–50 words: √, ü, [x]")


@pytest.mark.parametrize("false", [False, np.bool_(False), torch.tensor(1.0) > 2])
def test_a_false_inequality_is_an_assertion_error_and_prints_nothing(capsys, false):
    with pytest.raises(AssertionError, match=r"C08.*does not support.*'holds'.*0\.40"):
        claim("C08", "holds", false, "exact match 0.40")
    assert capsys.readouterr().out == ""


def test_findings_are_read_in_order_from_among_other_output():
    text = (
        "epoch 3 loss 0.12\n"
        "[C01] holds: exact match 0.95 -> 0.00\n"
        "[C99] holds: nothing\n"
        "  [C02] holds: indented, so not a verdict\n"
        "[C04] perhaps: no verdict\n"
        "[C14] does not hold: mean -0.01, variance 63.9"
    )
    findings = [(finding.identifier, finding.verdict) for finding in read_findings(text)]
    assert findings == [("C01", "holds"), ("C14", "does not hold")]
