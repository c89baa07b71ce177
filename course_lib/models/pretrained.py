"""GPT-2 with its published weights (Radford et al. 2019)."""

import json
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

from course_lib.models.gpt import GPT, gpt2


def load_gpt2(folder: str | Path) -> GPT:
    """GPT-2 of any size, from the files that Hugging Face's `openai-community/gpt2` offers.

    Its tokens are those of `tokenizers.Tokenizer.from_file(folder / "tokenizer.json")`; a text
    begins with `<|endoftext|>`.

    Args:
        folder: where `config.json` and `model.safetensors` are.

    FileNotFoundError if one of the files is missing. RuntimeError if the weights have other names
    or shapes than GPT-2's.
    """
    sizes = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))
    width = sizes["n_embd"]
    config = gpt2(
        sizes["vocab_size"],
        width=width,
        heads=sizes["n_head"],
        layers=sizes["n_layer"],
        max_length=sizes["n_positions"],
    )
    with torch.device("meta"):  # no time for numbers that are replaced
        model = GPT(config)
    stored = load_file(Path(folder) / "model.safetensors")
    stored = {name.removeprefix("transformer."): value for name, value in stored.items()}
    # Our embedding is √D times the table, which is also the output layer.
    weights = {
        "embed.table.weight": stored["wte.weight"] / width**0.5,
        "embed.position.table.weight": stored["wpe.weight"],
        "norm.weight": stored["ln_f.weight"] * width**0.5,
        "norm.bias": stored["ln_f.bias"] * width**0.5,
    }
    for number, layer in enumerate(model.layers):
        weights |= _layer(stored, f"h.{number}.", f"layers.{number}.")
        layer.feed_forward.approximate = "tanh"
    model.load_state_dict(weights, assign=True)
    return model.eval()


def _layer(stored: dict[str, Tensor], theirs: str, ours: str) -> dict[str, Tensor]:
    """The weights of one layer under our names; GPT-2 stores its matrices as (input, output)."""
    weights = {}
    for kind in ("weight", "bias"):
        three = stored[f"{theirs}attn.c_attn.{kind}"].t().chunk(3)
        for name, part in zip(("queries", "keys", "values"), three, strict=True):
            weights[f"{ours}self_attention.{name}.{kind}"] = part.contiguous()
        for name, other in (
            ("self_attention.output", "attn.c_proj"),
            ("feed_forward.inner", "mlp.c_fc"),
            ("feed_forward.outer", "mlp.c_proj"),
            ("around_self.norm", "ln_1"),
            ("around_feed_forward.norm", "ln_2"),
        ):
            weights[f"{ours}{name}.{kind}"] = stored[f"{theirs}{other}.{kind}"].t().contiguous()
    return weights
