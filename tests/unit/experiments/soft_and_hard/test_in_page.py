"""What the page's figure keeps is what the readers do, and says it in order."""

import pytest
import torch

from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.soft_and_hard import in_page, reading
from course_lab.experiments.soft_and_hard import scenes as shared
from course_lib.data.images.digits import Scenes


@pytest.fixture(scope="module")
def readers():
    return reading.make("soft", 0).eval(), reading.make("hard", 1).eval()


@pytest.fixture(scope="module")
def one():
    return Scenes(*(part[3:4] for part in shared.held_out("test", 5)))


def test_looks_are_those_of_the_readers(readers, one):
    soft, hard = readers
    told, batch = in_page.looks(soft, hard, one), shared.batch_of(one)
    asked = (batch.source, batch.source_mask, batch.target_in)
    with torch.no_grad():
        out, glanced = soft(*asked, return_attention=True), hard(*asked, return_attention=True)
    for step, look in enumerate(told):
        assert look["true"] == one.digits[0, step]
        assert look["place"] == one.places[0, step]
        assert look["soft"] == pytest.approx(out.attention[0, step].tolist(), abs=1e-4)
        here = int(glanced.attention[0, step].argmax())
        assert max(look["hard"]) == look["hard"][here]
        said = glanced.logits[0, step].log_softmax(-1)[batch.target_out[0, step]]
        assert look["reward"][here] == pytest.approx(float(said), abs=1e-3)


def test_the_stored_scenes_are_test_scenes_and_the_figure_shows_them():
    stored = load_stored(in_page.STORED)
    scenes = shared.held_out("test", reading.HELD_OUT)
    known = (scenes.patches * 16).round().int().tolist()
    for scene in stored["scenes"]:
        number = known.index(scene["ink"])
        assert [look["true"] for look in scene["looks"]] == scenes.digits[number].tolist()
        assert [look["place"] for look in scene["looks"]] == scenes.places[number].tolist()
    assert len(stored["scenes"]) == in_page.SCENES
    assert in_page.show().headline == "Two ways to look, 3 scenes, 3 digits each"
