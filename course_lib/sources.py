"""The sources of the claims that the course tests: a title for each number in `CLAIMS`.

The chapters do not import this module, so a changed title makes no chapter stale.
"""

SOURCES: dict[str, str] = {
    "000": "Attention is Viral!",
    "001": "Attention: in search of efficient and performant seq2seq encoder",
    "002": "All About Attention and Transformer",
    "003": "Notes: Attention! Transformers!",
    "004": "Attention",
    "peers": "other courses",
}
"""The notes that the course grew from, by the titles that their authors gave them."""
