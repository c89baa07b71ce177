"""How a test searches, and what it searches where it brings an index of its own."""

import json

PAGE = "search.html"


def asked(page, query: str) -> list[dict]:
    """The results for what is asked, once the status line told of them."""
    page.locator("#search-status").evaluate("line => line.textContent = ''")
    page.locator(".course-search input").fill(query)
    page.locator(".course-search input").press("Enter")
    page.wait_for_function("document.getElementById('search-status').textContent")
    return page.eval_on_selector_all(
        "#search-results li",
        """items => items.map(item => ({
            title: item.querySelector('a').textContent,
            address: item.querySelector('a').getAttribute('href'),
            text: (item.querySelector('.search-text') || item).textContent,
            marked: [...item.querySelectorAll('mark')].map(mark => mark.textContent),
        }))""",
    )


def status(page) -> str:
    return page.locator("#search-status").inner_text()


_SECTIONS = [
    [0, "term-attention", "attention", "An average of values, weighted by how well keys answer."],
    [0, "term-perplexity", "perplexity", "How many words a model wavers between."],
    [1, "measure-it", "Measure it", "The perplexity of a sentence, by its length."],
    [1, "the-idea", "The idea", "The weight α_ij says how much of h_j stands in the context c_i."],
    [1, "build-it", "Build it", "A score for each word.", "additive_score softmax"],
    [1, "weights", "Weights that sum to one", "Each row of α_ij sums to one, by attention."],
    *[[2, f"part-{n}", f"Part {n}", f"The model of part {n}."] for n in range(60)],
]
_SYNONYMS = {
    "gpt": "perplexity sentence",
    "probability embedding": "softmax score",
    "model": "never used",
}
OWN_INDEX = "window.courseSearch = " + json.dumps(
    {
        "pages": [
            ["book/glossary.html", "Glossary"],
            ["notebooks/04_bahdanau.html", "What if the decoder may look back?"],
            ["notebooks/01_recurrence.html", "What does a recurrent net remember?"],
        ],
        "sections": _SECTIONS,
        "synonyms": _SYNONYMS,
        "foreign": {"wavers": "de"},
    }
)
"""In the place of the book's: so these tests do not hang on every sentence of every page."""
