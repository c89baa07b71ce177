"""What students write: a known slip is found with the words that help, other right ways pass."""

import re

import pytest

from tests.homework.answers import known_slips, right_answers
from tools.homework import ROOT, find_sources

SLIPS = [(source.stem, slip) for source in find_sources() for slip in known_slips(source.stem)]


@pytest.mark.parametrize(
    ("name", "slip"), SLIPS, ids=[f"{name}-{slip.question}-{slip.name}" for name, slip in SLIPS]
)
def test_a_known_slip_is_told(homework, name, slip):
    made = homework(name)
    names = made.names(slip.apply(made.answers[slip.question]))
    results = made.results(slip.question, names)
    first = next((result for result in results if not result.passed), None)
    assert first is not None, "every test let it pass"
    assert slip.says in first.message
    assert first.test_case.hidden == slip.hidden


@pytest.mark.parametrize("source", find_sources(), ids=lambda source: source.stem)
def test_right_answers_that_are_written_differently_pass(homework, source):
    made = homework(source.stem)
    for question, way, answer in right_answers(made.name):
        assert made.failures(question, made.names(answer)) == [], f"{question}: {way}"


def test_the_page_quotes_the_message_of_a_wrong_softmax(homework):
    page = (ROOT / "book" / "homework.md").read_text(encoding="utf-8")
    quoted = " ".join(re.findall(r"^ *> (.*)$", page, re.MULTILINE))
    made = homework("hw04_bahdanau")
    (slip,) = (s for s in known_slips(made.name) if s.name == "softmax over the batch")
    message = made.failures("q1", made.names(slip.apply(made.answers["q1"])))[0]
    assert len(quoted) > 100
    assert quoted in " ".join(message.split())


def test_an_inverted_mask_gets_no_hint_about_overflow(homework):
    made = homework("hw04_bahdanau")
    (slip,) = (s for s in known_slips(made.name) if s.name == "mask turned round")
    messages = made.failures("q1", made.names(slip.apply(made.answers["q1"])))
    assert not [message for message in messages if "float32 ends at" in message]
