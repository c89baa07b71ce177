"""A deck holds what a page shows, a sentence above each, and the rest as notes."""

import pytest
from bs4 import BeautifulSoup

from tools.slides import deck

PAGE = """<html data-content_root="../"><head><link href="../_static/a.css"></head><body><article>
<section id="c"><h1>4. Looking back<a class="headerlink" href="#c">#</a></h1>
<p><strong>The question.</strong> What if?</p>
<div class="cell tag_fold"><details class="above-input"><pre>draw()</pre></details>
<div class="cell_output"><figure id="first">one
<figcaption><p><span>Figure 1</span> <span class="caption-text">It looks. And more.</span></p>
</figcaption></figure></div></div>
<p>It runs here. You can drag it.</p>
<ul><li>Drag a ring.</li></ul>
<section><h2>By hand<a class="headerlink" href="#h">#</a></h2>
<p>Take <a href="03.html">three words</a> and <span><span>1 &lt; 2</span>.</span> Then add</p>
<div class="math">a + b</div>
<p>where a is one.</p>
<div class="pst-scrollable-table-container"><table><tr><td>1</td></tr></table></div>
<ol><li>It divides.</li></ol>
<p>And <em>once. Then</em> more.</p>
<div class="cell"><div class="cell_input"><pre>y = 2</pre></div></div>
<div class="cell tag_no-slide"><div class="cell_input"><pre>unseen = 3</pre></div></div>
<details class="fold"><summary>Deeper</summary><p>hidden</p></details>
<p>Only said.</p></section>
<section id="exercises"><h2>Exercises</h2><p>1. Two minutes. Why?</p><p>2. Long.</p></section>
<section id="in-one-breath"><h2>In one breath</h2><p>It looks. It <em>finds.</em> It ends.</p>
<p><strong>What others say</strong>, is not shown.</p></section>
<section><h2>How we measured</h2><p>Never shown.</p></section>
</section></article></body></html>"""


@pytest.fixture(scope="module")
def page():
    return BeautifulSoup(deck(PAGE)[1], "html.parser")


def test_each_slide_and_its_notes(page):
    shown = [
        [part.get_text(" ", strip=True) for part in slide.find_all(recursive=False)]
        for slide in page.select(".slides > section")
    ]
    caption = "Figure 1 It looks. And more."
    assert shown == [
        ["4. Looking back", "From Recurrence to Attention", "The question. What if?", ""],
        ["4. Looking back", "Figure 1 It looks.", f"one {caption}", ""],
        ["By hand", "Then add", "a + b",
         "It runs here. You can drag it. Drag a ring. Take three words and 1 < 2 . Then add"],
        ["By hand", "1", "where a is one."],
        ["By hand", "It divides.", ""],
        ["By hand", "And once. Then more.", "y = 2", "And once. Then more."],
        ["Two minutes", "1. Two minutes. Why?", "Only said."],
        ["In one breath", "It looks. It finds. It ends.", ""],
    ]  # fmt: skip


def test_it_needs_nothing_outside_its_folder(page):
    assert page.link["href"] == "_static/a.css"
    assert not page.select("a")
    assert "../" not in str(page.head)
