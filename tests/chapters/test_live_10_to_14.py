"""The live cell of chapter 10 answers what a reader types, or says what to type."""

import matplotlib.pyplot as plt
import pytest

from course_lab import charts
from course_lab.experiments.transformer import peers
from course_lib.evaluation.translate import translate
from tests.chapters.live_cells import live_function


@pytest.fixture(autouse=True)
def _no_window():
    plt.switch_backend("agg")
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def small():
    world = peers.make_world(60, 10)
    model = peers.make_model(peers.VARIANTS["Transformer"], world, seed=0).eval()
    return {"world": world, "model": model, "library": model, "ours": model}


def test_chapter_10_translates_and_draws_or_names_the_strange_word(small, capsys):
    in_german = live_function("10", "in_german", **small, translate=translate, charts=charts)
    words = small["world"].train[0].source[:-1]
    for typed in (" ".join(words) + " .", " ".join(words).upper() + "."):
        plt.close("all")
        in_german(typed)
        assert "does not know" not in capsys.readouterr().out
        labels = [label.get_text() for label in plt.gca().get_xticklabels()]
        assert labels == [*words, ".", "end"]
    plt.close("all")
    for typed, strange in ((f"{words[0]} zebra", "zebra"), ("", "this"), ("...", "this")):
        in_german(typed)
        assert f"does not know {strange}; type a sentence" in capsys.readouterr().out
    assert not plt.get_fignums()
