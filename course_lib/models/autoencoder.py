"""A sequence autoencoder as pre-training (Dai & Le 2015, arXiv:1511.01432, section 2).

A sequence-to-sequence model whose target is its source learns from text alone, with no
translations. Its weights are then a starting point for a translator: an autoencoder of the source
language gives the encoder, one of the target language the decoder.
"""

from collections.abc import Iterable

import torch

from course_lib.models.sutskever import Sutskever, SutskeverConfig


class SequenceAutoencoder(Sutskever):
    """Sutskever's model with X = Y: one vocabulary, one language.

    Raises:
        ValueError: where the two vocabularies differ in size.
    """

    def __init__(self, config: SutskeverConfig, generator: torch.Generator | None = None) -> None:
        if config.source_vocabulary != config.target_vocabulary:
            raise ValueError(
                "want one vocabulary on both sides of an autoencoder; got sizes "
                f"{config.source_vocabulary} and {config.target_vocabulary}"
            )
        super().__init__(config, generator)


def transfer_weights(
    into: Sutskever,
    *,
    encoder: SequenceAutoencoder | None = None,
    decoder: SequenceAutoencoder | None = None,
) -> list[str]:
    """Copies an autoencoder's encoder, or decoder, or both into a translator.

    Args:
        into: the translator to start from pre-trained weights; changed in place.
        encoder: the autoencoder of the source language.
        decoder: the autoencoder of the target language.

    Returns:
        the names of the parameters that were copied.

    Raises:
        ValueError: where a shape differs (nothing is copied then), or neither is given.
    """
    if encoder is None and decoder is None:
        raise ValueError("want an autoencoder for the encoder, the decoder or both; got neither")
    sources: dict[str, torch.Tensor] = {}
    if encoder is not None:
        sources |= _prefixed("encoder", encoder.encoder.state_dict().items())
    if decoder is not None:
        sources |= _prefixed("decoder", decoder.decoder.state_dict().items())
    own = into.state_dict()
    for name, value in sources.items():
        if name not in own or own[name].shape != value.shape:
            got = tuple(own[name].shape) if name in own else "no such parameter"
            raise ValueError(
                f"want {name} {tuple(value.shape)} in the translator, as in the autoencoder; got "
                f"{got}. Build both with the same sizes and the same tokenizer"
            )
    into.load_state_dict({**own, **sources})
    return sorted(sources)


def _prefixed(part: str, items: Iterable[tuple[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    return {f"{part}.{name}": value for name, value in items}
