"""From sentences to token ids and back; each token knows the word that it belongs to.

Two tokenizers share one interface: `WordVocabulary` (one id a word, for the mini-world) and
`JointBPE` (byte-pair encoding over both languages together, for real text). Both are made from
the training split alone; what they never saw becomes `<unk>`.
"""

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
    Tokenized,
    damaged,
    find_words,
    normal_text,
    normalise_words,
    read_json,
    require_list,
    token_at,
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

_WORDS = "words"


class WordVocabulary:
    """One id for each word of the training sentences.

    Args:
        words: the words without the special tokens, in the order of their ids from 4 on.
        lowercase: whether sentences are lower-cased first.

    Raises:
        ValueError: a word occurs twice, or is a special token.
        TypeError: text in place of a list of words.
    """

    def __init__(self, words: Sequence[str], lowercase: bool = False) -> None:
        require_list(words, "words")
        self.lowercase = lowercase
        self._tokens = [*SPECIALS, *words]
        self._id = {token: i for i, token in enumerate(self._tokens)}
        if len(self._id) != len(self._tokens):
            raise ValueError("want each word once and no special token among the words")

    @classmethod
    def from_sentences(
        cls, sentences: Iterable[Sequence[str]], minimum: int = 1, lowercase: bool = False
    ) -> "WordVocabulary":
        """Collect the words that occur `minimum` times or more in the training sentences.

        The most frequent come first, equally frequent ones by the alphabet.

        Raises:
            CourseError: a sentence is empty, or no word is left.
            TypeError: text in place of a list of words.
        """
        count: Counter[str] = Counter()
        for sentence in sentences:
            require_list(sentence, "words")
            count.update(normalise_words(sentence, lowercase))
        kept = [w for w, n in count.items() if n >= minimum and w not in SPECIALS]
        if not kept:
            raise CourseError(f"want a training word that occurs {minimum} times or more; got none")
        return cls(sorted(kept, key=lambda word: (-count[word], word)), lowercase)

    def __len__(self) -> int:
        return len(self._tokens)

    def encode(self, text: str | Sequence[str]) -> Tokenized:
        """Look up the words; unknown ones get UNKNOWN. Text is split into words first.

        A typographic sign that no word has, as in "don’t", is read as its plain twin.

        Raises:
            CourseError: the sentence is empty.
        """
        if isinstance(text, str):
            chunks = normal_text(text, self.lowercase).split()
            words = [
                w
                for c in chunks
                for w in ([c] if c in self._id else [match.group() for match in find_words(c)])
            ]
        else:
            words = normalise_words(text, self.lowercase)
        ids = [self._lookup(word) for word in words]
        return Tokenized(ids, list(range(len(ids))), [self._tokens[i] for i in ids], words)

    def _lookup(self, word: str) -> int:
        number = self._id.get(word, UNKNOWN)
        if number == UNKNOWN:
            number = self._of_twin(word)
        # A sentence may contain the letters "</s>"; they are no end token.
        return number if number >= len(SPECIALS) else UNKNOWN

    def _of_twin(self, word: str) -> int:
        signs = [sign for sign in TWINS if sign in word]
        twins = (word.replace(sign, twin) for sign in signs for twin in TWINS[sign])
        return next((self._id[twin] for twin in twins if twin in self._id), UNKNOWN)

    def from_ids(self, ids: Sequence[int]) -> Tokenized:
        """Describe emitted ids, token by token; none is dropped."""
        tokens = [token_at(self._tokens, i) for i in ids]
        return Tokenized(list(ids), list(range(len(tokens))), tokens, tokens)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the words up to END with single spaces, without PAD and START."""
        return " ".join(self.from_ids(visible(ids)).tokens)

    def save(self, path: Path | str) -> None:
        """Write the vocabulary as JSON, whole or not at all (`CourseError`)."""
        write_json(path, {"type": _WORDS, "lowercase": self.lowercase, "tokens": self._tokens})

    @classmethod
    def load(cls, path: Path | str) -> "WordVocabulary":
        """Read what `save` wrote.

        Raises:
            CourseError: the file is missing, broken or of another kind.
        """
        content = read_json(path)
        if content.get("type") != _WORDS:
            raise damaged(path)
        return cls(content["tokens"][len(SPECIALS) :], content["lowercase"])


Tokenizer = WordVocabulary | JointBPE


def load_tokenizer(path: Path | str) -> Tokenizer:
    """Read a tokenizer of either kind, as the file's "type" says.

    Raises:
        CourseError: the file is missing or broken.
    """
    kind = WordVocabulary if read_json(path).get("type") == _WORDS else JointBPE
    return kind.load(path)


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
