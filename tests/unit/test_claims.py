"""A verdict needs a known claim, a known word, one true inequality and a figure."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from course_lib.claims import CLAIMS, VERDICTS, Finding, anchor, claim, read_findings


def test_every_claim_of_the_course_is_registered_once() -> None:
    assert list(CLAIMS) == [f"C{n:02d}" for n in range(1, 34)]
    assert len({entry.statement for entry in CLAIMS.values()}) == 33


def test_every_claim_has_a_statement_of_one_short_line_and_a_source() -> None:
    for identifier, entry in CLAIMS.items():
        assert 10 < len(entry.statement) <= 95, identifier
        assert entry.statement == entry.statement.strip(" ."), identifier
        assert entry.sources, identifier
        assert set(entry.sources) <= {"000", "001", "002", "003", "004", "peers"}, identifier


def test_every_claim_has_its_chapters_in_order() -> None:
    for identifier, entry in CLAIMS.items():
        assert entry.chapters, identifier
        assert list(entry.chapters) == sorted(set(entry.chapters)), identifier
        assert set(entry.chapters) <= set(range(1, 14)), identifier


def test_each_verdict_on_a_page_has_a_place_of_its_own() -> None:
    places = [anchor(identifier, nth) for identifier in CLAIMS for nth in (1, 2, 3)]
    assert len(set(places)) == len(places)
    assert places[:2] == ["claim-c01", "claim-c01-2"]


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


@pytest.mark.parametrize(
    "vague", [1, 0.97, "yes", [True], None, np.array([True]), torch.ones(2) > 0]
)
def test_what_is_merely_truthy_is_refused(vague) -> None:
    with pytest.raises(TypeError, match="one True or False"):
        claim("C08", "holds", vague, "exact match 0.97")


@pytest.mark.parametrize("identifier", ["C00", "C34", "c08", "8", ""])
def test_an_unknown_claim_is_named(identifier) -> None:
    with pytest.raises(ValueError, match="want a claim from C01 to C33"):
        claim(identifier, "holds", True, "0.97")


@pytest.mark.parametrize("measured", ["", "  ", "0.97\n0.98", "0.97\r0.98"])
def test_the_figure_is_one_line(measured) -> None:
    with pytest.raises(ValueError, match="one line"):
        claim("C08", "holds", True, measured)


@pytest.mark.parametrize("verdict", ["true", "Holds", "hold", ""])
def test_an_unknown_verdict_is_refused_with_the_three_words(verdict) -> None:
    with pytest.raises(ValueError, match="holds, holds in part, does not hold"):
        claim("C08", verdict, True, "0.97")


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


def test_a_finding_survives_a_stored_notebook(capsys, tmp_path: Path) -> None:
    claim("C09", "holds in part", True, "alignment error rate 0.12 against 0.20")
    output = {"output_type": "stream", "name": "stdout", "text": [capsys.readouterr().out]}
    path = tmp_path / "notebook.json"
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "outputs": [output]}]}))
    (cell,) = json.loads(path.read_text())["cells"]
    (finding,) = read_findings("".join(cell["outputs"][0]["text"]))
    assert finding.measured == "alignment error rate 0.12 against 0.20"
