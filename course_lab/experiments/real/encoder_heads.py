"""What each encoder head of the caption Transformer attends to, and what it is worth (chapter 9).

The heads are those of `transformer-both`, which here reads English to write German. "found" is the
share of the 200 captions of `verb_object` where the head's largest weight goes from the object to
its verb. "nats" is what is lost per German token of these captions, forced through the decoder,
when the head reads its mean at every token: the mean over as many validation captions.

    python -m course_lab.experiments real/encoder_heads

takes a minute on one core.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import cross_entropy

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.real import networks
from course_lab.experiments.real.captions import TESTS, VALID, marked, plain
from course_lab.experiments.real.one_a_line import one_a_line
from course_lab.experiments.real.verb_object import AMONG, NETWORK, WAY, hits, pairs, word_looks
from course_lib.data.batch import Batch, collate, encode_pairs
from course_lib.data.tokens.tokenizer import PAD
from course_lib.files import atomic_write
from course_lib.models.transformer import Transformer

STORED = Path(__file__).with_name("encoder_heads.json")
_AT_ONCE = 40


def mean_reads(model: Transformer, batches: Sequence[Batch]) -> Float[Tensor, "N D"]:
    """What the encoder's heads read, as W^O gets it, in the mean over all real tokens."""
    kept: list[list[Tensor]] = [[] for _ in model.encoder]
    for batch in batches:
        handles = [
            layer.self_attention.output.register_forward_pre_hook(
                lambda _, inputs, own=own, real=batch.source_mask: own.append(inputs[0][real])
            )
            for layer, own in zip(model.encoder, kept, strict=True)
        ]
        with torch.no_grad():
            model.encode(batch.source, batch.source_mask)
        for handle in handles:
            handle.remove()
    return torch.stack([torch.cat(each).mean(0) for each in kept])


def nats(model: Transformer, batches: Sequence[Batch]) -> float:
    """The loss per token of the targets."""
    losses = []
    for batch in batches:
        with torch.no_grad():
            logits = model(batch.source, batch.source_mask, batch.target_in).logits
        wanted = batch.target_out.flatten()
        loss = cross_entropy(logits.flatten(0, 1), wanted, reduction="none")
        losses.append(loss[wanted != PAD])
    return torch.cat(losses).mean().item()


def lost(
    model: Transformer, batches: Sequence[Batch], reads: Float[Tensor, "N D"]
) -> Float[Tensor, "N H"]:
    """Nats per token that are lost when one head reads its mean."""
    whole, loss = nats(model, batches), torch.zeros(len(model.encoder), model.config.heads)
    for n, layer in enumerate(model.encoder):
        attention = layer.self_attention
        for h in range(model.config.heads):
            silence = _at(attention.columns(h), reads[n])
            handle = attention.output.register_forward_pre_hook(silence)
            loss[n, h] = nats(model, batches) - whole
            handle.remove()
    return loss


def _at(own: slice, reads: Float[Tensor, " D"]) -> Callable[..., tuple[Tensor]]:
    def silenced(_, inputs: tuple[Tensor]) -> tuple[Tensor]:
        changed = inputs[0].clone()
        changed[..., own] = reads[own]
        return (changed,)

    return silenced


def measure() -> list[dict[str, Any]]:
    """A record for each head."""
    network, annotated = networks.load(NETWORK), pairs()

    def read(split: str, chosen: Sequence[int]) -> list[tuple[str, str]]:
        captions = plain(WAY, split)
        return marked([captions[i] for i in chosen], network.about["direction"], WAY)

    def batches(texts: Sequence[tuple[str, str]]) -> list[Batch]:
        encoded = encode_pairs(texts, *network.tokenizers)
        parts = [encoded[i : i + _AT_ONCE] for i in range(0, len(encoded), _AT_ONCE)]
        return [collate(part, range(len(part))) for part in parts]

    asked = read(TESTS[0], [pair.caption for pair in annotated])
    looks = word_looks(network.model, network.tokenizer, [source for source, _ in asked])
    shares = hits(looks, annotated, "object to verb", AMONG[0]).mean(1)
    reads = mean_reads(network.model, batches(read(VALID, range(len(annotated)))))
    missed = lost(network.model, batches(asked), reads)
    heads = missed.shape[1]
    return [
        {
            "layer": n // heads,
            "head": n % heads,
            "found": round(float(share), 3),
            "nats": round(missed.flatten()[n].item(), 4),
        }
        for n, share in enumerate(shares)
    ]


def load() -> list[dict[str, Any]]:
    """What the command stored."""
    return load_stored(STORED)


def save_to(path: Path) -> None:
    """Measures, and writes the file."""
    atomic_write(path, one_a_line(measure()) + "\n")


EXPERIMENTS = [
    Artifact(
        "What chapter 13's encoder heads attend to, and what each is worth.",
        STORED,
        lambda file, seed: save_to(file),
    )
]
