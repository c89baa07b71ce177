"""Sentences below each other, with a gloss under each foreign word, which wrap where they must."""

from collections.abc import Mapping, Sequence
from html import escape

from course_lab.figures.language import marked
from course_lab.figures.text import require_words


class Glossed:
    """Lines by name, each of words; a word that the gloss knows is explained under it.

    As HTML each word stands with its gloss in one piece, so that a narrow page breaks between
    words. As text a line with glosses is two rows of columns.

    Args:
        lines: the words of each line, by its name.
        gloss: what a foreign word means.

    Raises:
        ValueError: no line, or one without words.
    """

    def __init__(self, lines: Mapping[str, Sequence[str]], gloss: Mapping[str, str]) -> None:
        require_words(**lines)
        if not lines or not all(lines.values()):
            raise ValueError("wanted at least one line, and words in each")
        self.lines = {name: tuple(words) for name, words in lines.items()}
        known = {word for words in self.lines.values() for word in words} & set(gloss)
        self.gloss = {word: gloss[word] for word in sorted(known)}

    def __repr__(self) -> str:
        first = max(map(len, self.lines)) + 2
        rows = []
        for name, words in self.lines.items():
            told = [self.gloss.get(word, "") for word in words]
            widths = [max(len(word), len(sense)) for word, sense in zip(words, told, strict=True)]
            for head, row in ((name, words), ("", told)):
                if any(row):
                    rows.append(head.ljust(first) + " ".join(map(str.ljust, row, widths)).rstrip())
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row">{escape(name)}</th>'
            f"<td>{' '.join(map(self._word, words))}</td></tr>"
            for name, words in self.lines.items()
        )
        table = f'<table class="table cl-glossed">{rows}</table>'
        return f'<div class="cl-table-box">{marked(table)}</div>'

    def _word(self, word: str) -> str:
        if word not in self.gloss:
            return self._shown(word)
        sense = f"<rp>(</rp><rt>{escape(self.gloss[word])}</rt><rp>)</rp>"
        style = "ruby-position:under;margin-inline:0.15em"  # glosses side by side stay apart
        return f'<ruby style="{style}">{self._shown(word)}{sense}</ruby>'

    def _shown(self, word: str) -> str:
        """The word itself, without its gloss."""
        return escape(word)
