"""Lines between the words of two sentences: one for each link, and the same in words."""

from course_lab.figures.linked import Sentences, linked


def test_each_link_is_a_line_and_is_described():
    sentences = Sentences(["he", "<b>"], ["er", "lacht"], {"lacht": "laughs"})
    links = {(0, 0): 1.0, (1, 1): 0.5, (0, 1): 0.01}
    svg = linked("a", "Links", sentences, links, wrong={(1, 1)}, missed={(0, 1)}).data
    assert [svg.count(f'<line class="{kind}"') for kind in ("link", "wrong", "missed")] == [1] * 3
    said = "Lines: “er” with “he”; “lacht” with “&lt;b&gt;” (wrong). Missed: “lacht” with “he”."
    assert f"<desc>{said}</desc>" in svg
    assert svg.count("<b>") == 0
    assert 'lang="de"' in svg
