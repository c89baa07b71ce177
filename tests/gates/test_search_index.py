"""What the search knows of a page: its sections, their text without TeX, tags and outputs."""

import pytest
from course_book import formulas, plain, search

PAGE = """<html><body><nav><p>not the page</p></nav><article class="bd-article">
<section id="chapter"><h1>4. Looking <em>back</em><a class="headerlink" href="#chapter">#</a></h1>
<p>A question&nbsp;about <code>words</code>.</p>
<section id="scores"><h2>Scores <span class="math"><math><msub><mi>e</mi><mrow><mi>i</mi><mi>j</mi>
</mrow></msub></math></span></h2>
<p>One<br>two, <b>th</b>ree.</p><style>p { color: red }</style><button>press</button>
<div class="cell"><div class="cell_input"><pre>for word in masked_softmax(scores):</pre></div>
<div class="cell_output"><pre>0.123</pre><img src="a.png">
<div class="verdict"><p>C08 holds</p></div></div></div>
<details class="hide"><summary>Show solution</summary><p>solved</p></details>
<details id="proof"><summary>Deeper: a proof</summary><p>By induction.</p></details>
<p>After the fold.</p></section>
<dl class="glossary"><dt id="term-key">key<a class="headerlink" href="#">#</a></dt><dd>What is
compared.</dd><dt id="term-value">value</dt><dd>What is averaged.</dd></dl>
<dl><dt>holds</dt><dd>It is so.</dd></dl>
</section></article></body></html>
"""


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\alpha_{ij}", "α_ij"),
        (r"c_i = \sum_{j=1}^{S} \alpha_{ij} h_j", "c_i = ∑_(j = 1)^S α_ij h_j"),
        (r"\frac{\exp e_j}{2}", "(exp e_j)/2"),
        (r"\tfrac{1}{2}", "1/2"),
        (r"\sqrt{d}", "√d"),
        (r"s_{i-1}, \dots, s_T", "s_i−1, …, s_T"),
        (r"\hat{x} = W x", "x = W x"),
        (r"t'(f \mid e) \ge -1", "t′(f ∣ e) ≥ −1"),
        (r"a &= b, \\ c &= d", "a = b; c = d"),
        (r"\underbrace{a}_{\text{one}}", "a_one"),
        (r"\mathcal{A} \cap \mathcal{S}", "𝒜 ∩ 𝒮"),
    ],
)
def test_a_formula_reads_as_one_would_type_it(tex, text):
    (math,) = plain.tree(formulas.mathml(tex, display=True)).find("math")
    assert plain.formula(math) == text


def test_a_page_is_taken_apart_at_its_headings_terms_and_folds():
    found = [(s.place, s.title, s.text) for s in search.sections(PAGE)]
    assert found == [
        ("", "4. Looking back", "A question about words. holds It is so."),
        ("scores", "Scores e_ij", "One two, three. C08 holds solved After the fold."),
        ("proof", "Deeper: a proof", "By induction."),
        ("term-key", "key", "What is compared."),
        ("term-value", "value", "What is averaged."),
    ]
