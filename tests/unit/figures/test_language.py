"""Which words of a page are marked as German or French, and that nothing else changes."""

import re

import pytest

from course_lab.figures.drawn.shelf import drawing
from course_lab.figures.language import found_in, marked
from course_lab.figures.still.attention_map import attention_map
from course_lab.figures.still.glossed import Glossed
from course_lab.figures.still.table import Column, Table
from course_lab.figures.touch.attention import AttentionExample, attention_explorer


def in_language(page: str, language: str = "de") -> list[str]:
    return re.findall(rf'<(?:bdi|tspan|mtext) lang="{language}"[^>]*>([^<]*)<', marked(page))


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("<p>The word <em>Hund</em> is a noun.</p>", ["Hund"]),
        ("<p>Of “die Katze sieht den Hund” it reads den.</p>", ["die Katze sieht den Hund", "den"]),
        ("<td>hat (has)</td><td>in (in)</td>", ["hat"]),
        ("<p>Every plural takes <em>die</em>, and <em>in</em> is English.</p>", ["die"]),
        ("<em>in dem Haus</em>", ["in dem Haus"]),
        ("<p>He saw die Katze in the house.</p>", ["die Katze"]),
        ("<p>Gradients die. She has a hat. See the ring in a park.</p>", []),
        ("<li>Der Hund</li><option>ein Hund</option>", ["Der Hund"]),
        (
            "<figcaption>After write Frau, in <em>die Frau liest</em></figcaption>",
            ["Frau", "die Frau liest"],
        ),
        ("<b>a &amp; der</b>", ["der"]),
        ("<em>ein roter Traktor</em>", ["ein roter Traktor"]),
        ("<pre>der Hund</pre><code>Hund</code><script>der</script><style>der</style>", []),
        ('<span lang="de">der <i>Hund</i></span>', []),
        ('<span class="bibtex-citation">Das et al.; Wolf</span>', []),
        ("<ruby>die<rt>the</rt></ruby> <ruby>Frau<rt>woman</rt></ruby>", ["die", "Frau"]),
        ("<mtext>er</mtext>", ["er"]),
        ("<mtext>of Hund</mtext>", ["Hund"]),
        ('<svg><text class="a">die</text><text class="a">Frau</text></svg>', ["die", "Frau"]),
    ],
)
def test_german_words_are_marked_and_english_ones_are_not(page, words):
    assert in_language(page) == words


def test_french_is_told_from_english():
    page = "<p>Quoc V. Le et al.: “monsieur le président, la question est posée” was said.</p>"
    assert in_language(page, "fr") == ["monsieur le président", "la question est posée"]
    assert in_language(page) == []


def test_words_in_cells_are_one_sentence():
    cells = "".join(f"<th>{word}</th>" for word in ["the", "man", "in", "the", "hat"])
    rows = "".join(f"<td>{word}</td>" for word in ["der", "Mann", "in", "dem", "Hut", "hat"])
    assert in_language(f"<table><tr>{cells}</tr><tr>{rows}</tr></table>") == [
        *("der", "Mann", "in", "dem", "Hut", "hat")
    ]


def test_nothing_but_marks_is_added_and_once_is_enough():
    page = "<p title='a > b'>Ein <em>Hund</em> &lt; 3</p><!-- der > die --><br/>der"
    once = marked(page)
    assert re.sub(r"</?bdi[^>]*>", "", once) == page
    assert marked(once) == once


def test_what_a_figure_says_of_a_form_that_english_has_too():
    assert found_in(["die", "Hund"])["die"] == "de"
    assert "die" not in found_in(["die", "dog"])
    assert found_in(["in dem Haus", "in the house"])["in"] == "de?"
    assert "hat" not in found_in(["the hat", "der Hut"])
    assert "a" not in found_in(["a", "le", "Hund"])


def test_every_kind_of_figure_marks_its_words():
    table = Table("What der says", "word", [Column("weight")], {"Hund": [0.5]})
    assert in_language(table._repr_html_()) == in_language(table._repr_html_()) != []
    for page in (
        table._repr_html_(),
        Glossed({"reads": ["der", "Hund"]}, {"der": "the"})._repr_html_(),
        drawing("one_vector").svg(),
        attention_map([[0.5, 0.5]], ["the", "dog"], ["Hund"]).svg(),
    ):
        assert 'lang="de"' in page
        assert marked(page) == page


def test_the_script_of_a_figure_knows_its_words():
    figure = attention_explorer(
        [AttentionExample(["in", "houses"], ["in", "Hunden", "Hund"], [[0, 1], [1, 0], [1, 0]])]
    )
    page = figure._repr_html_()
    assert '"Hund":"de"' in page
    assert '<bdi lang="de" translate="no">Hund</bdi>' in page
