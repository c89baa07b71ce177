"""Byte-pair encoding over both languages together (Sennrich, Haddow & Birch 2016)."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import tokenizers

from course_lib.data.tokens.words import (
    SPACE,
    SPECIALS,
    TWINS,
    UNKNOWN,
    UNREADABLE,
    WORD,
    Tokenized,
    normal_text,
    normal_words,
    normalise,
    pieces_of,
    visible,
    write_json,
)
from course_lib.errors import CourseError


class JointBPE:
    """Byte-pair encoding with one vocabulary for both languages (Sennrich et al. 2016, 3.2).

    Merges never cross a word or punctuation boundary, so each token belongs to one word. The
    space before a word is part of its first token, so `decode` gives back the exact text.

    Args:
        tokens: all tokens in the order of their ids, the special ones first.
        merges: the learned merges, first learned first.
        lowercase: whether sentences are lower-cased first.
    """

    def __init__(
        self, tokens: Sequence[str], merges: Sequence[tuple[str, str]], lowercase: bool = True
    ) -> None:
        self.lowercase = lowercase
        self.tokens = list(tokens)
        self.merges = [(left, right) for left, right in merges]
        vocabulary = {token: i for i, token in enumerate(self.tokens)}
        replacements = {
            sign: next((twin for twin in twins if twin in vocabulary), sign)
            for sign, twins in TWINS.items()
            if sign not in vocabulary
        }
        self._replacements = str.maketrans(replacements)
        self._bpe = tokenizers.Tokenizer(
            tokenizers.models.BPE(
                vocab=vocabulary, merges=self.merges, unk_token=SPECIALS[UNKNOWN], fuse_unk=True
            )
        )

    @classmethod
    def train(cls, lines: Iterable[str], size: int = 8000, lowercase: bool = True) -> "JointBPE":
        """Learn the merges from the training split's lines of both languages.

        The same lines give the same tokenizer, in whatever order they come.

        Args:
            size: number of tokens wanted, special ones included. A small text may give fewer, and
                all its characters are among them, even if they are more.
            lowercase: whether to lower-case all text, here and in `encode`.

        CourseError for no text. TypeError for text in place of a list of lines; its letters would
        be the lines.
        """
        if isinstance(lines, str):
            raise TypeError(f"want a list of lines; got the text {lines[:40]!r}")
        pieces = [p for line in lines for p in pieces_of(normalise(line, lowercase))]
        if not pieces:
            raise CourseError("want text to train the tokenizer on; got only empty lines")
        trainer = tokenizers.trainers.BpeTrainer(
            vocab_size=size, min_frequency=2, special_tokens=list(SPECIALS), show_progress=False
        )
        learner = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token=SPECIALS[UNKNOWN]))
        learner.train_from_iterator(pieces, trainer)
        learned = json.loads(learner.to_str())["model"]
        tokens = sorted(learned["vocab"], key=learned["vocab"].__getitem__)
        return cls(tokens, learned["merges"], lowercase)

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, text: str | Sequence[str]) -> Tokenized:
        """Split into words, then into tokens. Characters never seen in training are UNKNOWN.

        A typographic sign that training never saw, such as "’", is read as its plain twin.
        A sequence of words is taken as split already: its words keep their numbers.

        CourseError if the sentence is empty.
        """
        if isinstance(text, str):
            split = [[piece] for piece in pieces_of(normal_text(text, self.lowercase))]
            words = [piece.removeprefix(SPACE) for (piece,) in split]
        else:
            words = normal_words(text, self.lowercase)
            split = [pieces_of(word) for word in words]
        word_of_piece = [i for i, group in enumerate(split) for _ in group]
        pieces = [piece.translate(self._replacements) for group in split for piece in group]
        encoding = self._bpe.encode(pieces, is_pretokenized=True)
        word_of_token = [word_of_piece[i] for i in encoding.word_ids]
        return Tokenized(encoding.ids, word_of_token, encoding.tokens, words)

    def from_ids(self, ids: Sequence[int]) -> Tokenized:
        """Describe emitted ids, token by token; none is dropped.

        The words are those of the text that the tokens spell. Where a token lies across a
        boundary (no training text does that, an untrained model may), the words become one.
        """
        tokens = [self.tokens[i] for i in ids]
        spelled = [
            UNREADABLE if i < len(SPECIALS) else token.replace(SPACE, " ")
            for i, token in zip(ids, tokens, strict=True)
        ]
        starts = {match.start() for match in WORD.finditer("".join(spelled))}
        words, word_of_token, position = [], [], 0
        for piece in spelled:
            start = position + len(piece) - len(piece.lstrip())
            # A lone space belongs to the word after it, so it does not end the word it began.
            if not words or (words[-1].strip() and start in starts):
                words.append("")
            words[-1] += piece
            word_of_token.append(len(words) - 1)
            position += len(piece)
        words = [word.strip().replace(UNREADABLE, SPECIALS[UNKNOWN]) for word in words]
        return Tokenized(list(ids), word_of_token, tokens, words)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text up to END, its spacing restored, without PAD and START."""
        text = "".join(self.tokens[i] for i in visible(ids))
        return " ".join(text.replace(SPACE, " ").split())

    def save(self, path: Path | str) -> None:
        """Write the tokenizer as JSON, whole or not at all (`CourseError`)."""
        content = {"type": "bpe", "lowercase": self.lowercase, "tokens": self.tokens}
        write_json(path, content | {"merges": self.merges})
