"""Who says what the course puts to the test: titles for the sources that `CLAIMS` numbers.

The chapters do not import this module, so that a title makes no chapter stale.
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
