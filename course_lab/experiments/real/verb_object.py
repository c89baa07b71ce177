"""Does attention find a verb's object with no parser (claim C29)? Against 200 pairs by hand.

The claim is tested as Voita et al. (2019, arXiv:1905.09418) test it: a head knows a
relation if its largest weight falls on the right word more often than the best fixed distance does.
Here the heads are those of the encoder of `transformer-both`, which reads English to write German.

`verb_object.json` holds in "pairs" what one annotator marked by hand before any attention was
looked at. Each entry has the number of an English caption of Multi30k's test 2016 and the positions
of a verb and of the head noun of its direct object, counted from 0 among the tokenizer's words,
punctuation included. How they were chosen:

- Captions are taken from the first on, until there are 200. One without such a pair is left out.
- Of a caption the first verb counts that has a direct object, and no other.
- The verb is finite ("plays") or ends in -ing with any function ("is playing", "a man wearing",
  "while holding"); of a verb with auxiliaries it is the last word. Infinitives do not count, nor do
  passives.
- The object's head is a noun: of a compound the last word ("winter jackets"), of "a group of men"
  the word "group", of a coordination its first member, of "handing a woman a bag" the word "bag".
  "Puts on a hat" has an object; "looks at a hat" has none. Pronouns, clauses, quotations and bare
  colours ("wearing black") do not count.

    python -m course_lab.experiments real/verb_object

measures anew and leaves the pairs as they are: half a minute on one core. The head and the distance
are chosen on the first hundred pairs and judged on the second. That the halves also change places
("both_halves") was added after the first result was seen, because its interval was wide.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.real import networks
from course_lab.experiments.real.captions import TESTS, marked, plain
from course_lab.experiments.real.one_a_line import one_a_line
from course_lib.data.batch import EncodedPair, collate
from course_lib.data.tokens.tokenizer import END, JointBPE, merge_to_words
from course_lib.device import cpu_generator
from course_lib.files import atomic_write
from course_lib.models.transformer import Transformer, TransformerConfig

STORED = Path(__file__).with_name("verb_object.json")
NETWORK, WAY = "transformer-both", "en-de"
DIRECTIONS = ("verb to object", "object to verb")
AMONG = ("all", "other words")
"""Where a look may fall: on all that the encoder reads, which includes the language mark, the end
mark and the word itself; or on the other words of the sentence."""
DISTANCES = tuple(k for k in range(-8, 9) if k)
UNTRAINED = range(5)
_RESAMPLES = 10_000


class Pair(NamedTuple):
    """A verb and the head of its object: the caption's number, and two positions in it."""

    caption: int
    verb: int
    noun: int


def pairs() -> list[Pair]:
    """What was annotated by hand."""
    return [Pair(*entry) for entry in load_stored(STORED)["pairs"]]


def word_looks(
    model: Transformer, tokenizer: JointBPE, sources: Sequence[str]
) -> list[Float[Tensor, "heads _ _"]]:
    """Encoder self-attention between words, of all heads, layer by layer.

    Returns:
        for each source (layers times heads, W, W): row w is where word w looks. The words are those
        of the source, a language mark first where it has one, and then the end mark.
    """
    weights = []
    for source in sources:
        read = tokenizer.encode(source)
        batch = collate([EncodedPair([*read.ids, END], [])], [0])
        with torch.no_grad():
            looks = model.attention_maps(batch.source, batch.source_mask, batch.target_in).encoder
        words = [*read.word_of_token, len(read.words)]
        heads = torch.cat([layer[0] for layer in looks])
        weights.append(torch.stack([merge_to_words(head, words, words) for head in heads]))
    return weights


def hits(
    looks: Sequence[Float[Tensor, "heads _ _"]],
    pairs: Sequence[Pair],
    direction: str,
    among: str,
) -> Bool[np.ndarray, "heads pairs"]:
    """Whether each head's largest weight falls on the other word of the pair.

    Args:
        looks: of the caption of each pair, behind a language mark.
        pairs: the pairs.
        direction: one of `DIRECTIONS`; the first word is the one that looks.
        among: one of `AMONG`.
    """
    columns = []
    for matrix, pair in zip(looks, pairs, strict=True):
        verb, noun = pair.verb + 1, pair.noun + 1
        start, wanted = (verb, noun) if direction == DIRECTIONS[0] else (noun, verb)
        row = matrix[:, start].clone()
        if among == AMONG[1]:
            row[:, [0, start, -1]] = -1
        columns.append((row.argmax(1) == wanted).numpy())
    return np.stack(columns, axis=1)


def at_distance(pairs: Sequence[Pair], direction: str) -> Bool[np.ndarray, "distances pairs"]:
    """Whether the other word is so many words to the right, for each of `DISTANCES`."""
    sign = 1 if direction == DIRECTIONS[0] else -1
    return np.array([[sign * (p.noun - p.verb) == k for p in pairs] for k in DISTANCES])


def interval(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """95 % bootstrap interval of a difference of two shares; the pairs are resampled."""
    difference = first.astype(float) - second
    draws = np.random.default_rng(0).integers(len(difference), size=(_RESAMPLES, len(difference)))
    low, high = np.quantile(difference[draws].mean(1), (0.025, 0.975))
    return round(float(low), 3), round(float(high), 3)


def choose(table: Bool[np.ndarray, "choices pairs"]) -> tuple[int, np.ndarray]:
    """The row that is right most often on the first half of the pairs, and its second half."""
    half = table.shape[1] // 2
    best = int(table[:, :half].sum(1).argmax())
    return best, table[best, half:]


def against(ours: Bool[np.ndarray, " pairs"], theirs: Bool[np.ndarray, " pairs"]) -> dict[str, Any]:
    """Heads against distances on the same pairs.

    Returns:
        the share of pairs where each is right, the bootstrap interval of the difference, and in
        "elsewhere" how many pairs the head finds, and of how many, where the distance is wrong.
    """
    return {
        "right": round(float(ours.mean()), 3),
        "distance_right": round(float(theirs.mean()), 3),
        "difference": interval(ours, theirs),
        "elsewhere": [int((ours & ~theirs).sum()), int((~theirs).sum())],
    }


def compare(
    heads: Bool[np.ndarray, "heads pairs"], fixed: Bool[np.ndarray, "distances pairs"]
) -> dict[str, Any]:
    """The best head against the best fixed distance, chosen on the first half of the pairs.

    Args:
        heads: from `hits`.
        fixed: from `at_distance`.

    Returns:
        "second_half" has what `against` gives there. "both_halves" has it for all pairs, each half
        judged by what was chosen on the other one: twice as many pairs, so a narrower
        interval. "every_head" is the share of each head on the second half.
    """
    half = heads.shape[1] // 2
    (best, ours), (k, theirs) = choose(heads), choose(fixed)
    (other, first), (_, first_theirs) = (choose(np.roll(t, half, axis=1)) for t in (heads, fixed))
    folds = np.concatenate([first, ours]), np.concatenate([first_theirs, theirs])
    return {
        "head": best,
        "distance": DISTANCES[k],
        "second_half": against(ours, theirs),
        "head_of_second_half": other,
        "both_halves": against(*folds),
        "every_head": heads[:, half:].mean(1).round(3).tolist(),
    }


def measure(pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """For each of `DIRECTIONS` and `AMONG` what `compare` gives, beside two lower bounds.

    "chance" is the share that a random other word of the caption gets. "untrained" has the share of
    the best head of networks with their first weights, one a seed, chosen in the same way.
    """
    network = networks.load(NETWORK)
    captions = plain(WAY, TESTS[0])
    asked = marked([captions[pair.caption] for pair in pairs], network.about["direction"], WAY)
    sources = [source for source, _ in asked]
    looks = word_looks(network.model, network.tokenizer, sources)
    print(f"read {len(sources)} captions", flush=True)
    others = []
    for seed in UNTRAINED:
        config = TransformerConfig(**network.about["model_config"])
        fresh = Transformer(config, cpu_generator(seed))
        others.append(word_looks(fresh.eval(), network.tokenizer, sources))
    chance = np.mean([1 / (matrix.shape[1] - 3) for matrix in looks[len(pairs) // 2 :]])
    records = []
    for direction in DIRECTIONS:
        for among in AMONG:
            fresh = [choose(hits(other, pairs, direction, among))[1].mean() for other in others]
            record = {
                "direction": direction,
                "among": among,
                **compare(hits(looks, pairs, direction, among), at_distance(pairs, direction)),
                "chance": round(float(chance), 3),
                "untrained": [round(float(share), 3) for share in fresh],
            }
            print(json.dumps(record), flush=True)
            records.append(record)
    return records


def load() -> list[dict[str, Any]]:
    """What the command stored: the records of `measure`."""
    return load_stored(STORED)["found"]


def save_to(path: Path) -> None:
    """Measures, and writes the file anew with the same pairs."""
    annotated = pairs()
    write(path, annotated, measure(annotated))


def write(path: Path, annotated: Sequence[Pair], records: Sequence[dict[str, Any]]) -> None:
    """Ten pairs a line, then a record a line."""
    entries = [json.dumps(list(pair)) for pair in annotated]
    lines = [", ".join(entries[at : at + 10]) for at in range(0, len(entries), 10)]
    text = ",\n  ".join(lines)
    atomic_write(path, f'{{"pairs": [\n  {text}\n],\n"found": {one_a_line(records)}}}\n')


EXPERIMENTS = [
    Artifact("Verbs and objects.", STORED, lambda file, seed: save_to(file)),
]
