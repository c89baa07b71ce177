"""How many words a reader has before them: the main path of a chapter, folds left out."""

import re

from nbformat import NotebookNode

MAX_WORDS = 3000
"""Exercises included. What goes deeper stands in a fold; one chapter is one evening."""

_FOLD = re.compile(r"<details>(?:(?!<details>).)*?</details>", re.DOTALL)
_LEFT_OUT = (
    re.compile(r"^(`{3,}).*?^\1\s*$", re.DOTALL | re.MULTILINE),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"\$\$.*?\$\$", re.DOTALL),
    re.compile(r"^\(\S+\)=$", re.MULTILINE),
    re.compile(r"</?[a-z]+\b[^<>]*>"),
    # What stands in for a picture, and the picture's file.
    re.compile(r"!\[[^\]]*\]\([^)]*\)"),
)
_FORMULA = re.compile(r"(?<!\$)\$[^$\n]+(?:\n[^$\n]+)?\$(?!\$)")
_WORD = re.compile(r"\w")


def main_path(notebook: NotebookNode) -> int:
    """Words of the running text, its titles, tables and exercises; a formula in it is one word.

    Captions of figures that a cell makes, code, outputs and displayed equations are no words.
    """
    texts = (cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    # A fold may begin in one cell and end in a later one.
    text = _FORMULA.sub(" x ", "\n\n".join(texts))
    while (outside := _FOLD.sub(" ", text)) != text:
        text = outside
    for pattern in _LEFT_OUT:
        text = pattern.sub(" ", text)
    return sum(bool(_WORD.search(word)) for word in text.split())


def length_problems(notebook: NotebookNode) -> list[str]:
    """A main path that is longer than an evening."""
    words = main_path(notebook)
    if words <= MAX_WORDS:
        return []
    return [f"{words} words on the main path, and {MAX_WORDS} is the most: fold what goes deeper"]
