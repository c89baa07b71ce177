"""GPT-2's files: a tiny network in their layout gives the logits of GPT-2's own equations."""

import json

import pytest
import torch
from safetensors.torch import save_file
from torch.nn import functional as F

from course_lib.models.pretrained import load_gpt2

D, HEADS, LAYERS, LENGTH, VOCABULARY = 8, 2, 2, 10, 13
SHAPES = {"attn.c_attn": 3 * D, "attn.c_proj": D, "mlp.c_fc": 4 * D, "mlp.c_proj": D}


@pytest.fixture
def numbers():
    """Weights under the published names, matrices as (input, output)."""
    torch.manual_seed(0)
    found = {"wte.weight": torch.randn(VOCABULARY, D), "wpe.weight": torch.randn(LENGTH, D)}
    norms = ["ln_f"]
    for layer in range(LAYERS):
        norms += [f"h.{layer}.ln_1", f"h.{layer}.ln_2"]
        for name, width in SHAPES.items():
            rows = 4 * D if name == "mlp.c_proj" else D
            found[f"h.{layer}.{name}.weight"] = torch.randn(rows, width) / rows**0.5
            found[f"h.{layer}.{name}.bias"] = torch.randn(width)
        found[f"h.{layer}.attn.bias"] = torch.ones(1, 1, LENGTH, LENGTH)  # their causal mask
    for norm in norms:
        found |= {f"{norm}.weight": torch.rand(D) + 0.5, f"{norm}.bias": torch.randn(D)}
    return found


def equations(numbers, tokens):
    """Logits as GPT-2 computes them, with nothing of the course's."""

    def norm(x, name):
        return F.layer_norm(x, (D,), numbers[f"{name}.weight"], numbers[f"{name}.bias"])

    def linear(x, name):
        return x @ numbers[f"{name}.weight"] + numbers[f"{name}.bias"]

    x = numbers["wte.weight"][tokens] + numbers["wpe.weight"][: tokens.shape[1]]
    for layer in range(LAYERS):
        at = f"h.{layer}."
        three = linear(norm(x, f"{at}ln_1"), f"{at}attn.c_attn").split(D, dim=-1)
        q, k, v = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in three)
        read = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + linear(read.transpose(1, 2).flatten(-2), f"{at}attn.c_proj")
        inner = F.gelu(linear(norm(x, f"{at}ln_2"), f"{at}mlp.c_fc"), approximate="tanh")
        x = x + linear(inner, f"{at}mlp.c_proj")
    return norm(x, "ln_f") @ numbers["wte.weight"].T


@pytest.mark.parametrize("prefix", ["", "transformer."])
def test_logits_are_those_of_gpt2s_equations(tmp_path, numbers, prefix):
    sizes = {"n_embd": D, "n_head": HEADS, "n_layer": LAYERS, "n_positions": LENGTH}
    (tmp_path / "config.json").write_text(json.dumps({**sizes, "vocab_size": VOCABULARY}))
    stored = {f"{prefix}{name}": value.contiguous() for name, value in numbers.items()}
    save_file(stored, tmp_path / "model.safetensors")
    tokens = torch.randint(VOCABULARY, (3, LENGTH))
    model = load_gpt2(tmp_path)
    assert not model.training
    torch.testing.assert_close(model(tokens), equations(numbers, tokens), atol=1e-4, rtol=1e-5)


def test_without_the_files_the_missing_one_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"config\.json"):
        load_gpt2(tmp_path)
