"""Mistakes in the models."""

from tools.mutants.mutant import Mutant

_EQUATIONS = "tests/unit/models/test_equations.py"
_PARTS = "tests/unit/models/test_parts.py"

MUTANTS = [
    Mutant(
        "a scaled dot score in the dot model",
        "course_lib/models/dot_product.py",
        "score=dot,",
        "score=lambda q, k: dot(q, k) * k.shape[-1] ** -0.5,",
        _EQUATIONS,
    ),
    Mutant(
        "Bahdanau's first state from the forward direction",
        "course_lib/models/bahdanau.py",
        "backward = encoded.last[-1].chunk(2, dim=-1)[1]",
        "backward = encoded.last[-1].chunk(2, dim=-1)[0]",
        _EQUATIONS,
    ),
    Mutant(
        "the dot model's first state from the forward direction",
        "course_lib/models/dot_product.py",
        "backward = encoded.last[-1].chunk(2, dim=-1)[1]",
        "backward = encoded.last[-1].chunk(2, dim=-1)[0]",
        _EQUATIONS,
    ),
    Mutant(
        "Sutskever's source reversal inverted",
        "course_lib/models/sutskever.py",
        "        if self.reverse:\n",
        "        if not self.reverse:\n",
        _EQUATIONS,
    ),
    Mutant(
        "Cho's output without the context",
        "course_lib/models/cho.py",
        "return self.output(states, embedded, context), last[0]",
        "return self.output(states, embedded, 0 * context), last[0]",
        _EQUATIONS,
    ),
    Mutant(
        "no dropout of embeddings",
        "course_lib/models/parts.py",
        "return self.dropout(self.table(ids))",
        "return self.table(ids)",
        _PARTS,
    ),
    Mutant(
        "no dropout before the words of the maxout output",
        "course_lib/models/parts.py",
        "self.words(self.dropout(torch.maximum(first, second)))",
        "self.words(torch.maximum(first, second))",
        _PARTS,
    ),
    Mutant(
        "no dropout before the dot model's words",
        "course_lib/models/dot_product.py",
        "self.words(self.dropout(combined))",
        "self.words(combined)",
        _PARTS,
    ),
    Mutant(
        "no dropout before Sutskever's words",
        "course_lib/models/sutskever.py",
        "self.words(self.dropout(outputs))",
        "self.words(outputs)",
        _PARTS,
    ),
    Mutant(
        "embeddings start with a standard deviation of 1",
        "course_lib/models/parts.py",
        "std=0.1",
        "std=1.0",
        _PARTS,
    ),
]
