"""German words on a page of the book are marked as German."""

from course_book.language import english_words, german_words, marked

from course_lib.data.mini_world.grammar import sample


def test_german_words_of_a_page_are_marked_and_english_ones_are_not():
    page = marked("<p>The word <em>Hund</em> is a noun. Gradients die. She has a hat.</p>")
    assert page.count('lang="de"') == 1
    assert '<bdi lang="de" translate="no">Hund</bdi>' in page
    assert marked(page) == page


def test_every_word_of_a_sample_is_listed_and_nearly_every_listed_word_occurs():
    pairs = sample("train", 500, min_words=10, max_words=30)
    for listed, words in (
        (english_words(), {word for pair in pairs for word in pair.source}),
        (german_words(), {word for pair in pairs for word in pair.target}),
    ):
        assert words <= listed
        assert len(words) > 0.75 * len(listed)
