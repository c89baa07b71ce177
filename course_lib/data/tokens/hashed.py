"""Unknown words that can still be distinguished.

A word that training never saw becomes `<unk>`, and so does every other such word: two different
ones look the same. A model that looks for the same word in another sentence wants better. Parikh
et al. 2016 hash each to one of 100 random vectors. Here the vocabulary has 100 entries more, and
an unknown word gets the id of one of them.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b

from course_lib.data.tokens.tokenizer import SPECIALS, UNKNOWN, Tokenizer, WordVocabulary

BUCKETS = 100
"""The number of unknown words that can be distinguished."""


def hashing_vocabulary(sentences: Iterable[str], minimum: int = 1) -> WordVocabulary:
    """Make a vocabulary of the lower-cased training words, with buckets for all other words.

    Args:
        sentences: of the training split alone.
        minimum: how often a word must occur in them.

    CourseError if a sentence is empty, or no word is left.
    """
    splitter = WordVocabulary([], lowercase=True)
    split = [splitter.encode(sentence).words for sentence in sentences]
    words = WordVocabulary.from_sentences(split, minimum).tokens[len(SPECIALS) :]
    return WordVocabulary([*words, *(f"<unknown-{i}>" for i in range(BUCKETS))], lowercase=True)


def encode_hashed(tokenizer: Tokenizer, sentence: str | Sequence[str]) -> list[int]:
    """Encode a sentence as `tokenizer.encode` does, but unknown words by their bucket, if any."""
    tokenized = tokenizer.encode(sentence)
    if UNKNOWN not in tokenized.ids:
        return tokenized.ids
    # Without buckets the name of one is unknown too.
    return [
        tokenizer.encode([f"<unknown-{_hash(word)}>"]).ids[0] if i == UNKNOWN else i
        for i, word in zip(tokenized.ids, tokenized.words, strict=True)
    ]


def _hash(word: str) -> int:
    """Return a word's bucket, the same on every machine and in every run."""
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big") % BUCKETS
