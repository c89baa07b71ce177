"""Translators trained on real sentences that come with the library, 8 bits a weight.

    network = load("transformer-both")
    translate(network.model, ["2de A man rides a red bike."], *network.tokenizers)

Each is a file of weights, a tokenizer and a card, which says what it was trained on, by which
command, and what it scores before and after packing. They are made from the files that the ladder
leaves behind (`course_lab.experiments.real.ladder --ship FOLDER`):

    python -m course_lab.experiments.real.networks FOLDER
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from course_lab.experiments.lab.page_net import load_net, pack, save_net, unpack
from course_lab.experiments.real.captions import BOTH, DIRECTIONS, TESTS, mark, marked, plain
from course_lab.experiments.real.judge import text_scores, translations
from course_lib.data.tokens.tokenizer import JointBPE, load_tokenizer
from course_lib.errors import CourseError
from course_lib.evaluation.translate import translate
from course_lib.files import atomic_write
from course_lib.models.bahdanau import Bahdanau, BahdanauConfig
from course_lib.models.protocol import EncoderDecoder
from course_lib.models.transformer import Transformer, TransformerConfig
from course_lib.training.checkpoint import read_tensors

FOLDER = Path(__file__).with_name("networks")
NAMES = ("transformer-both", "bahdanau")
JUDGED = TESTS[0]
# Not from the registry, which imports all models: a chapter reaches this module.
_MODELS = {"bahdanau": (Bahdanau, BahdanauConfig), "transformer": (Transformer, TransformerConfig)}
_BEYOND = {
    "de": "Das Europäische Parlament stimmte gegen das Gesetz.",
    "en": "The European Parliament voted against the law.",
}
"""What no caption says, by language."""
_CARD = """# {name}

A network (`{model}`) that translates {ways}, {parameters:,} parameters, 8 bits each.

- **Data**: the 29,000 training pairs of Multi30k (Elliott, Frank, Sima'an & Specia 2016, Multi30K:
  Multilingual English-German Image Descriptions, arXiv:1605.00459): captions of photographs. Free
  for research and education; the sentences themselves are not part of this project.
- **What it is not**: a translator of other text, because it has read captions alone. {beyond}
- **Command**: `{command}`;
  {steps:,} updates on one {device}, {training_seconds:.0f} seconds, one of
  {side_by_side} trainings at a time, torch {torch}.
- **Chosen**: the best of {seeds} seeds by greedy BLEU on the validation split.
- **Score**, {judged}, sacreBLEU, lower-cased, greedy: {scores}.
"""


class Network(NamedTuple):
    """A trained translator.

    Attributes:
        model: in eval mode.
        tokenizer: one for both languages.
        about: the record of its training and its scores.
    """

    model: EncoderDecoder
    tokenizer: JointBPE
    about: dict[str, Any]

    @property
    def tokenizers(self) -> tuple[JointBPE, JointBPE]:
        """The tokenizer twice: of the source and of the target, as `translate` wants them."""
        return self.tokenizer, self.tokenizer


def load(name: str, folder: Path = FOLDER) -> Network:
    """A network that comes with the library.

    Raises:
        CourseError: there is none of this name.
    """
    if name not in NAMES:
        raise CourseError(f"want a network, one of {', '.join(NAMES)}; got {name!r}")
    tensors, about = load_net(folder / f"{name}.safetensors")
    kind, config = _MODELS[about["model"]]
    model = kind(config(**about["model_config"]))
    model.load_state_dict(unpack(tensors))
    return Network(model.eval(), load_tokenizer(folder / f"{name}.tokenizer.json"), about)


def bleu(network: Network) -> dict[str, float]:
    """Lower-cased BLEU of greedy search on test 2016, by direction; it needs the captions."""
    known, scores = network.about["direction"], {}
    for way in DIRECTIONS[known]:
        pairs = marked(plain(way, JUDGED), known, way)
        written = translations(network.model, pairs, network.tokenizer, "greedy")
        scores[way] = text_scores(pairs, written, [1] * len(pairs))["bleu_lowercase"]
    return scores


def make(name: str, shipped: Path, folder: Path = FOLDER) -> None:
    """Packs one network of the ladder: the best of its seeds on the validation split."""
    records = json.loads((shipped / "ladder.json").read_text(encoding="utf-8"))
    records = [record for record in records if record["rung"] == name]
    best = max(records, key=lambda record: record["valid_bleu"])
    run = f"{name}-{best['seed']}"
    [weights] = (path for n in (run, name) if (path := shipped / f"{n}.safetensors").exists())
    tensors, metadata = read_tensors(weights)
    if metadata["seed"] != best["seed"]:
        raise CourseError(
            f"want the weights of seed {best['seed']}; {weights} has {metadata['seed']}"
        )
    folder.mkdir(exist_ok=True)
    tokenizer = load_tokenizer(shipped / f"{run}.tokenizer.json")
    tokenizer.save(folder / f"{name}.tokenizer.json")
    kept = ("rung", "seed", "direction", "parameters", "steps", "training_seconds")
    kept += ("side_by_side", "device", "torch", "command")
    about = {key: best[key] for key in kept} | {
        key: metadata[key] for key in ("model", "model_config")
    }
    about["seeds"] = len(records)
    about["before"] = {
        way: splits[JUDGED]["greedy"]["bleu_lowercase"] for way, splits in best["scores"].items()
    }
    packed = pack({name: tensor.float() for name, tensor in tensors.items()})
    file = folder / f"{name}.safetensors"
    save_net(file, packed, about)
    about["packed"] = bleu(load(name, folder))
    save_net(file, packed, about)
    atomic_write(folder / f"{name}.md", card(name, load(name, folder)))


def card(name: str, network: Network) -> str:
    """What there is to say of a network, as Markdown."""
    about = network.about
    scores = "; ".join(
        f"{way} {before:.1f} before packing, {about['packed'][way]:.1f} after"
        for way, before in about["before"].items()
    )
    beyond = []
    for way in about["before"]:
        source, target = way.split("-")
        asked = f"{mark(target)} " if about["direction"] == BOTH else ""
        (translation,) = translate(network.model, [asked + _BEYOND[source]], *network.tokenizers)
        beyond.append(f"*{_BEYOND[source]}* becomes *{translation.text}*")
    return _CARD.format(
        name=name,
        ways=" and ".join(way.replace("-", " to ") for way in about["before"]),
        judged=JUDGED,
        scores=scores,
        beyond="\n  ".join(beyond),
        **about,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Packs the networks that are named, or all."""
    parser = argparse.ArgumentParser(description="Pack the ladder's networks.", allow_abbrev=False)
    parser.add_argument(
        "folder", type=Path, help="what `ladder --ship` wrote, its archive unpacked"
    )
    parser.add_argument("names", nargs="*", default=NAMES, help=", ".join(NAMES))
    options = parser.parse_args(arguments)
    for name in options.names:
        make(name, options.folder)
        print(name, load(name).about["packed"], flush=True)


if __name__ == "__main__":
    main()
