"""Measures under teacher forcing: perplexity, and attention along the true translation."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from jaxtyping import Float
from torch import Tensor, nn

from course_lib.data.batch import Batch, Batches, collate, encode_pairs
from course_lib.data.pairs import Pair, sides
from course_lib.data.tokens.tokenizer import Tokenizer
from course_lib.errors import CourseError
from course_lib.evaluation.translate import over_words
from course_lib.models.protocol import Output, evaluating, unwrapped
from course_lib.training.objective import perplexity, summed_loss

Result = TypeVar("Result")


def map_teacher_forced(
    model: nn.Module,
    batches: Batches | Iterable[Batch],
    function: Callable[[Batch, Output], Result],
    *,
    return_attention: bool = False,
) -> list[Result]:
    """Apply a function to each batch and the model's output under teacher forcing, dropout off."""
    results, model = [], unwrapped(model)
    with evaluating(model) as device:
        for batch in batches.sequential() if isinstance(batches, Batches) else batches:
            batch = batch.to(device)
            output = model(
                batch.source, batch.source_mask, batch.target_in, return_attention=return_attention
            )
            results.append(function(batch, output))
    return results


class TeacherForced(NamedTuple):
    """How well a model predicts each next token of the true translations.

    Attributes:
        nats: mean negative log-likelihood per target token, the end mark included.
        accuracy: share of target tokens that the model found most probable.
        tokens: number of target tokens.
    """

    nats: float
    accuracy: float
    tokens: int

    @property
    def perplexity(self) -> float:
        """exp of the mean: the number of equally likely tokens between which it hesitates."""
        return perplexity(self.nats, 1)


def teacher_forced(model: nn.Module, batches: Batches | Iterable[Batch]) -> TeacherForced:
    """Perplexity and accuracy of the true next tokens, without label smoothing."""

    def count(batch: Batch, output: Output) -> tuple[float, int, int]:
        nats = summed_loss(output.logits, batch.target_out, batch.target_mask).item()
        right = (output.logits.argmax(-1) == batch.target_out) & batch.target_mask
        return nats, int(right.sum()), batch.tokens

    counts = map_teacher_forced(model, batches, count)
    nats, right, tokens = map(sum, zip(*counts, strict=True))
    if math.isnan(nats):
        raise ValueError("want logits that are numbers; got nan: are the model's weights finite?")
    return TeacherForced(nats / tokens, right / tokens, tokens)


def forced_attention(
    model: nn.Module,
    pairs: Sequence[Pair],
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    *,
    batch_size: int = 64,
) -> list[Float[Tensor, "_ _"]]:
    """The attention of a model that writes the true translations; CourseError if it has none.

    For each pair a map (Tw, Sw + 1): target words by source words, the source's end mark last.
    """
    encoded = encode_pairs(pairs, source_tokenizer, target_tokenizer)
    order = sorted(range(len(encoded)), key=lambda i: len(encoded[i].source))
    groups = (order[start : start + batch_size] for start in range(0, len(order), batch_size))
    batches = (collate([encoded[i] for i in rows], rows) for rows in groups)
    maps: dict[int, Tensor] = {}

    def collect(batch: Batch, output: Output) -> None:
        if output.attention is None:
            raise CourseError(f"want a model with attention; got {type(model).__name__}")
        for i, matrix in zip(batch.index, output.attention.cpu(), strict=True):
            source_text, target_text = sides(pairs[i])
            source = source_tokenizer.encode(source_text)
            target = target_tokenizer.encode(target_text)
            cut = matrix[: len(target.ids), : len(source.ids) + 1]
            maps[i] = over_words(cut, source, target)

    map_teacher_forced(model, batches, collect, return_attention=True)
    return [maps[i] for i in range(len(encoded))]
