"""The networks that come with the library: small enough, told by name, and they translate."""

import pytest

from course_lab.experiments.real import networks
from course_lab.experiments.real.captions import mark
from course_lib.evaluation.translate import translate

LARGEST = 8_000_000


@pytest.mark.parametrize("name", networks.NAMES)
def test_each_has_a_card_and_is_small(name):
    assert (networks.FOLDER / f"{name}.safetensors").stat().st_size < LARGEST
    card = (networks.FOLDER / f"{name}.md").read_text(encoding="utf-8")
    about = networks.load(name).about
    assert about["command"] in card
    assert f"{about['parameters']:,} parameters" in card
    for score in about["packed"].values():
        assert f"{score:.1f} after" in card


def test_the_mark_decides_the_language():
    network = networks.load("transformer-both")
    asked = {"en": "Ein Mann fährt Fahrrad.", "de": "A man is riding a bike."}
    sources = [f"{mark(language)} {text}" for language, text in asked.items()]
    english, german = translate(network.model, sources, *network.tokenizers)
    assert english.text.split()[:2] == ["A", "man"]
    assert german.text.split()[:2] == ["Ein", "Mann"]
