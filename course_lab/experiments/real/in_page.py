"""The translator of real sentences that runs in the page: the network for both directions.

What stands in the figure before its network is fetched was computed by PyTorch from the same file,
and is stored beside it:

    python -m course_lab.experiments real/in_page
"""

import json
from functools import cache
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import save

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.real import networks
from course_lab.experiments.real.captions import mark
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.translator import Example, Try, Way, translator
from course_lib.data.tokens.tokenizer import END, START, merge_to_words
from course_lib.data.tokens.words import TWINS
from course_lib.evaluation.translate import translate
from course_lib.files import atomic_write

NAME = "transformer-both"
STORED = Path(__file__).with_name("in_page.json")
WAYS = (
    Way("English", "German", "en", mark("de"), ("the", "a", "an", "is", "are", "of", "and", "on")),
    Way("German", "English", "de", mark("en"), ("der", "die", "das", "ein", "eine", "ist", "und")),
)
FIRST = (0, "A man in a red shirt is riding a bicycle down the street.")
"""What stands there before the network is fetched."""
_WOMAN = "A woman with a hat is reading a book on a bench."
TRIES = (
    Try(
        "Back in English",
        0,
        "An old man gives a flower to his brother.",
        "The line back in English says that he holds the flower around his brother. So the German "
        "is wrong, and you know it without any German.",
    ),
    Try(
        "Invented word",
        0,
        "A boy plays chess with his grandfather.",
        "No German says “Großfeder”: a grandfather is a “Großvater”. The network put this word "
        "together from pieces, as the dashed line says. Back in English the mistake is hidden.",
    ),
    Try(
        "Cover a word",
        0,
        _WOMAN,
        "Below, choose “is covered”. Then press “woman”: the network writes of a man. Press “hat” "
        "too: a hat comes back all the same, because its neighbours contain something of it.",
        opens=True,
    ),
    Try(
        "Drag a look",
        0,
        _WOMAN,
        "Drag “Frau”, the woman, onto “bench” in the row above: now a bench is reading the book.",
    ),
    Try(
        "Beams",
        0,
        "A boy throws a ball to a brown dog.",
        "With one beam, the boy wants to throw the dog: read the line back in English. Set Beams "
        "to 2: now the dog gets the ball.",
        opens=True,
    ),
    Try(
        "Heads",
        0,
        "Two dogs are playing with a ball in the snow.",
        "Choose “einem”, the German “a”. Its heads look most at “a”, in the mean. Then show "
        "layer 2, head 1: this head looks at “ball”. The form of the German “a” depends on its "
        "noun.",
        opens=True,
    ),
    Try(
        "No caption",
        0,
        "The European Parliament voted against the law.",
        "No photograph shows this. Most of these words are rare in captions, and nonsense comes "
        "back.",
    ),
    Try(
        "From German",
        1,
        "Ein kleines Mädchen liest im Garten ein Buch.",
        "The same network translates the other way. The first word, 2en in place of 2de, asks for "
        "English.",
    ),
)
AT = 6
"""The word of its translation that is chosen at first."""


def made() -> Example:
    """The first sentence, translated there and back; the weights are means over all heads."""
    network, (way, text) = networks.load(NAME), FIRST
    there, back = WAYS[way], WAYS[1 - way]
    (one,) = translate(network.model, [f"{there.mark} {text}"], *network.tokenizers)
    (other,) = translate(network.model, [f"{back.mark} {one.text}"], *network.tokenizers)
    source = network.tokenizer.encode(f"{there.mark} {text}")
    rows = merge_to_words(
        _all_heads(network, source.ids, one.target.ids),
        [*one.target.word_of_token, len(one.target.words)],
        [*source.word_of_token, len(source.words)],
    )
    shares = [[round(share, 4) for share in row] for row in rows.tolist()]
    return Example(way, text, source.words[1:], one.target.words, one.text, shares, other.text)


def _all_heads(network: networks.Network, source: list[int], target: list[int]) -> torch.Tensor:
    """What the decoder read of the source at each token and at END: the mean of its heads."""
    read, written = torch.tensor([[*source, END]]), torch.tensor([[START, *target]])
    with torch.no_grad():
        maps = network.model.attention_maps(read, torch.ones_like(read, dtype=torch.bool), written)
    return torch.stack(maps.cross).mean((0, 2))[0]


def stored() -> Example:
    """The first sentence as it was made."""
    return Example(**json.loads(STORED.read_text(encoding="utf-8")))


@cache
def in_one_file() -> bytes:
    """The network's file, with its tokenizer in its header."""
    folder = networks.FOLDER
    with safe_open(folder / f"{NAME}.safetensors", "pt") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    spelled = json.loads((folder / f"{NAME}.tokenizer.json").read_text(encoding="utf-8"))
    known = set(spelled["tokens"])
    read_as = {sign: next(filter(known.__contains__, twins), "") for sign, twins in TWINS.items()}
    settings = {
        "tokens": spelled["tokens"],
        "merges": spelled["merges"],
        "twins": {sign: twin for sign, twin in read_as.items() if twin and sign not in known},
    }
    return save(tensors, {"told": json.dumps(settings, ensure_ascii=False)})


def show() -> Interactive:
    """The figure. It carries the network, so that it belongs on a page and not in a notebook."""
    config = networks.load(NAME).about["model_config"]
    layers, heads = config["layers"], config["heads"]
    return translator(in_one_file(), WAYS, stored(), TRIES, layers=layers, heads=heads, at=AT)


def save_to(path: Path) -> None:
    """Writes the first sentence."""
    atomic_write(path, json.dumps(made()._asdict(), ensure_ascii=False, indent=1) + "\n")


EXPERIMENTS = [
    Artifact("What stands in the translator at first.", STORED, lambda file, seed: save_to(file))
]
