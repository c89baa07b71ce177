"""The autoencoder hands its weights on, whole or not at all."""

import torch

from course_lib.models.autoencoder import SequenceAutoencoder, transfer_weights
from course_lib.models.sutskever import Sutskever, SutskeverConfig


def config(source: int, target: int, hidden: int = 8) -> SutskeverConfig:
    return SutskeverConfig(source, target, embedding=6, hidden=hidden, layers=2)


def trained(size: int) -> SequenceAutoencoder:
    """An autoencoder none of whose parameters is what a fresh model starts from."""
    model = SequenceAutoencoder(config(size, size))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.rand_like(parameter) + 0.1)
    return model


def weights(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in module.state_dict().items()}


def test_encoder_and_decoder_come_from_their_own_language():
    source, target = trained(17), trained(13)
    translator = Sutskever(config(17, 13))
    transfer_weights(translator, encoder=source, decoder=target)
    for name, value in translator.state_dict().items():
        origin = source if name.startswith("encoder") else target
        assert torch.equal(value, origin.state_dict()[name]), name


def test_only_what_is_asked_for_is_copied():
    translator = Sutskever(config(17, 13))
    before = weights(translator)
    transfer_weights(translator, encoder=trained(17))
    changed = {n for n, v in translator.state_dict().items() if not torch.equal(v, before[n])}
    assert changed == {name for name in before if name.startswith("encoder")}
