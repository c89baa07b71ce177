"""Every model of the library, small, with a padded batch: (the model, what it is given).

The inputs come batch first; boolean ones are masks, with padding on the right.
"""

import torch
from torch import Tensor, nn

from course_lib.models.captioner import ATTENTIONS, Captioner, CaptionerConfig
from course_lib.models.cloze import Cloze, ClozeConfig
from course_lib.models.hierarchical import HierarchicalAttention, HierarchicalConfig
from course_lib.models.language_model import Continuing, LanguageModel, LanguageModelConfig
from course_lib.models.protocol import EncoderDecoder, Output
from course_lib.models.registry import CLASSIFIERS, MODELS, build
from tests.sizes import small

WORDS, LENGTHS = 11, (5, 3, 1)
STACK = {"width": 8, "heads": 2, "layers": 1}
VARIANTS = {
    **{name: (name, {}) for name in MODELS},
    "sutskever, two layers": ("sutskever", {"layers": 2}),
    "luong, local-m": ("luong", {"attention": "local-m", "radius": 1}),
    "luong, local-p": ("luong", {"attention": "local-p", "radius": 1}),
    "transformer, learned": ("transformer", {"positions": "learned"}),
    "transformer, rotary": ("transformer", {"positions": "rotary"}),
}
TRANSLATORS = (*VARIANTS, "continuing")
PROTOCOL = (*TRANSLATORS, *(f"captioner, {attention}" for attention in ATTENTIONS))
PAIRS = (*CLASSIFIERS, "decomposable, intra")
KINDS = (*PROTOCOL, *PAIRS, "cloze", "language model", "hierarchical")


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def sentences(lengths: tuple[int, ...] = LENGTHS, seed: int = 1) -> tuple[Tensor, Tensor]:
    real = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    return torch.randint(4, WORDS, real.shape, generator=seeded(seed)) * real, real


def made(kind: str) -> tuple[nn.Module, tuple[Tensor, ...]]:
    """The model in eval mode and its inputs."""
    target = torch.randint(2, WORDS, (len(LENGTHS), 4), generator=seeded(2))
    name, _, variant = kind.partition(", ")
    if kind in VARIANTS:
        name, settings = VARIANTS[kind]
        model = build(name, small(name, WORDS) | settings, seeded())
        inputs = (*sentences(), target)
    elif name in ("continuing", "language model"):
        model = LanguageModel(LanguageModelConfig(WORDS, **STACK), seeded())
        inputs = (target,)
        if name == "continuing":
            model, inputs = Continuing(model), (*sentences(), target)
    elif name == "captioner":
        config = CaptionerConfig(WORDS, 5, 6, variant, embedding=4, annotation=4, hidden=4)
        real = torch.arange(6) < torch.tensor([6, 3, 1])[:, None]
        image = torch.randn(3, 6, 5, generator=seeded(3))
        model, inputs = Captioner(config, seeded()), (image, real, target)
    elif name in CLASSIFIERS:
        config = {"vocabulary": WORDS, "embedding": 4, "hidden": 8}
        model = build(name, config | ({"intra": True} if variant else {}), seeded())
        inputs = (*sentences(), *sentences((2, 4, 1), seed=5))
    elif name == "cloze":
        model = Cloze(ClozeConfig(WORDS, **STACK), seeded())
        inputs = (*sentences(), torch.tensor([4, 0, 0]))
    else:
        config = HierarchicalConfig(WORDS, 3, embedding=4, hidden=4, attention=4)
        model = HierarchicalAttention(config, seeded())
        lengths = torch.tensor([[3, 1, 0, 2], [0, 5, 2, 0], [1, 0, 0, 0]])
        real = torch.arange(5) < lengths[..., None]
        inputs = (torch.randint(4, WORDS, real.shape, generator=seeded(4)) * real, real)
    return model.eval(), inputs


def scores(model: nn.Module, *inputs: Tensor) -> Tensor:
    """The logits alone."""
    said = model(*inputs)
    return said if isinstance(said, Tensor) else said.logits


def stepwise(model: EncoderDecoder, source: Tensor, mask: Tensor, target: Tensor, **how) -> Output:
    """Teacher forcing by `step` alone; a model's own `decode` must give the same."""
    return EncoderDecoder.decode(model, target, model.encode(source, mask), **how)
