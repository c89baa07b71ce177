"""Chapter 11: what its translator expects next, word by word, for a figure with three dials."""

from collections.abc import Sequence

import torch

from course_lab.experiments.lab.world import Tokenizers, batch_of
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.dials import SETTINGS, Dials
from course_lab.figures.touch.nextword import Place, next_word
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import END
from course_lib.decoding.sample import kept_probabilities
from course_lib.models.protocol import EncoderDecoder

OPENED = 1
"""The place after the first word."""
DIALS = Dials(temperature=1.0, top_k=5, top_p=0.9)


def show(
    model: EncoderDecoder, tokenizers: Tokenizers, source: Sequence[str], target: Sequence[str]
) -> Interactive:
    """The figure: the next word at each place of this translation.

    Args:
        model: in eval mode.
        tokenizers: of both sides.
        source: the sentence.
        target: its translation, without an end mark.
    """
    pair = AlignedPair(tuple(source), tuple(target), frozenset(), frozenset())
    batch = batch_of([pair], tokenizers)
    with torch.inference_mode():
        logits = model(batch.source, batch.source_mask, batch.target_in).logits[0, :, END:]
        dialled = {
            name: kept_probabilities(logits[OPENED], **dials).tolist()
            for name, dials in SETTINGS.items()
        }
    words = ["end", *(tokenizers[1].decode([i]) for i in range(END + 1, len(tokenizers[1])))]
    places = [Place(target[:t], row) for t, row in enumerate(logits.tolist())]
    return next_word(words, places, dialled, dials=DIALS, opened=OPENED)
