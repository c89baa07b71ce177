"""A sequence autoencoder as pre-training (Dai & Le 2015, arXiv:1511.01432, section 2).

A sequence-to-sequence model whose target is its source learns from text alone, with no
translations. Its weights are then a starting point for a translator: an autoencoder of the source
language gives the encoder, one of the target language the decoder.
"""

from course_lib.models.sutskever import Sutskever


class SequenceAutoencoder(Sutskever):
    """Sutskever's model with X = Y: one vocabulary, one language."""


def transfer_weights(
    into: Sutskever,
    *,
    encoder: SequenceAutoencoder | None = None,
    decoder: SequenceAutoencoder | None = None,
) -> None:
    """Give a translator the encoder of one autoencoder, the decoder of another, or both."""
    if encoder is not None:
        into.encoder.load_state_dict(encoder.encoder.state_dict())
    if decoder is not None:
        into.decoder.load_state_dict(decoder.decoder.state_dict())
