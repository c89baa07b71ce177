"""A deck holds what a page shows, its first sentences, and the rest as notes; nothing is scaled."""

import pytest
from bs4 import BeautifulSoup

from tools.slides import Deck

PAGE = """<html data-content_root="../"><head><link href="../_static/a.css"></head><body><article>
<section id="c"><h1>4. Looking back<a class="headerlink" href="#c">#</a></h1>
<p><strong>The question.</strong> What if?</p>
<div class="cell tag_fold"><details class="above-input"><pre>draw()</pre></details>
<div class="cell_output"><figure id="first">one</figure></div></div>
<p>It runs here. You can drag it.</p>
<section><h2>By hand<a class="headerlink" href="#h">#</a></h2>
<p>Take <a href="03.html">three words</a> and 1 &lt; 2. Then add.</p>
<div class="math">a + b</div>
<p>The table follows.</p>
<div class="pst-scrollable-table-container"><table><tr><td>1</td></tr></table></div>
<div class="cell"><div class="cell_input"><pre>x = 1</pre></div></div>
<p>And once more.</p>
<div class="cell"><div class="cell_input"><pre>y = 2</pre></div></div>
<div class="cell tag_no-slide"><div class="cell_input"><pre>unseen = 3</pre></div></div>
<details class="fold"><summary>Deeper</summary><p>hidden</p></details>
<p>Only said.</p></section>
<section><h2>Exercises</h2><p>1. Two minutes. Why?</p><p>2. Long.</p></section>
<section><h2>In one breath</h2><p>It looks. It <em>finds.</em> It ends.</p></section>
<section><h2>How we measured</h2><p>Never shown.</p></section>
</section></article></body></html>"""


@pytest.fixture(scope="module")
def deck():
    return BeautifulSoup(Deck(PAGE).html(), "html.parser")


def shown(slide):
    """What the room sees of a slide, and what the speaker does."""
    notes = slide.aside.extract().get_text(" ", strip=True)
    return slide.get_text(" ", strip=True), notes


def test_each_slide_and_its_notes(deck):
    assert [shown(slide) for slide in deck.select(".slides > section")] == [
        ("4. Looking back The question. What if? From Recurrence to Attention", ""),
        ("4. Looking back It runs here. one", "It runs here. You can drag it."),
        (
            "By hand Take three words and 1 < 2. The table follows. a + b",
            "Take three words and 1 < 2. Then add. The table follows.",
        ),
        ("By hand 1", ""),
        ("By hand x = 1 And once more. y = 2", "And once more. Only said."),
        ("Two minutes 1. Two minutes. Why?", ""),
        ("In one breath It looks. It finds. It ends.", ""),
    ]


def test_it_needs_nothing_outside_its_folder(deck):
    assert deck.link["href"] == "_static/a.css"
    assert not deck.select("a")
    assert "../" not in str(deck.select_one("head"))
