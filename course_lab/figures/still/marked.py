"""Glossed lines in which some words are marked as wrong."""

from course_lab.figures.still.glossed import Glossed


class Wrong(str):
    """A word to mark in a `Marked`; in all else it is that word."""


class Marked(Glossed):
    """Lines as `Glossed` has them, on a page with each `Wrong` word underlined."""

    def _shown(self, word: str) -> str:
        # Around the word alone: a line under both runs through the gloss and strikes it out.
        shown = super()._shown(word)
        return f'<u class="cl-marked">{shown}</u>' if isinstance(word, Wrong) else shown
