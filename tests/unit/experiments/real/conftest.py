"""Nine pairs in the place of the captions."""

import pytest

from course_lab.experiments.real import captions

GERMAN = ["Ein Hund rennt.", "Zwei Männer schlafen auf dem Sofa.", "Ein Mann rennt."] * 3
ENGLISH = ["A dog runs.", "Two men sleep on the sofa.", "A man runs."] * 3


@pytest.fixture
def few(monkeypatch):
    """Nine pairs in the place of every split."""
    sides = {"de": GERMAN, "en": ENGLISH}

    def load(split, source, target, progress=True):
        return list(zip(sides[source], sides[target], strict=True))

    monkeypatch.setattr(captions.multi30k, "load", load)
    captions.tokenizer.cache_clear()
    captions.encoded.cache_clear()
    yield
    captions.tokenizer.cache_clear()
    captions.encoded.cache_clear()
