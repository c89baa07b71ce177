"""The search of chapter 11's first figure: one sentence of a half-trained model, four beams.

The sentence is one that greedy search gets wrong and two beams get right. The command trains the
model and stores what the figure draws:

    python -m course_lab.experiments decoding/tree
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from course_lab.experiments.decoding import search
from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.lab.world import World, batch_of
from course_lab.figures.touch.beams import Node, Search, beam_tree
from course_lab.figures.touch.core import Interactive
from course_lib.data.pairs import AlignedPair
from course_lib.decoding.beam import BeamStep, beam_hypotheses
from course_lib.files import atomic_write
from course_lib.models.transformer import Transformer

STAGE = "140 updates"
WIDTHS = (1, 2, 3, 4)
STORED = Path(__file__).with_name("tree.json")


def searched(model: Transformer, pair: AlignedPair, world: World, beams: int) -> Search:
    """Every hypothesis of a beam search of one sentence, step by step, without a penalty."""
    batch, steps = batch_of([pair], world.tokenizers), []
    hypotheses = beam_hypotheses(
        model,
        batch.source,
        batch.source_mask,
        beams=beams,
        alpha=0.0,
        max_length=2 * len(pair.target),
        watch=steps.append,
    )
    written = world.tokenizers[1].decode(hypotheses[0][0].ids).split()
    return Search(_nodes(steps, world), written, round(hypotheses[0][0].log_probability, 3))


def _nodes(steps: Sequence[BeamStep], world: World) -> list[list[Node]]:
    """The hypotheses of each step, those left out where an ended one keeps the place."""
    levels: list[list[Node]] = []
    places = {0: 0}
    for step in steps:
        sums, nodes, now = step.log_probability[0].tolist(), [], {}
        for j, total in enumerate(sums):
            if total == float("-inf"):
                continue
            ended = bool(step.ended[0, j])
            word = "END" if ended else world.tokenizers[1].decode([int(step.token[0, j])])
            now[j] = len(nodes)
            nodes.append(Node(word, places[int(step.parent[0, j])], round(total, 3), ended))
        levels.append(nodes)
        places = now
    return levels


def chosen(model: Transformer, world: World) -> AlignedPair:
    """The test pair that two, three and four beams get right and one does not, the longest such."""

    def right(pair: AlignedPair, beams: int) -> bool:
        return searched(model, pair, world, beams).written == list(pair.target)

    wrong = [pair for pair in world.test if not right(pair, 1)]
    mended = [pair for pair in wrong if all(right(pair, n) for n in WIDTHS[1:])]
    return max(mended, key=lambda pair: len(pair.target))


def made() -> dict[str, Any]:
    """What is stored: the sentence and the searches of all widths."""
    world = search.the_world()
    model = next(one for name, one in search.stages(0, world) if name == STAGE)
    pair = chosen(model, world)
    return {
        "source": list(pair.source),
        "right": list(pair.target),
        "searches": {str(n): searched(model, pair, world, n) for n in WIDTHS},
    }


def load() -> tuple[list[str], list[str], dict[int, Search]]:
    """The source, its translation and the searches by width."""
    stored = load_stored(STORED)
    searches = {
        int(n): Search([[Node(*node) for node in step] for step in steps], written, total)
        for n, (steps, written, total) in stored["searches"].items()
    }
    return stored["source"], stored["right"], searches


def show() -> Interactive:
    """The figure."""
    return beam_tree(*load())


def _write(file: Path, seed: int) -> None:
    del seed  # the experiment's own network searches
    atomic_write(file, json.dumps(made(), ensure_ascii=False) + "\n")


EXPERIMENTS = [Artifact("The search of chapter 11's first figure.", STORED, _write)]
