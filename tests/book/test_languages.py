"""Words that a figure's script writes, whenever it does, say which language they are."""

import pytest

from course_lab.figures.touch.attention import AttentionExample, attention_explorer

pytestmark = pytest.mark.browser

BARE = """() => {
    const walk = document.createTreeWalker(document.querySelector('.cl-fig'), NodeFilter.SHOW_TEXT);
    const found = [];
    while (walk.nextNode()) {
        const node = walk.currentNode, parent = node.parentElement;
        if (parent.closest('script,style,noscript')) continue;
        const own = parent.closest('[lang]');
        for (const word of node.data.match(/[\\p{L}]+/gu) || []) {
            if (word === 'in') continue;  // German and English
            if (WORDS.includes(word) !== (own.lang === 'de')) found.push(word + ' in ' + own.lang);
        }
    }
    return found;
}"""
GERMAN = ["die", "Katze", "hat", "den", "Hund", "Hunde", "gesehen", "dem", "Haus"]


def bare(page, words: list[str]) -> list[str]:
    """Words in the language that they are not."""
    return page.evaluate(BARE.replace("WORDS", repr(words)))


@pytest.fixture
def figure(blank_page):
    def show():
        even = [[0.0] * 4 for _ in range(5)]
        example = AttentionExample(
            ["the", "cat", "in", "it"], ["die", "Katze", "hat", "den", "Hund"], even,
            links={(1, 1)}, gloss={"Hund": "dog", "hat": "has"},
        )  # fmt: skip
        other = AttentionExample(
            ["in", "the", "house"], ["in", "dem", "Haus"], [[0.0] * 3] * 3, title="the house"
        )
        page = blank_page(900)
        body = attention_explorer([example, other])._repr_html_()
        page.set_content(f'<!DOCTYPE html><html lang="en"><body>{body}</body></html>')
        page.locator(".cl-fig[data-on]").wait_for()
        return page

    return show


def test_words_written_at_once_and_after_a_click_are_german(figure):
    page = figure()
    assert bare(page, GERMAN) == []
    page.locator(".cl-target label", has_text="Hund").click()
    assert "“Hund” looks at" in page.locator(".cl-say").inner_text()
    assert bare(page, GERMAN) == []
    page.locator(".cl-source label", has_text="cat").click()
    assert "“cat” is looked at by" in page.locator(".cl-say").inner_text()
    assert bare(page, GERMAN) == []
    # A browser that translates leaves them alone.
    marks = page.locator(".cl-fig [lang=de]")
    assert set(marks.evaluate_all("all => all.map(one => one.translate)")) == {False}
    page.close()


def test_a_form_that_english_has_too_is_german_in_the_german_row_alone(figure):
    page = figure()
    page.locator("select").first.select_option(label="the house")
    rows = {
        side: page.locator(f".cl-{side} b").evaluate_all(
            "all => all.map(one => one.firstElementChild ? one.firstElementChild.lang : '')"
        )
        for side in ("source", "target")
    }
    assert rows == {"source": ["", "", ""], "target": ["de", "de", "de"]}
    page.close()


def test_what_is_written_over_a_mark_is_marked_anew(figure):
    page = figure()
    line = page.locator(".cl-say")
    for text, marked in (("of Hund", "Hund"), ("a dog", ""), ("die Katze, a cat", "die Katze")):
        line.evaluate("(line, text) => { line.textContent = text; }", text)
        assert line.text_content() == text
        assert "|".join(line.locator("[lang=de]").all_text_contents()) == marked
    mark = line.locator("[lang=de]")
    mark.evaluate("mark => { mark.firstChild.data = 'the cat'; }")
    assert line.text_content() == "the cat, a cat"
    assert line.locator("[lang=de]").count() == 0
    page.close()
