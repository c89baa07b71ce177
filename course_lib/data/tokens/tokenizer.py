"""From sentences to token ids and back; each token knows the word that it belongs to.

Two tokenizers share one interface: `WordVocabulary` (one id a word, for the mini-world) and
`JointBPE` (byte-pair encoding over both languages together, for real text). Both are made from
the training split alone; what they never saw becomes `<unk>`.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.data.tokens.bpe import JointBPE
from course_lib.data.tokens.words import (
    END,
    PAD,
    SPECIALS,
    START,
    TWINS,
    UNKNOWN,
    WORD,
    Tokenized,
    normal_text,
    normal_words,
    visible,
    write_json,
)
from course_lib.errors import CourseError

__all__ = [
    "END",
    "PAD",
    "SPECIALS",
    "START",
    "UNKNOWN",
    "JointBPE",
    "Tokenized",
    "Tokenizer",
    "WordVocabulary",
    "load_tokenizer",
    "merge_to_words",
]


class WordVocabulary:
    """One id for each word of the training sentences.

    Args:
        words: the words without the special tokens, in the order of their ids from 4 on.
        lowercase: whether sentences are lower-cased first.

    ValueError if a word occurs twice, or is a special token.
    """

    def __init__(self, words: Sequence[str], lowercase: bool = False) -> None:
        self.lowercase = lowercase
        self.tokens = [*SPECIALS, *words]
        self._id = {token: i for i, token in enumerate(self.tokens)}
        if len(self._id) != len(self.tokens):
            raise ValueError("want each word once and no special token among the words")

    @classmethod
    def from_sentences(
        cls, sentences: Iterable[Sequence[str]], minimum: int = 1
    ) -> "WordVocabulary":
        """Collect the words that occur `minimum` times or more in the training sentences.

        The most frequent come first, equally frequent ones by the alphabet.

        CourseError if a sentence is empty, or no word is left. TypeError for text in place of a
        list of words.
        """
        count: Counter[str] = Counter()
        for sentence in sentences:
            count.update(normal_words(sentence, lowercase=False))
        kept = [w for w, n in count.items() if n >= minimum and w not in SPECIALS]
        if not kept:
            raise CourseError(f"want a training word that occurs {minimum} times or more; got none")
        return cls(sorted(kept, key=lambda word: (-count[word], word)))

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, text: str | Sequence[str]) -> Tokenized:
        """Look up the words; unknown ones get UNKNOWN. Text is split into words first.

        A typographic sign that no word has, as in "don’t", is read as its plain twin.

        CourseError if the sentence is empty.
        """
        if isinstance(text, str):
            chunks = normal_text(text, self.lowercase).split()
            words = [w for c in chunks for w in ([c] if c in self._id else WORD.findall(c))]
        else:
            words = normal_words(text, self.lowercase)
        ids = [self._lookup(word) for word in words]
        return Tokenized(ids, list(range(len(ids))), [self.tokens[i] for i in ids], words)

    def _lookup(self, word: str) -> int:
        twins = (word.replace(c, twin) for c in TWINS if c in word for twin in TWINS[c])
        number = next((self._id[w] for w in (word, *twins) if w in self._id), UNKNOWN)
        # A sentence may contain the letters "</s>"; they are no end token.
        return number if number >= len(SPECIALS) else UNKNOWN

    def from_ids(self, ids: Sequence[int]) -> Tokenized:
        """Describe emitted ids, token by token; none is dropped."""
        tokens = [self.tokens[i] for i in ids]
        return Tokenized(list(ids), list(range(len(tokens))), tokens, tokens)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the words up to END with single spaces, without PAD and START."""
        return " ".join(self.tokens[i] for i in visible(ids))

    def save(self, path: Path | str) -> None:
        """Write the vocabulary as JSON, whole or not at all (`CourseError`)."""
        write_json(path, {"type": "words", "lowercase": self.lowercase, "tokens": self.tokens})


Tokenizer = WordVocabulary | JointBPE


def load_tokenizer(path: Path | str) -> Tokenizer:
    """Read what `save` of either kind wrote; `CourseError` if it is missing, or something else."""
    try:
        content = json.loads(Path(path).read_bytes())
        tokens, lowercase = content["tokens"], content["lowercase"]
        if content["format"] != 1 or tuple(tokens[: len(SPECIALS)]) != SPECIALS:
            raise ValueError("another format")
        if content["type"] == "bpe":
            return JointBPE(tokens, content["merges"], lowercase)
        return WordVocabulary(tokens[len(SPECIALS) :], lowercase)
    except OSError as error:
        raise CourseError(f"cannot read the tokenizer {path}: {error.strerror}") from error
    # Of merges that do not fit the vocabulary the library raises a bare `Exception`.
    except Exception as error:
        raise CourseError(
            f"{path} is no tokenizer of this course, or is damaged: train again or restore it"
        ) from error


def merge_to_words(
    weights: Float[Tensor, "T S"],
    target_word_of_token: Sequence[int],
    source_word_of_token: Sequence[int],
) -> Float[Tensor, "Tw Sw"]:
    """Turn attention between tokens into attention between words.

    Weights are summed over the source tokens of a word and averaged over the target tokens of
    a word, so rows that sum to 1 still do (Zenkel et al. 2019).

    Args:
        weights: one row a target token, one column a source token.
        target_word_of_token: T word positions, as `Tokenized.word_of_token`.
        source_word_of_token: S word positions. Where the encoder also saw END, append
            `len(words)` for it: END becomes a last word of its own.
    """
    source = _membership(source_word_of_token, weights)
    target = _membership(target_word_of_token, weights)
    return (target / target.sum(0)).T @ weights @ source


def _membership(word_of_token: Sequence[int], like: Tensor) -> Float[Tensor, "tokens words"]:
    words = torch.tensor(list(word_of_token), dtype=torch.long, device=like.device)
    return torch.nn.functional.one_hot(words).to(like.dtype)
