"""The maps that the first figure of chapter 6a slides its window over.

A global model writes the true translations of a few test sentences; what it looks at is kept,
with the places at which a local-p model with a wide window would look, and what a local-m model
with a narrow one writes of them. The seeds and rates are those of the first runs of `window.py`:

    python -m course_lab.experiments where_to_look/maps
"""

import json
from collections import Counter
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.where_to_look import window
from course_lab.figures.touch.attention import STEPS_PER_UNIT
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.window import WindowExample, sliding_window
from course_lib.data.pairs import AlignedPair
from course_lib.evaluation.teacher_forcing import forced_attention
from course_lib.evaluation.translate import translate
from course_lib.files import atomic_write
from course_lib.models.luong import Luong
from course_lib.models.protocol import evaluating

STORED = Path(__file__).with_name("maps.json")
SENTENCES, WIDE, NARROW = 4, 8, 1
LEAST = -8.0
"""Scores this far below the best of their row are kept as this: a weight below .0004."""


def show() -> Interactive:
    """The figure, from what is stored."""
    return sliding_window([WindowExample(**entry) for entry in load_stored(STORED)["examples"]])


def written() -> list[dict[str, str]]:
    """The sentences of the figure and what a global and a narrow model made of them, glossed."""
    return load_stored(STORED)["written"]


def chosen_pairs() -> list[AlignedPair]:
    """Test pairs of 8 words or more whose links reach far, and last one whose links do not."""
    pairs = [pair for pair in window.the_world().test if len(pair.source) >= 8]
    far = sorted(pairs, key=window.reach, reverse=True)
    seen: list[AlignedPair] = []
    for pair in far:
        # One sentence of a form: forms are told apart by how far each link goes.
        if _form(pair) not in map(_form, seen):
            seen.append(pair)
        if len(seen) == SENTENCES - 1:
            break
    return [*seen, next(pair for pair in far if window.reach(pair) <= 1)]


def _form(pair: AlignedPair) -> list[int]:
    return sorted({s - t for s, t in pair.sure})


def glosses() -> dict[str, str]:
    """For each German word of the training pairs its commonest English partner."""
    counts: dict[str, Counter[str]] = {}
    for pair in window.the_world().train:
        for s, t in pair.sure:
            counts.setdefault(pair.target[t], Counter())[pair.source[s]] += 1
    return {word: partners.most_common(1)[0][0] for word, partners in counts.items()}


def glossed(pair: AlignedPair) -> str:
    """The true translation word by word: each German word's own partners in this sentence."""
    commonest, own = glosses(), {}
    for s, t in sorted(pair.sure):
        own.setdefault(t, []).append(pair.source[s])
    return " ".join(
        "-".join(own.get(t, [commonest.get(word, word)])) for t, word in enumerate(pair.target)
    )


def positions(model: Luong, pair: AlignedPair) -> Float[Tensor, " T"]:
    """p_t at each word of the true translation, where the model predicts positions."""
    batch = window.shared.batch_of([pair], window.the_world().tokenizers)
    with evaluating(model) as device:
        batch = batch.to(device)
        memory = model.encode(batch.source, batch.source_mask)
        state, centers = model.start(memory), []
        for token in batch.target_in[:, : len(pair.target)].unbind(1):
            words = model.target_embed(token)[:, None]
            before = state
            _, state, _ = model.attentional_states(words, before, memory, False)
            query = state.hidden[:, -1:]
            centers.append(model.center(query, before.time[:, None], memory)[0, 0])
        return torch.stack(centers)


def make() -> dict[str, list[dict]]:
    """Trains three models and looks: what is stored."""
    world, pairs, gloss = window.the_world(), chosen_pairs(), glosses()
    rates = window.RATES
    everywhere = window.train(window.WindowTrial("global", 0, 1, 0, rates["global"]))
    predicting = window.train(window.WindowTrial("local-p", WIDE, 1, 0, rates["local-p"]))
    narrow = window.train(window.WindowTrial("local-m", NARROW, 1, 0, rates["local-m"]))
    sources = [pair.source for pair in pairs]
    said = {
        name: [
            translation.target.words for translation in translate(model, sources, *world.tokenizers)
        ]
        for name, model in (("global", everywhere), ("narrow", narrow))
    }
    maps = forced_attention(everywhere, pairs, *world.tokenizers)
    entries = []
    for pair, weights in zip(pairs, maps, strict=True):
        scores = weights.log() - weights.log().amax(-1, keepdim=True)
        steps = (scores.clamp(min=LEAST) * STEPS_PER_UNIT).round().int()
        entries.append(
            {
                "source": [*pair.source, "</s>"],
                "target": list(pair.target),
                "scores": steps.tolist(),
                "positions": [round(p, 2) for p in positions(predicting, pair).tolist()],
                "links": sorted(map(list, pair.sure)),
                "gloss": [gloss.get(word, "") for word in pair.target],
            }
        )
    lines = [
        {
            "en": " ".join(pair.source),
            "de": " ".join(pair.target),
            "de_gloss": glossed(pair),
            "gloss": " ".join(gloss.get(word, word) for word in said["narrow"][n]),
            **{name: " ".join(words[n]) for name, words in said.items()},
        }
        for n, pair in enumerate(pairs)
    ]
    return {"examples": entries, "written": lines}


def _write(file: Path, seed: int) -> None:
    del seed  # the experiment's own networks are shown
    atomic_write(file, json.dumps(make(), ensure_ascii=False) + "\n")


EXPERIMENTS = [Artifact("The attention maps of chapter 6a's first figure.", STORED, _write)]
