"""Wrong words are underlined on a page, and glossed all the same."""

from course_lab.figures.still.marked import Marked, Wrong

LINES = {"table": [Wrong("ein"), "Katze", Wrong("der")], "right": ["eine", "Katze", "das"]}
GLOSS = {"ein": "a", "Katze": "cat"}

GERMAN = '<bdi lang="de" translate="no">'


def test_a_wrong_word_is_underlined_and_its_gloss_is_not():
    html = Marked(LINES, GLOSS)._repr_html_()
    assert html.count('<u class="cl-marked">') == 2
    # The line is under the word alone: it would run through a gloss below it.
    assert (
        f'<u class="cl-marked">{GERMAN}ein</bdi></u><rp>(</rp><rt>a</rt><rp>)</rp></ruby>' in html
    )
    assert f'<u class="cl-marked">{GERMAN}der</bdi></u>' in html
    assert "Katze</bdi><rp>" in html
    assert "Katze</bdi></u>" not in html


def test_as_text_it_is_what_it_was():
    plain = {name: [str(word) for word in words] for name, words in LINES.items()}
    assert repr(Marked(LINES, GLOSS)) == repr(Marked(plain, GLOSS))
