"""What a device computes is what the CPU computes: in float32 nearly, in bfloat16 roughly.

On a GPU where COURSE_DEVICE names one, such as in `make gpu-lane`; otherwise on the stand-in of
`tests/elsewhere.py`, which refuses what a GPU would refuse. It computes on the CPU, so that it
proves nothing about bfloat16, and those cases stay on the CPU itself.
"""

import os
from contextlib import nullcontext
from functools import partial

import pytest
import torch

from course_lib.attention.attend import attend
from course_lib.attention.blockwise import blockwise_attention
from course_lib.attention.masks import causal_mask
from course_lib.attention.multihead import MultiHeadAttention
from course_lib.decoding.beam import beam
from course_lib.decoding.exact import most_probable
from course_lib.decoding.greedy import greedy
from course_lib.decoding.sample import sample
from course_lib.device import cpu_generator, get_device
from course_lib.models.gpt import GPT, gpt2, llama
from course_lib.models.registry import MODELS, build
from tests.elsewhere import DEVICE, Elsewhere, prepare
from tests.sizes import small

IS_REAL = os.environ.get("COURSE_DEVICE", "cpu") not in ("", "cpu")
WORDS, B, S, T = 12, 3, 5, 4
NEAR = {torch.float32: {"rtol": 1e-4, "atol": 1e-5}, torch.bfloat16: {"rtol": 0.05, "atol": 0.05}}
PRECISIONS = pytest.mark.parametrize("precision", NEAR, ids=["float32", "bfloat16"])
SOURCE = torch.randint(4, WORDS, (B, S), generator=torch.Generator().manual_seed(1))
REAL = torch.arange(S) < torch.tensor([5, 3, 4])[:, None]
TARGET = torch.randint(4, WORDS, (B, T), generator=torch.Generator().manual_seed(2))


@pytest.fixture
def device(monkeypatch, request):
    """The real one, or the stand-in for as long as the test runs."""
    if IS_REAL:
        yield get_device()
        return
    if "bfloat16" in request.node.name:
        yield torch.device("cpu")
        return
    prepare(monkeypatch)
    with Elsewhere():
        yield DEVICE


def in_precision(device, precision):
    """Autocast in half precision, nothing in single."""
    half = precision is torch.bfloat16
    return torch.autocast(device.type, precision) if half else nullcontext()


def of(name: str):
    """A small model with weights drawn on the CPU."""
    return build(name, small(name, WORDS), cpu_generator(3)).eval()


def agree(found, wanted, precision):
    torch.testing.assert_close(found.detach().cpu().float(), wanted.detach(), **NEAR[precision])


@PRECISIONS
def test_attention_and_its_gradients(device, precision):
    drawn = [torch.randn(2, 6, 8, generator=cpu_generator(i)) for i in range(3)]
    ways = {
        "attend": lambda q, k, v, m: attend(q, k, v, mask=m).context,
        "blockwise": lambda q, k, v, m: blockwise_attention(q, k, v, causal=True, block=4),
    }
    for way in ways.values():
        sides = []
        for where, kind in ((torch.device("cpu"), torch.float32), (device, precision)):
            leaves = [each.detach().clone().to(where, kind).requires_grad_() for each in drawn]
            context = way(*leaves, causal_mask(6, device=where))
            context.square().sum().backward()
            sides.append([context, *(leaf.grad for leaf in leaves)])
        for wanted, found in zip(*sides, strict=True):
            agree(found, wanted, precision)


@PRECISIONS
def test_several_heads(device, precision):
    heads = MultiHeadAttention(8, 2)
    x = torch.randn(2, 6, 8, generator=cpu_generator(1))
    wanted = heads(x, x, mask=causal_mask(6)).context
    moved, there = heads.to(device), x.to(device)
    with in_precision(device, precision):
        found = moved(there, there, mask=causal_mask(6, device=device)).context
    agree(found, wanted, precision)


@PRECISIONS
@pytest.mark.parametrize("name", MODELS)
def test_a_model_and_its_gradients(device, precision, name):
    model = of(name)
    wanted = model(SOURCE, REAL, TARGET).logits
    wanted.square().mean().backward()
    norms = {key: p.grad.norm() for key, p in model.named_parameters() if p.grad is not None}
    model = of(name).to(device)
    try:
        with in_precision(device, precision):
            found = model(SOURCE.to(device), REAL.to(device), TARGET.to(device)).logits
    except RuntimeError as error:
        if "primitive descriptor for the LSTM" not in str(error):
            raise
        pytest.skip("this processor has no LSTM in bfloat16")
    found.float().square().mean().backward()
    agree(found, wanted, precision)
    for key, parameter in model.named_parameters():
        if key in norms:
            agree(parameter.grad.norm(), norms[key], precision)


@pytest.mark.parametrize("name", ["cho", "bahdanau", "lstmn", "transformer"])
def test_every_search_writes_what_it_writes_on_the_cpu(device, name):
    ways = {
        "greedy": greedy,
        "beam": partial(beam, beams=3),
        "sample": lambda *given, **named: sample(*given, generator=cpu_generator(5), **named),
    }
    model = of(name)
    wanted = {key: way(model, SOURCE, REAL, max_length=6).ids for key, way in ways.items()}
    best = most_probable(model, SOURCE, REAL, max_length=3)
    model = model.to(device)
    there = SOURCE.to(device), REAL.to(device)
    assert {key: way(model, *there, max_length=6).ids for key, way in ways.items()} == wanted
    found = most_probable(model, *there, max_length=3)
    assert [one.ids for one in found] == [one.ids for one in best]


@PRECISIONS
@pytest.mark.parametrize("family", [gpt2, llama])
def test_gpts(device, precision, family):
    model = GPT(family(WORDS, width=8, heads=2, layers=2, feed_forward=16), cpu_generator(0)).eval()
    wanted = model(TARGET)
    model = model.to(device)
    with in_precision(device, precision):
        found = model(TARGET.to(device))
    agree(found, wanted, precision)
