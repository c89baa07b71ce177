"""Mistakes in chapter 8's reader of articles, its figures and its LSTMN."""

from tools.mutants.mutant import Mutant

_READER = "course_lab/experiments/self_attention/reader.py"
_ARTICLES = "course_lab/experiments/self_attention/articles.py"
_TAPE = "course_lab/experiments/self_attention/tape.py"
_TESTS = "tests/unit/experiments/self_attention"
_OF_READER, _OF_ARTICLES = f"{_TESTS}/test_reader.py", f"{_TESTS}/test_articles.py"

MUTANTS = [
    Mutant(
        "the reader's scale is forgotten",
        _READER,
        "scaled = scores / q.shape[-1] ** 0.5",
        "scaled = scores",
        _OF_READER,
    ),
    Mutant(
        "the reader asks padding",
        _READER,
        "mask = combine(for_keys(real), ",
        "mask = combine(for_keys(torch.ones_like(real)), ",
        _OF_READER,
    ),
    Mutant(
        "keys answer with the queries' matrix",
        _READER,
        "if alone else self.queries",
        "if not alone else self.queries",
        _OF_READER,
    ),
    Mutant(
        "rotary turns the queries alone",
        _READER,
        "q, k = rotate(q, places), rotate(k, places)",
        "q = rotate(q, places)",
        _OF_READER,
    ),
    Mutant(
        "places are added where none are wanted",
        _READER,
        'if config.positions == "sinusoidal":',
        'if config.positions != "learned":',
        _OF_READER,
    ),
    Mutant(
        "padding counts as a blank to fill",
        _ARTICLES,
        "wanted = torch.full_like(ids, -1)",
        "wanted = torch.full_like(ids, 0)",
        _OF_ARTICLES,
    ),
    Mutant(
        "an unknown word stands as a blank",
        _ARTICLES,
        "else word, 0)",
        "else word, 1)",
        _OF_ARTICLES,
    ),
    Mutant(
        "the tape's reader predicts from its words, not from what it has read",
        _TAPE,
        "return self.words(self.look(tokens).hidden)",
        "return self.words(self.look(tokens).hidden.flip(1))",
        f"{_TESTS}/test_in_page.py",
    ),
]
