"""What a chapter asks of a reader: its headings, its folds, and each paragraph of its main path."""

import re

from nbformat import NotebookNode

MAX_HEADINGS = 15
MAX_FOLDS = 13
MAX_PARAGRAPH = 80
"""Words."""

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


def length_problems(notebook: NotebookNode) -> list[str]:
    """More headings or folds than one idea needs, and paragraphs that nobody reads to their end."""
    found, whole = [], "\n\n".join(_texts(notebook))
    for what, mark, most in (("headings", "## ", MAX_HEADINGS), ("folds", "<details>", MAX_FOLDS)):
        count = sum(line.startswith(mark) for line in whole.splitlines())
        if count > most:
            found.append(f"{count} {what}, and {most} is the most: one chapter has one idea")
    for paragraph in _BETWEEN.split(running_text(notebook)):
        if (words := count_words(paragraph)) > MAX_PARAGRAPH:
            begin = " ".join(paragraph.split()[:6])
            found.append(
                f"{words} words in the paragraph {begin + ' ...'!r}, and {MAX_PARAGRAPH} is the "
                "most: make two of it"
            )
    return found


def running_text(notebook: NotebookNode) -> str:
    """What stands outside folds, with titles, tables and exercises; a formula in it is one word.

    Captions of figures that a cell makes, code, outputs and displayed equations are left out.
    """
    # A fold may begin in one cell and end in a later one.
    text = _FORMULA.sub(" x ", "\n\n".join(_texts(notebook)))
    while (outside := _FOLD.sub(" ", text)) != text:
        text = outside
    for pattern in _LEFT_OUT:
        text = pattern.sub(" ", text)
    return text


def count_words(text: str) -> int:
    """Words, not counting dashes and other marks that stand alone."""
    return sum(bool(_WORD.search(word)) for word in text.split())


def _texts(notebook: NotebookNode) -> list[str]:
    return [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
