"""How many words a reader has before them: the main path of a chapter, folds left out, and each
of its paragraphs.
"""

import re

from nbformat import NotebookNode

MAX_WORDS = 3000
"""Exercises included. What goes deeper stands in a fold; one chapter is one evening."""
MAX_PARAGRAPH = 80

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
_BETWEEN = re.compile(r"\n[ \t]*(?:\n|[-*] |\d+\. |\|)")
"""Paragraphs, items of a list, rows of a table."""


def main_path(notebook: NotebookNode) -> int:
    """Words of the running text, its titles, tables and exercises; a formula in it is one word.

    Captions of figures that a cell makes, code, outputs and displayed equations are no words.
    """
    return _words(_running_text(notebook))


def length_problems(notebook: NotebookNode) -> list[str]:
    """A main path that is longer than an evening, and paragraphs that nobody reads to their end."""
    text = _running_text(notebook)
    words, found = _words(text), []
    if words > MAX_WORDS:
        found.append(
            f"{words} words on the main path, and {MAX_WORDS} is the most: fold what goes deeper"
        )
    for paragraph in _BETWEEN.split(text):
        if (words := _words(paragraph)) > MAX_PARAGRAPH:
            begin = " ".join(paragraph.split()[:6])
            found.append(
                f"{words} words in the paragraph {begin + ' ...'!r}, and {MAX_PARAGRAPH} is the "
                "most: make two of it"
            )
    return found


def _running_text(notebook: NotebookNode) -> str:
    texts = (cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    # A fold may begin in one cell and end in a later one.
    text = _FORMULA.sub(" x ", "\n\n".join(texts))
    while (outside := _FOLD.sub(" ", text)) != text:
        text = outside
    for pattern in _LEFT_OUT:
        text = pattern.sub(" ", text)
    return text


def _words(text: str) -> int:
    return sum(bool(_WORD.search(word)) for word in text.split())
