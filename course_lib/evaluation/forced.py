"""What a model makes of the true translation: perplexity, and attention along the gold words.

All of it is teacher forced: the decoder reads the true words, not its own. Such numbers do not
belong in one column with those of free-running output.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from course_lib.data.batch import Batch, Batches, collate, encode_pairs
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import Tokenizer
from course_lib.errors import CourseError
from course_lib.evaluation.mode import evaluating
from course_lib.evaluation.translate import over_words
from course_lib.models.protocol import EncoderDecoder


class TeacherForced(NamedTuple):
    """How well a model predicts each next token of the true translations.

    Attributes:
        nats: mean negative log-likelihood per target token, the end mark included, in nats.
        accuracy: share of target tokens that were the model's first choice.
        tokens: number of target tokens.
    """

    nats: float
    accuracy: float
    tokens: int

    @property
    def perplexity(self) -> float:
        """exp of the mean: among how many equally likely tokens the model seems to choose."""
        return math.exp(self.nats) if self.nats < 700 else math.inf


def teacher_forced(model: EncoderDecoder, batches: Batches | Iterable[Batch]) -> TeacherForced:
    """Scores the true next tokens; every token counts the same, in whatever batch it stands.

    No label smoothing, whatever the training used: a smoothed loss has no perplexity.

    Raises:
        ValueError: there is no batch.
    """
    nats, right, tokens = 0.0, 0, 0
    with evaluating(model) as device:
        for batch in batches.sequential() if isinstance(batches, Batches) else batches:
            batch = batch.to(device)
            logits = model(batch.source, batch.source_mask, batch.target_in).logits
            real, wanted = logits[batch.target_mask], batch.target_out[batch.target_mask]
            # Half precision would blur the sum.
            nats += F.cross_entropy(real.float(), wanted, reduction="sum").item()
            right += int((real.argmax(-1) == wanted).sum())
            tokens += len(wanted)
    if not tokens:
        raise ValueError("no batches came, so there is nothing to score")
    return TeacherForced(nats / tokens, right / tokens, tokens)


def perplexity(model: EncoderDecoder, batches: Batches | Iterable[Batch]) -> float:
    """Token-weighted, teacher-forced perplexity; see `teacher_forced`."""
    return teacher_forced(model, batches).perplexity


def forced_attention(
    model: EncoderDecoder,
    pairs: Sequence[AlignedPair | tuple[str | Sequence[str], str | Sequence[str]]],
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    *,
    batch_size: int = 64,
) -> list[Float[Tensor, "_ _"]]:
    """The attention with which a model would write the true translations.

    Returns:
        for each pair (Tw, Sw + 1): target words by source words, the source's end mark last. The
        row of the target's end mark is left out, for it is no word.

    Raises:
        CourseError: the model has no attention, or a sentence is empty.
    """
    encoded = encode_pairs(pairs, source_tokenizer, target_tokenizer)
    order = sorted(range(len(encoded)), key=lambda i: len(encoded[i].source))
    maps: dict[int, Tensor] = {}
    with evaluating(model) as device:
        for start in range(0, len(order), batch_size):
            rows = order[start : start + batch_size]
            batch = collate([encoded[i] for i in rows], rows).to(device)
            weights = model(batch.source, batch.source_mask, batch.target_in).weights
            if weights is None:
                raise CourseError(
                    f"{type(model).__name__} has no attention, so there is no map to look at; "
                    "take a model with attention, such as bahdanau or dot"
                )
            for i, matrix in zip(rows, weights.cpu(), strict=True):
                source_text, target_text = _sides(pairs[i])
                source = source_tokenizer.encode(source_text)
                target = target_tokenizer.encode(target_text)
                cut = matrix[: len(target.ids), : len(source.ids) + 1]
                maps[i] = over_words(cut, source, target)
    return [maps[i] for i in range(len(encoded))]


def _sides(
    pair: AlignedPair | tuple[str | Sequence[str], str | Sequence[str]],
) -> tuple[str | Sequence[str], str | Sequence[str]]:
    return (pair.source, pair.target) if isinstance(pair, AlignedPair) else pair
