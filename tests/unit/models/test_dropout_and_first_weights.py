"""Where dropout falls, and what weights are like before training."""

import math
from functools import partial

import pytest
import torch
from torch import nn

from course_lib.models.captioner import Captioner, CaptionerConfig
from course_lib.models.cloze import Cloze, ClozeConfig
from course_lib.models.hierarchical import HierarchicalAttention, HierarchicalConfig
from course_lib.models.language_model import LanguageModel, LanguageModelConfig
from course_lib.models.lstmn import LSTMNConfig, LSTMNTranslator
from course_lib.models.parts import TokenEmbedding
from course_lib.models.registry import build

WORDS = 61
RECURRENT = ("bahdanau", "cho", "dot", "luong", "sutskever")
SIDES = ("encoder", "decoder")
SIZES = {"source_vocabulary": WORDS, "target_vocabulary": WORDS, "embedding": 48, "hidden": 64}


def model(name: str, dropout: float = 0.0) -> nn.Module:
    return build(name, {**SIZES, "dropout": dropout}, torch.Generator().manual_seed(0))


def share_of_zeros(tensor: torch.Tensor) -> float:
    return float((tensor == 0).float().mean())


@pytest.mark.parametrize("name", RECURRENT)
def test_every_model_drops_embeddings_and_what_its_words_are_predicted_from(name):
    """Seen where it counts: at what leaves the embeddings and at what the last layer reads."""
    found = {"embedding": [], "words": []}

    def after(module, inputs, output):
        found["embedding"].append(share_of_zeros(output))

    def before(module, inputs):
        found["words"].append(share_of_zeros(inputs[0]))

    for dropout in (0.5, 0.0):
        net = model(name, dropout).train()
        for module in net.modules():
            if isinstance(module, TokenEmbedding):
                module.register_forward_hook(after)
            if isinstance(module, nn.Linear) and module.out_features == WORDS:
                module.register_forward_pre_hook(before)
        ids = torch.randint(4, WORDS, (3, 7), generator=torch.Generator().manual_seed(1))
        torch.manual_seed(0)
        net(ids, torch.ones_like(ids, dtype=torch.bool), ids)
        low, high = (0.4, 0.6) if dropout else (0.0, 0.0)
        assert len(found["embedding"]) == 2, "one side has no embedding"
        assert found["words"], "no layer of words was run"
        for shares in found.values():
            assert all(low <= share <= high for share in shares)
            shares.clear()


IDS = torch.randint(4, WORDS, (3, 7), generator=torch.Generator().manual_seed(1))
REAL = torch.ones_like(IDS, dtype=torch.bool)
SMALL = {"embedding": 12, "hidden": 16, "dropout": 0.5}


def of_pairs(name: str, **settings) -> tuple:
    drawn = torch.Generator().manual_seed(0)
    net = build(name, {"vocabulary": WORDS, **SMALL, **settings}, drawn)
    return net, (IDS, REAL, IDS, REAL)


def of_documents() -> tuple:
    config = HierarchicalConfig(WORDS, classes=2, attention=16, **SMALL)
    net = HierarchicalAttention(config, torch.Generator().manual_seed(0))
    return net, (IDS[None], REAL[None])


def two_lstmns() -> tuple:
    config = LSTMNConfig(WORDS, WORDS, **SMALL)
    return LSTMNTranslator(config, torch.Generator().manual_seed(0)), (IDS, REAL, IDS)


def of_stacks(name: str) -> tuple:
    sizes = {"width": 16, "heads": 2, "layers": 1, "dropout": 0.5}
    drawn = torch.Generator().manual_seed(0)
    if name == "cloze":
        return Cloze(ClozeConfig(WORDS, **sizes), drawn), (IDS, REAL, IDS[:, 0] % 7)
    if name == "language model":
        return LanguageModel(LanguageModelConfig(WORDS, **sizes), drawn), (IDS,)
    words = {"source_vocabulary": WORDS, "target_vocabulary": WORDS}
    return build("transformer", words | sizes, drawn), (IDS, REAL, IDS)


def of_images() -> tuple:
    net = Captioner(CaptionerConfig(WORDS, 5, 9, dropout=0.5), torch.Generator().manual_seed(0))
    image = torch.randn(3, 7, 5, generator=torch.Generator().manual_seed(1))
    return net, (image, REAL, IDS)


def layers(*networks: str) -> list[str]:
    """Where F, G and H drop: before both of their layers."""
    return [f"{name}.{layer}" for name in networks for layer in (0, 3)]


def around(stack: str, *sublayers: str) -> list[str]:
    """Where the only layer of a stack drops what its sub-layers find."""
    return [f"{stack}.0.around_{name}.dropout" for name in sublayers]


# Of each how it is made with its inputs, and every place where it drops.
OTHERS = {
    "bag": (partial(of_pairs, "bag"), layers("compare", "aggregate")),
    "lstm": (partial(of_pairs, "lstm"), ["dropout", *layers("aggregate")]),
    "decomposable": (
        partial(of_pairs, "decomposable", intra=True),
        layers("intra.attend", "attend", "compare", "aggregate"),
    ),
    "hierarchical": (of_documents, ["embed.dropout", "dropout"]),
    "captioner": (of_images, ["output.dropout", "target_embed.dropout"]),
    "transformer": (
        partial(of_stacks, "transformer"),
        [
            "source_embed.dropout",
            "target_embed.dropout",
            *around("encoder", "self", "feed_forward"),
            *around("decoder", "self", "cross", "feed_forward"),
        ],
    ),
    "cloze": (
        partial(of_stacks, "cloze"),
        ["embed.dropout", *around("layers", "self", "feed_forward")],
    ),
    "language model": (
        partial(of_stacks, "language model"),
        ["embed.dropout", *around("layers", "self", "feed_forward")],
    ),
    "LSTMN": (two_lstmns, ["source_embed.dropout", "target_embed.dropout", "dropout"]),
}
ONE_BY_ONE = [(name, place) for name, (_, places) in OTHERS.items() for place in places]


@pytest.mark.parametrize(("name", "place"), ONE_BY_ONE)
def test_each_place_of_the_others_drops_by_itself_and_only_in_training(name, place):
    make, places = OTHERS[name]
    net, inputs = make()
    found = {where: part for where, part in net.named_modules() if isinstance(part, nn.Dropout)}
    assert sorted(found) == sorted(places)
    assert {part.p for part in found.values()} == {0.5}
    for where, part in found.items():
        part.p = 0.5 * (where == place)

    @torch.no_grad()
    def say() -> torch.Tensor:
        said = net(*inputs)
        return said if isinstance(said, torch.Tensor) else said.logits

    torch.manual_seed(0)
    net.train()
    assert not torch.equal(say(), say())
    net.eval()
    assert torch.equal(say(), say())


@pytest.mark.parametrize(("name", "side"), [(n, s) for n in ("luong", "sutskever") for s in SIDES])
def test_dropout_falls_between_the_layers_of_each_side(name, side):
    """Fused layers drop inside of themselves, so all other dropout is off."""
    net = build(name, {**SIZES, "layers": 2, "dropout": 0.5}, torch.Generator().manual_seed(0))
    for part in net.modules():
        if isinstance(part, nn.Dropout):
            part.p = 0.0
        if isinstance(part, nn.RNNBase):
            assert part.dropout == 0.5
            part.dropout *= part in [*net.get_submodule(side).modules()]

    @torch.no_grad()
    def say() -> torch.Tensor:
        return net(IDS, REAL, IDS).logits

    net.train()
    torch.manual_seed(0)
    assert not torch.equal(say(), say())
    net.eval()
    assert torch.equal(say(), say())


@pytest.mark.parametrize("name", RECURRENT)
def test_first_weights_are_what_the_page_says(name):
    """Embeddings normal with deviation .1, gates orthogonal, other matrices Glorot, biases zero."""
    seen = set()
    for where, weight in model(name).named_parameters():
        weight = weight.detach()
        if weight.dim() < 2:
            kind = "bias"
            assert (weight == 0).all(), where
        elif where.endswith("table.weight"):
            kind = "embedding"
            assert float(weight.std()) == pytest.approx(0.1, rel=0.1), where
            assert abs(float(weight.mean())) < 0.01, where
        elif "weight_hh" in where or "recurrent" in where:
            kind = "recurrent"
            for gate in weight.split(weight.shape[1]):
                identity = torch.eye(weight.shape[1])
                torch.testing.assert_close(gate @ gate.T, identity, atol=1e-5, rtol=0)
        else:
            kind = "other"
            bound = math.sqrt(6 / sum(weight.shape))
            assert float(weight.abs().max()) <= bound, where
            # Of a uniform number between -b and b the deviation is b over the root of three.
            assert float(weight.std()) == pytest.approx(bound / math.sqrt(3), rel=0.25), where
        seen.add(kind)
    assert seen == {"bias", "embedding", "recurrent", "other"}
