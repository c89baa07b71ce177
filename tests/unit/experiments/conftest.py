"""Small worlds for the tests of experiments."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from course_lab.experiments.lab import world
from course_lab.experiments.real import captions
from course_lib.data.mini_world import grammar
from tests.remembered import remembered

GERMAN = ["Ein Hund rennt.", "Zwei Männer schlafen auf dem Sofa.", "Ein Mann rennt."] * 3
ENGLISH = ["A dog runs.", "Two men sleep on the sofa.", "A man runs."] * 3
_SAMPLE = grammar.sample
_AT_MOST = {"train": 300, "valid": 100, "test": 150, "compositional": 100}


@remembered
def _few(split: str, count: int, **how) -> list:
    return _SAMPLE(split, min(count, _AT_MOST.get(split, count)), **how)


@pytest.fixture(scope="module", autouse=True)
def few_sentences() -> Iterator[None]:
    """Draw small splits.

    Drawing a whole world takes up to a minute, and each experiment has its own.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grammar, "sample", _few)
        # The second process would draw whole splits, and needs seconds to begin.
        patch.setattr(world, "processes_of_one_thread", ThreadPoolExecutor)
        yield
    for name, module in list(sys.modules.items()):
        if name.startswith("course_lab.experiments."):
            for made in ("the_world", "make_world"):
                getattr(getattr(module, made, None), "cache_clear", lambda: None)()


@pytest.fixture
def few_captions(monkeypatch) -> Iterator[None]:
    """Nine pairs in place of every split of Multi30k."""
    sides = {"de": GERMAN, "en": ENGLISH}

    def load(split, source, target, progress=True):
        return list(zip(sides[source], sides[target], strict=True))

    monkeypatch.setattr(captions.multi30k, "load", load)
    captions.tokenizer.cache_clear()
    captions.encoded.cache_clear()
    yield
    captions.tokenizer.cache_clear()
    captions.encoded.cache_clear()
