"""What tests of experiments share."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from course_lab.experiments.lab import world
from course_lib.data.mini_world import grammar
from tests.remembered import remembered

_SAMPLE = grammar.sample
_AT_MOST = {"train": 3000, "valid": 100}


@remembered
def _few(split: str, count: int, **how) -> list:
    return _SAMPLE(split, min(count, _AT_MOST.get(split, count)), **how)


@pytest.fixture(scope="module", autouse=True)
def few_sentences() -> Iterator[None]:
    """Draws small training splits, which still hold every word; test splits stay whole.

    To draw a whole world takes up to a minute, and each experiment has its own.
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
