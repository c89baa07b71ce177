"""Does quality fall with length on real sentences? BLEU by source length, German to English.

Captions are short, so longer sources are made from them: two or three neighbours of the test split,
in their published order, become one source, and their references one reference. No network has read
two captions as one, and each has learned that a full stop ends a sentence. So there are two kinds:
the full stop between them stays, or becomes a comma. The baseline has the same words: the same
network translates each caption alone, and its translations are joined afterwards. (BLEU is then
higher than of single captions, because n-grams across a seam often match. So joined captions are
compared with joined captions only.)

    python -m course_lab.experiments real/lengths

makes the file anew: a minute or two on one core. The rungs of the ladder, which are not shipped,
are read from its record (`course_lab.experiments.real.ladder`).
"""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.real import networks
from course_lab.experiments.real.captions import RESULTS, TESTS, TRAIN, marked, plain
from course_lab.experiments.real.judge import EDGES, text_scores, translations
from course_lab.experiments.real.one_a_line import one_a_line
from course_lib.evaluation.bleu import corpus_bleu
from course_lib.files import atomic_write

STORED = Path(__file__).with_name("lengths.json")
WAY, SPLIT = "de-en", TESTS[0]
RUNGS = ("cho", "sutskever", "bahdanau", "transformer", "transformer-both")
JOINED = (2, 3)
JOINED_EDGES = (1, 19, 25, 31, 41, 10_000)
"""Where the bins of joined sources begin, in words; the first has lengths of single captions."""
_ENOUGH = 20
STOPS = (".", ",")
Pairs = Sequence[tuple[str, str]]


def join(lines: Sequence[str], count: int, stop: str) -> list[str]:
    """Joins each `count` neighbours; what is left over at the end is dropped.

    Args:
        lines: one sentence each.
        count: how many make one.
        stop: what takes the place of a full stop between two of them.
    """
    starts = range(0, len(lines) - count + 1, count)
    return [_joined(lines[start : start + count], stop) for start in starts]


def _joined(lines: Sequence[str], stop: str) -> str:
    *before, last = lines
    return " ".join([*(line.removesuffix(".").rstrip() + stop for line in before), last])


def ladder_by_length(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """For each rung and bin of source lengths: greedy BLEU of every seed, lower-cased."""
    rows = []
    for rung in RUNGS:
        seeds = [
            record["scores"][WAY][SPLIT]["greedy"]["by_length"]
            for record in records
            if record["rung"] == rung
        ]
        for bins in zip(*seeds, strict=True):
            rows.append(
                {
                    "rung": rung,
                    "from": bins[0]["from"],
                    "sentences": bins[0]["sentences"],
                    "bleu": [score["bleu"] for score in bins],
                }
            )
    return rows


def _written(network: networks.Network, pairs: Pairs) -> list[str]:
    asked = marked(pairs, network.about["direction"], WAY)
    return translations(network.model, asked, network.tokenizer, "greedy")


def _lengths(network: networks.Network, lines: Sequence[str]) -> list[int]:
    return [len(network.tokenizer.encode(line).words) for line in lines]


def _score(written: Sequence[str], references: Sequence[str]) -> dict[str, float]:
    score = corpus_bleu(written, references, lowercase=True)
    ratio = score.hypothesis_tokens / score.reference_tokens
    return {"bleu": round(score.value, 2), "length_ratio": round(ratio, 3)}


def _by_length(
    lengths: Sequence[int], references: Sequence[str], **written: Sequence[str]
) -> list[dict[str, Any]]:
    """Scores of each kind of translation in each bin of `JOINED_EDGES` that has enough sources."""
    bins = []
    for low, high in pairwise(JOINED_EDGES):
        rows = [i for i, length in enumerate(lengths) if low <= length < high]
        if len(rows) >= _ENOUGH:
            wanted = [references[i] for i in rows]
            scores = {
                name: _score([texts[i] for i in rows], wanted) for name, texts in written.items()
            }
            bins.append({"from": low, "sentences": len(rows), **scores})
    return bins


def measure(name: str, most: int | None = None) -> list[dict[str, Any]]:
    """What one network is worth on single and on joined captions: a record each.

    Args:
        name: of a network that is shipped.
        most: use only the first so many captions.

    Returns:
        of joined captions the scores of joint translation in "whole", and of captions that were
        translated alone in "apart". "length_ratio" is the translation's length over the
        reference's.
    """
    network, pairs = networks.load(name), plain(WAY, SPLIT)[:most]
    alone, references = _written(network, pairs), [target for _, target in pairs]
    lengths = _lengths(network, [source for source, _ in pairs])
    records: list[dict[str, Any]] = [
        {
            "network": name,
            "captions": 1,
            "stop": "",
            "sentences": len(pairs),
            "words": round(mean(lengths), 1),
            "whole": _score(alone, references),
            "by_length": text_scores(pairs, alone, lengths)["by_length"],
        }
    ]
    for count in JOINED:
        for stop in STOPS:
            sources = join([source for source, _ in pairs], count, stop)
            targets = join(references, count, stop)
            joined = list(zip(sources, targets, strict=True))
            written, apart = _written(network, joined), join(alone, count, stop)
            lengths = _lengths(network, sources)
            records.append(
                {
                    "network": name,
                    "captions": count,
                    "stop": stop,
                    "sentences": len(joined),
                    "words": round(mean(lengths), 1),
                    "whole": _score(written, targets),
                    "apart": _score(apart, targets),
                    "by_length": _by_length(lengths, targets, whole=written, apart=apart),
                }
            )
            print(json.dumps(records[-1]), flush=True)
    return records


def trained_lengths() -> dict[str, int]:
    """Words of the training sources: how many sources there are, and how many are long."""
    network = networks.load("bahdanau")
    lengths = sorted(_lengths(network, [source for source, _ in plain(WAY, TRAIN)]))
    return {
        "sentences": len(lengths),
        "longest": lengths[-1],
        "99 of 100 at most": lengths[len(lengths) * 99 // 100],
        **{f"over {edge}": sum(length > edge for length in lengths) for edge in (20, 30, 40)},
    }


def load() -> dict[str, Any]:
    """What the command stored: "ladder", "training" and "networks"; see the functions here."""
    return load_stored(STORED)


def made() -> dict[str, Any]:
    """Measures the shipped networks, and reads the ladder's record."""
    return {
        "edges": EDGES,
        "ladder": ladder_by_length(json.loads(RESULTS.read_text(encoding="utf-8"))),
        "training": trained_lengths(),
        "networks": [record for name in networks.NAMES for record in measure(name)],
    }


def write(path: Path, stored: dict[str, Any]) -> None:
    """A record a line where an entry has records."""
    entries = (
        f'"{name}": {one_a_line(entry) if isinstance(entry, list) else json.dumps(entry)}'
        for name, entry in stored.items()
    )
    atomic_write(path, "{" + ",\n".join(entries) + "}\n")


EXPERIMENTS = [
    Artifact("BLEU by source length.", STORED, lambda file, seed: write(file, made())),
]
