"""The GPT of chapter 14's cells and page: the first seed of `shakespeare.py`, matrices in 8 bits.

The command that makes it, a quarter of an hour on one thread:

    python -m course_lab.experiments gpt/in_page
"""

from pathlib import Path
from typing import NamedTuple

import torch

from course_lab.experiments.gpt import shakespeare
from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.page_net import load_net, pack, save_net, unpack
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.dials import ROWS, SETTINGS, Dials
from course_lab.figures.touch.gpt import FirstReading, gpt
from course_lib.data.characters import Characters
from course_lib.decoding.sample import kept_probabilities
from course_lib.models.gpt import GPT

STORED = Path(__file__).with_name("in_page.safetensors")
BEGINNING = "ROMEO:\nI will not "
"""What the figure opens on: many letters may begin the next word."""
SAMPLES = (BEGINNING, "To be, or not to ", "KING HENRY:\n", "xyzzy xyzzy xyz")
HEAD = (1, 2)
"""Layer and head that the figure opens on, from 0: it reads the line breaks."""
DIALS = Dials(temperature=0.8, top_k=5, top_p=0.9)


class InPage(NamedTuple):
    """The network, in eval mode, and its alphabet."""

    model: GPT
    alphabet: Characters


def save_to(path: Path, made: InPage) -> None:
    """Writes the file whole or not at all."""
    save_net(path, pack(made.model.state_dict()), made.alphabet.characters)


def load(path: Path = STORED) -> InPage:
    """The stored network, in single precision."""
    packed, characters = load_net(path)
    alphabet = Characters(characters)
    model = GPT(shakespeare.config(alphabet))
    model.load_state_dict(unpack(packed))
    return InPage(model.eval(), alphabet)


def write(
    made: InPage,
    beginning: str,
    count: int,
    generator: torch.Generator,
    **dials: float | int | None,
) -> str:
    """Continues a beginning by so many characters, reading the last `LENGTH` for each.

    Args:
        made: network and alphabet.
        beginning: at least one character.
        count: how many characters are drawn.
        generator: draws them.
        dials: `temperature`, `top_k`, `top_p`, as `kept_probabilities` takes them.

    Raises:
        CourseError: a character that the alphabet does not have.
    """
    ids = made.alphabet.encode(beginning or "\n")
    with torch.inference_mode():
        for _ in range(count):
            logits = made.model(torch.tensor([ids[-shakespeare.LENGTH :]]))[0, -1]
            logits[:4] = -torch.inf  # marks, no characters
            share = kept_probabilities(logits, **dials)
            ids.append(int(torch.multinomial(share, 1, generator=generator)))
    return made.alphabet.decode(ids)


@torch.inference_mode()
def read(made: InPage, text: str) -> FirstReading:
    """What the network expects after a text, under each setting of the dials, and its looks."""
    ids = torch.tensor([made.alphabet.encode(text)])
    logits = made.model(ids)[0, -1]
    looks = torch.cat([maps[0, :, -1] for maps in made.model.attention_maps(ids)])
    spoken = logits.clone()
    spoken[:4] = -torch.inf  # marks, no characters
    likely = spoken.topk(ROWS).indices
    return FirstReading(
        text,
        logits.tolist(),
        looks.tolist(),
        {
            name: kept_probabilities(spoken, **setting)[likely].tolist()
            for name, setting in SETTINGS.items()
        },
        [made.alphabet.decode([i]) for i in likely.tolist()],
    )


def show(made: InPage | None = None) -> Interactive:
    """The figure: the network for the reader to try."""
    made = made or load()
    config = made.model.config
    return gpt(
        STORED.read_bytes(),
        made.alphabet.characters,
        read(made, BEGINNING),
        layers=config.layers,
        heads=config.heads,
        head=HEAD,
        dials=DIALS,
        samples=SAMPLES,
        longest=shakespeare.LENGTH,
    )


def _make(path: Path, seed: int) -> None:
    own = shakespeare.texts()
    model = shakespeare.train(shakespeare.config(own.alphabet), own.train, seed)
    save_to(path, InPage(model, own.alphabet))


EXPERIMENTS = [Artifact("The GPT that chapter 14 draws from.", STORED, _make)]
