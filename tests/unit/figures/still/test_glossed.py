"""Words and their glosses stay together, on a page and in columns of text."""

from course_lab.figures.still.glossed import Glossed

LINES = {"English": ["the", "dog"], "it wrote": ["der", "Hund", "<ab>"]}
GLOSS = {"der": "the", "Hund": "dog", "<ab>": "off", "Katze": "cat"}


def test_as_text_each_gloss_stands_under_its_word():
    assert repr(Glossed(LINES, GLOSS)).splitlines() == [
        "English   the dog",
        "it wrote  der Hund <ab>",
        "          the dog  off",
    ]


def test_on_a_page_a_word_and_its_gloss_are_one_piece():
    html = Glossed(LINES, GLOSS)._repr_html_()
    assert html.count("<ruby") == 3
    assert ">Hund</bdi><rp>(</rp><rt>dog</rt><rp>)</rp></ruby>" in html
    assert "&lt;ab&gt;" in html
    assert '<th scope="row">English</th><td>the dog</td>' in html
    assert "Katze" not in html
