"""What the page's figure keeps is what the readers do, and says it in order."""

from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.soft_and_hard import in_page, reading
from course_lab.experiments.soft_and_hard import scenes as shared


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
