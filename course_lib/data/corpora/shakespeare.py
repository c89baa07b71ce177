"""Tiny Shakespeare: 40,000 lines of the plays as one text, in the public domain.

The text and its split are those of Karpathy's char-rnn and nanoGPT: the first nine tenths of its
1,115,394 characters are for training, the rest is for validation.
"""

from course_lib.data.corpora.download import fetch


def load() -> str:
    """Load the whole text."""
    path = fetch("shakespeare")["input.txt"]
    return path.read_bytes().decode("utf-8")


def split(text: str) -> tuple[str, str]:
    """Split a text into its first nine tenths and the rest."""
    cut = int(0.9 * len(text))
    return text[:cut], text[cut:]
