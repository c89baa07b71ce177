"""Live cells of chapters 10, 11, 12 and 14 answer what a reader types, or say what to type."""

from functools import partial

import matplotlib.pyplot as plt
import pytest
import torch

from course_lab import charts
from course_lab.experiments.at_scale import speed
from course_lab.experiments.gpt import in_page
from course_lab.experiments.transformer import peers
from course_lab.figures.touch.cost import amount
from course_lib.attention.attend import attend
from course_lib.attention.blockwise import blockwise_attention
from course_lib.device import cpu_generator
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


def test_chapter_11_searches_and_samples_or_names_the_strange_word(small, capsys):
    decoded = live_function("11", "decoded", **small, translate=translate, partial=partial)
    words = small["world"].train[0].source[:-1]
    decoded(" ".join(words).capitalize() + ".", beams=3, temperature=0.5)
    assert [line.split("  ")[0].strip() for line in capsys.readouterr().out.splitlines()] == [
        "1 beam",
        "3 beams",
        "sampled",
    ]
    for typed in ("zebra", "", " . "):
        decoded(typed, beams=1, temperature=1.0)
        assert "type a sentence such as" in capsys.readouterr().out


def test_chapter_12_measures_both_or_says_what_it_wants(capsys):
    names = {
        "torch": torch,
        "attend": attend,
        "blockwise_attention": blockwise_attention,
        "speed": speed,
        "amount": amount,
        "fastest": lambda call, times: call() is None,
    }
    memory = live_function("12", "memory", **names)
    memory(words=1000, block=64)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if "iB" in line] == ["attend", "blockwise"]
    memory(words=0, block=64)
    assert "want one word or more" in capsys.readouterr().out


def test_chapter_14_continues_or_names_the_strange_letter(capsys):
    names = {"in_page": in_page, "bard": in_page.load(), "cpu_generator": cpu_generator}
    continued = live_function("14", "continued", **names)
    for beginning in ("To be", "", "xyzzy\n" * 50):
        continued(beginning, temperature=0.5, top_k=3, top_p=0.9)
        written = capsys.readouterr().out
        assert written.startswith(beginning)
        assert len(written) >= len(beginning) + 150
    continued("Zoë 4", temperature=0.5, top_k=3, top_p=0.9)
    assert "ë" in capsys.readouterr().out
