"""The language models of chapter 15's page: orders, recalled by softmax and the delta rule.

A text is names and what each of them orders, and then the names again in another order, each with
what was ordered: "Ann tea Ben soup Ben soup Ann tea". Who orders what is drawn anew for every text,
so a network can only recall it. The networks are a `LinearGPT` of one layer with a convolution over
two tokens. The first two have the same first weights, texts and number of updates; the mixer alone
differs. A third one, with the delta rule, is trained longer. The command, some minutes on one
thread:

    python -m course_lab.experiments back_to_recurrence/in_page
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor
from torch.nn import functional as F

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.page_net import load_net, pack, save_net, unpack
from course_lab.experiments.lab.world import one_thread
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.mixers import mixers
from course_lib.data.tokens.tokenizer import SPECIALS
from course_lib.device import cpu_generator
from course_lib.models.linear_gpt import LinearGPT, LinearGPTConfig

ORDERED = {
    "Ann": "tea", "Ben": "soup", "Cleo": "rice", "Dan": "fish", "Eve": "cake", "Finn": "eggs",
    "Gus": "plums", "Hana": "bread", "Ida": "corn", "Jon": "milk", "Kim": "nuts", "Leo": "figs",
    "Mia": "beans", "Nils": "pears", "Oda": "toast", "Pia": "juice",
}  # fmt: skip
"""The text that the figure opens on."""
NAMES, DISHES = list(ORDERED), list(ORDERED.values())
WORDS = (*NAMES, *DISHES)
MIXERS = {"softmax": "softmax", "delta": "delta", "delta, longer": "delta"}
"""Of each network in the page; the last one is trained `TIMES` as long, with one seed."""
SIZES = {"width": 32, "heads": 2, "layers": 1, "key_width": 8, "value_width": 8}
UPDATES, BATCH, RATE, WARMUP = 3000, 32, 1e-2, 50
FEWEST, MOST = 2, len(NAMES)
"""Orders of a text."""
ORDERS, JUDGED = (2, 4, 8, 16), 64
"""Numbers of orders that judge a network, and texts of each."""
SEEDS = (0, 1, 2)
TIMES = 4
STORED = Path(__file__).with_name("in_page.safetensors")


class InPage(NamedTuple):
    """What is stored.

    Attributes:
        models: by name the network of the first seed, in eval mode, its matrices in 8 bits.
        recalled: by name, for each seed the shares of right answers, one for each of `ORDERS`.
    """

    models: dict[str, LinearGPT]
    recalled: dict[str, list[list[float]]]


def ids_of(words: Sequence[str]) -> list[int]:
    """The ids of names and dishes, after those of the special tokens."""
    return [len(SPECIALS) + WORDS.index(word) for word in words]


def draw(orders: int, count: int, generator: torch.Generator) -> Int[Tensor, "B T"]:
    """Texts of so many orders, which all come again in another order: T is 4 times as many."""

    def drawn() -> Int[Tensor, "B N"]:
        return torch.rand(count, len(NAMES), generator=generator).argsort(1)[:, :orders]

    told = torch.stack([drawn(), len(NAMES) + drawn()], -1) + len(SPECIALS)
    again = torch.rand(count, orders, generator=generator).argsort(1)
    asked = told.gather(1, again[..., None].expand_as(told))
    return torch.cat([told, asked], 1).flatten(1)


def network(mixer: str, seed: int = 0) -> LinearGPT:
    """A network before its training: its queries begin as its keys, so that both find each other.

    Tokens begin as large as in the Transformer, since GPT-2's 0.02 learns slowly here.
    """
    made = LinearGPTConfig(
        len(SPECIALS) + len(WORDS),
        mixer=mixer,
        convolution=2,
        positions="none",
        rms=True,
        swiglu=True,
        bias=False,
        **SIZES,
    )
    model = LinearGPT(made, cpu_generator(seed))
    with torch.no_grad():
        model.embed.table.weight.mul_(made.width**-0.5 / 0.02)
        for layer in model.layers:
            layer.self_attention.queries.weight.copy_(layer.self_attention.keys.weight)
    return model


def train(mixer: str, seed: int, updates: int = UPDATES) -> LinearGPT:
    """A network that is trained to give what each name ordered; it ends in eval mode."""
    model, generator = network(mixer, seed), cpu_generator(1000 + seed)
    adam = torch.optim.AdamW(model.parameters(), lr=RATE, betas=(0.9, 0.98), weight_decay=0.01)
    plan = torch.optim.lr_scheduler.LambdaLR(
        adam, lambda n: min((n + 1) / WARMUP, 1.0) * (1 - 0.95 * n / updates)
    )
    for _ in range(updates):
        orders = int(torch.randint(FEWEST, MOST + 1, (), generator=generator))
        text = draw(orders, BATCH, generator)
        logits = model(text[:, :-1])[:, 2 * orders :: 2]
        loss = F.cross_entropy(logits.flatten(0, 1), text[:, 2 * orders + 1 :: 2].flatten())
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        plan.step()
    return model.eval()


@torch.inference_mode()
def recalled(model: LinearGPT) -> list[float]:
    """The share of right answers after each of `ORDERS`, in texts that were not trained on."""
    shares = []
    for orders in ORDERS:
        text = draw(orders, JUDGED, cpu_generator(7))
        best = model(text[:, :-1])[:, 2 * orders :: 2].argmax(-1)
        shares.append(round(float((best == text[:, 2 * orders + 1 :: 2]).double().mean()), 3))
    return shares


@torch.inference_mode()
def answers(model: LinearGPT, orders: Sequence[tuple[str, str]]) -> list[str]:
    """The dish for each name, asked in the order of the text; the network reads its answers."""
    ids = ids_of([word for order in orders for word in order])
    for name, _ in orders:
        ids += ids_of([name])
        logits = model(torch.tensor([ids]))[0, -1, len(SPECIALS) :]
        ids.append(len(SPECIALS) + int(logits.argmax()))
    return [WORDS[i - len(SPECIALS)] for i in ids[2 * len(orders) + 1 :: 2]]


@torch.inference_mode()
def numbers_kept(model: LinearGPT, tokens: int) -> int:
    """How many numbers all layers keep of so many tokens, the convolution's among them."""
    _, states = model.read(torch.full((1, tokens), len(SPECIALS)))
    kept = 0
    for state in states:
        memory = state.cache if state.memory is None else state.memory[:1]
        kept += state.recent.numel() + sum(part.numel() for part in memory)
    return kept


def load(path: Path = STORED) -> InPage:
    """What is stored, in single precision."""
    packed, shares = load_net(path)
    weights, models = unpack(packed), {}
    for name, mixer in MIXERS.items():
        own = {
            n.removeprefix(f"{name}."): w for n, w in weights.items() if n.startswith(f"{name}.")
        }
        models[name] = network(mixer).eval()
        models[name].load_state_dict(own)
    return InPage(models, shares)


def show(made: InPage | None = None) -> Interactive:
    """The figure: the networks for the reader to try, which have read the most orders."""
    made, orders = made or load(), list(ORDERED.items())
    with one_thread():
        first = {mixer: answers(model, orders) for mixer, model in made.models.items()}
    kept = {}
    for mixer, model in made.models.items():
        one, two = numbers_kept(model, 1), numbers_kept(model, 2)
        kept[mixer] = (2 * one - two, two - one)
    return mixers(STORED.read_bytes(), ORDERED, first, kept, SIZES["heads"])


def _make(path: Path, seed: int) -> None:
    weights, shares = {}, {}
    with one_thread():
        for name, mixer in MIXERS.items():
            longer = name == "delta, longer"
            updates, seeds = (TIMES * UPDATES, SEEDS[:1]) if longer else (UPDATES, SEEDS)
            models = [train(mixer, seed + more, updates) for more in seeds]
            shares[name] = [recalled(model) for model in models]
            weights |= {f"{name}.{n}": w for n, w in models[0].state_dict().items()}
    save_net(path, pack(weights), shares)


EXPERIMENTS = [Artifact("The language models of chapter 15's page.", STORED, _make)]
