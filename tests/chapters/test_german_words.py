"""German words on a page of the book are marked as German."""

from course_book.language import marked


def test_german_words_of_a_page_are_marked_and_english_ones_are_not():
    page = marked("<p>The word <em>Hund</em> is a noun. Gradients die. She has a hat.</p>")
    assert page.count('lang="de"') == 1
    assert '<bdi lang="de" translate="no">Hund</bdi>' in page
    assert marked(page) == page
