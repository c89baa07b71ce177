"""Does attention agree with word alignment on real pairs? IBM Model 1's links as the yardstick.

Nobody has aligned Multi30k by hand. IBM Model 1, fitted to the 29,000 training pairs, gives links
that no network had a part in: for each English word the German word that most probably wrote it,
or none. Two models, one a direction, agree on fewer links, which are more often right; both sets of
links serve as a yardstick. Judged are the English content words of the first 500 captions of test
2016 that have a link: how often does the attention behind the reference translation (teacher
forcing) put its largest weight on the linked German word? Attention on the end mark or the language
mark is wrong.

Of Bahdanau's network there is one map. Of the Transformer there are two: the mean of the last
layer's heads, which `translate` shows, and the best single head of any layer. The head, and whether
a word's map is the row before, of, or after it, are chosen on 300 captions of the validation split.
The baseline is the diagonal: the German word at the nearest relative position.

    python -m course_lab.experiments real/links

measures anew: about two minutes on one core.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.real import networks
from course_lab.experiments.real.captions import BOTH, TESTS, TRAIN, VALID, marked, plain
from course_lab.experiments.real.one_a_line import one_a_line
from course_lib.alignment.ibm1 import IBMModel1
from course_lib.data.batch import collate, encode_pairs
from course_lib.data.pairs import Link
from course_lib.data.tokens.tokenizer import JointBPE, merge_to_words
from course_lib.evaluation.alignment import links_from_weights
from course_lib.evaluation.teacher_forcing import forced_attention
from course_lib.files import atomic_write
from course_lib.models.transformer import Transformer

STORED = Path(__file__).with_name("links.json")
WAY, SPLIT = "de-en", TESTS[0]
CAPTIONS, CHOSEN_ON = 500, 300
SHIFTS = (-1, 0, 1)
ITERATIONS = 10
YARDSTICKS = ("Model 1", "both directions")
_GRAMMAR = """
a an the this that these those some any each every no another other both all
i you he she it we they him her them his its their my your our who whom whose which what
himself herself itself themselves something someone somebody one
and or but nor so as if than then while when where because although whilst
of in on at to from by with without into onto over under up down out off through across
along around about between behind beside besides near next above below before after during
for against among toward towards inside outside away
is are was were be been being am has have had having do does did doing done
can could will would may might must shall should not there here very too just also
"""
FUNCTION_WORDS = frozenset(_GRAMMAR.split())
"""English words that mostly do grammar. The others that have a letter are content words."""

Words = tuple[Sequence[str], Sequence[str]]
Maps = Sequence[Float[Tensor, "_ _"]]


def content(words: Sequence[str]) -> list[int]:
    """The positions of the content words."""
    return [
        at
        for at, word in enumerate(words)
        if any(map(str.isalpha, word)) and word.lower() not in FUNCTION_WORDS
    ]


def in_words(pairs: Sequence[tuple[str, str]], tokenizer: JointBPE) -> list[Words]:
    """Both sides as the tokenizer's words, in lower case, without a mark."""
    return [
        tuple([word.lower() for word in tokenizer.encode(side).words] for side in pair)
        for pair in pairs
    ]


def yardsticks(
    train: Sequence[Words], judged: Sequence[Words], iterations: int = ITERATIONS
) -> dict[str, list[set[Link]]]:
    """Links of the judged pairs by models of the training pairs, for each of `YARDSTICKS`.

    Without iterations all words are equally probable, and the links are the diagonal's.
    """
    forward = IBMModel1.fit(train, iterations)
    backward = IBMModel1.fit([(target, source) for source, target in train], iterations)
    there = [forward.align(source, target) for source, target in judged]
    back = [{(j, i) for i, j in backward.align(target, source)} for source, target in judged]
    return dict(
        zip(YARDSTICKS, (there, [a & b for a, b in zip(there, back, strict=True)]), strict=True)
    )


def agreement(
    links: Sequence[set[Link]], yardstick: Sequence[set[Link]], judged: Sequence[Words]
) -> tuple[int, int]:
    """Of the content words that the yardstick links, how many have such a link; and how many are.

    Args:
        links: for each pair the links (source, target) to judge.
        yardstick: likewise.
        judged: the words of each pair.
    """
    right = count = 0
    for ours, theirs, (_, target) in zip(links, yardstick, judged, strict=True):
        for at in content(target):
            wanted = {link for link in theirs if link[1] == at}
            count += bool(wanted)
            right += bool(wanted & ours)
    return right, count


def attention_links(maps: Maps, shift: int, marks: int) -> list[set[Link]]:
    """The German word with the largest weight for each English word; see `links_from_weights`.

    Args:
        maps: (words of the target, words of the source and the end mark).
        shift: which row belongs to a word.
        marks: how many columns stand before the sentence.
    """
    links_by_pair = []
    for matrix in maps:
        links = links_from_weights(matrix, shift=shift, source_words=matrix.shape[1] - 1)
        links_by_pair.append({(j - marks, i) for j, i in links if j >= marks})
    return links_by_pair


def head_maps(
    model: Transformer, tokenizer: JointBPE, pairs: Sequence[tuple[str, str]]
) -> list[Maps]:
    """Cross-attention of every head over words, layer by layer, for each a map of each pair."""
    heads: list[list[Tensor]] = [[] for _ in range(model.config.layers * model.config.heads)]
    for pair in pairs:
        batch = collate(encode_pairs([pair], tokenizer, tokenizer), [0])
        with torch.no_grad():
            looks = model.attention_maps(batch.source, batch.source_mask, batch.target_in).cross
        source, target = (tokenizer.encode(side) for side in pair)
        columns = [*source.word_of_token, len(source.words)]
        for kept, head in zip(heads, torch.cat([layer[0] for layer in looks]), strict=True):
            kept.append(merge_to_words(head[:-1], target.word_of_token, columns))
    return heads


def _all_maps(name: str, split: str, most: int) -> tuple[dict[str, Maps], int]:
    """Every map that could be chosen, by name, and how many marks stand before the sentence."""
    network = networks.load(name)
    both = network.about["direction"]
    pairs = marked(plain(WAY, split)[:most], both, WAY)
    own = "mean of the last layer" if isinstance(network.model, Transformer) else "attention"
    maps = {own: forced_attention(network.model, pairs, *network.tokenizers)}
    if isinstance(network.model, Transformer):
        each = head_maps(network.model, network.tokenizer, pairs)
        heads = network.model.config.heads
        for at, links in enumerate(each):
            maps[f"layer {at // heads + 1}, head {at % heads + 1}"] = links
    return maps, int(both == BOTH)


def _best(
    maps: dict[str, Maps], marks: int, score: Callable[[list[set[Link]]], float]
) -> tuple[str, int]:
    """The map and the shift whose links score best."""
    choices = [(name, shift) for name in maps for shift in SHIFTS]
    return max(choices, key=lambda c: score(attention_links(maps[c[0]], c[1], marks)))


def measure() -> list[dict[str, Any]]:
    """How often each map, and the diagonal, agrees with each yardstick: a record each."""
    tokenizer = networks.load("bahdanau").tokenizer
    train = in_words(plain(WAY, TRAIN), tokenizer)
    chosen_on = in_words(plain(WAY, VALID)[:CHOSEN_ON], tokenizer)
    judged = in_words(plain(WAY, SPLIT)[:CAPTIONS], tokenizer)
    gold = yardsticks(train, [*chosen_on, *judged])
    print("IBM Model 1 is fitted", flush=True)
    valid = {name: links[: len(chosen_on)] for name, links in gold.items()}
    test = {name: links[len(chosen_on) :] for name, links in gold.items()}

    def record(network: str, looks: str, links: list[set[Link]], **chosen: Any) -> dict[str, Any]:
        scores = {name: agreement(links, test[name], judged) for name in test}
        shares = {name: round(right / count, 3) for name, (right, count) in scores.items()}
        words = {name: count for name, (_, count) in scores.items()}
        entry = {"network": network, "map": looks, **chosen, "agreement": shares, "words": words}
        print(json.dumps(entry), flush=True)
        return entry

    def on_valid(links: list[set[Link]]) -> int:
        return agreement(links, valid["Model 1"], chosen_on)[0]

    records = [record("", "diagonal", yardsticks(judged, judged, 0)["Model 1"])]
    for name in networks.NAMES:
        choices, marks = _all_maps(name, VALID, CHOSEN_ON)
        maps, _ = _all_maps(name, SPLIT, CAPTIONS)
        last, *single = choices
        for offered in ([last], single):
            if offered:
                looks, shift = _best({key: choices[key] for key in offered}, marks, on_valid)
                links = attention_links(maps[looks], shift, marks)
                records.append(record(name, looks, links, shift=shift))
    return records


def load() -> list[dict[str, Any]]:
    """What the command stored: the records of `measure`."""
    return load_stored(STORED)


def save_to(path: Path) -> None:
    """Fits, measures and stores."""
    atomic_write(path, one_a_line(measure()) + "\n")


EXPERIMENTS = [
    Artifact("Attention and Model 1's links.", STORED, lambda file, seed: save_to(file)),
]
