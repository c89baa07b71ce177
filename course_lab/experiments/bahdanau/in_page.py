"""The networks of chapter 4 as a page can run them, and the sentences that it offers.

The attention model's weights are rounded to int8, a half-precision scale for each row, and kept
with what the page shows beside it: the model's words, an English gloss for each German one, and
families of test sentences that grow by a clause, with the grammar's translation and what the
one-vector model writes. The command that makes all of it, some two minutes:

    python -m course_lab.experiments bahdanau/in_page
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import count as counting
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from torch import Tensor

from course_lab.experiments.bahdanau import bottleneck
from course_lab.experiments.lab.experiment import Artifact
from course_lab.experiments.lab.page_net import load_net, pack, save_net, unpack
from course_lab.experiments.lab.world import Tokenizers
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.gaze import gaze
from course_lib.data.mini_world.clauses import draw_sentence
from course_lib.data.mini_world.combinations import world as combinations
from course_lib.data.mini_world.grammar import aligned_pair
from course_lib.data.mini_world.meaning import Sentence
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import SPECIALS, WordVocabulary
from course_lib.evaluation.translate import translate
from course_lib.models.bahdanau import Bahdanau, BahdanauConfig

STORED = Path(__file__).with_name("in_page.safetensors")
FAMILIES, CLAUSES = 20, 7
OPENING = 13
"""The family that the pages open on: one vector turns its story round."""
_OFTEN = 0.3
"""A share of its links from which a second partner of a word is part of its gloss."""


class InPage(NamedTuple):
    """What is stored.

    Attributes:
        tensors: int8 rows and their half-precision scales (name + "/scale"), vectors in half.
        words: of the vocabularies, "source" and "target", in the order of their ids.
        gloss: for each German word its commonest English partners by the gold links.
        families: see `families`; with what the one-vector model writes of each sentence.
    """

    tensors: dict[str, Tensor]
    words: dict[str, list[str]]
    gloss: dict[str, str]
    families: list[list[dict[str, str]]]


def load(path: Path = STORED) -> InPage:
    """The stored file."""
    tensors, settings = load_net(path)
    return InPage(tensors, **settings)


def rebuilt(stored: InPage) -> Bahdanau:
    """The attention model with the stored weights, in eval mode."""
    sizes = {f"{side}_vocabulary": len(words) for side, words in stored.words.items()}
    model = Bahdanau(BahdanauConfig(**bottleneck.SIZES["bahdanau"], **sizes))
    model.load_state_dict(unpack(stored.tensors))
    return model.eval()


def tokenizers(stored: InPage) -> Tokenizers:
    """Vocabularies of the stored words, source and target."""
    source, target = (
        WordVocabulary(stored.words[side][len(SPECIALS) :]) for side in ("source", "target")
    )
    return source, target


def families(
    count: int = FAMILIES, clauses: int = CLAUSES, *, trained_on: Collection[AlignedPair] = ()
) -> list[list[AlignedPair]]:
    """Sentences that grow by a clause each: the first has one, the last `clauses`.

    A longer one holds every word of the one before it, in the same order. Only the shortest may be
    among those that a model was trained on: there are not many so short.
    """
    known = {pair.source for pair in trained_on}
    chosen: list[list[AlignedPair]] = []
    for seed in takewhile(lambda _: len(chosen) < count, counting(1)):
        family = _family(seed, clauses)
        if family and not known & {pair.source for pair in family[1:]}:
            chosen.append(family)
    return chosen


def _family(seed: int, clauses: int) -> list[AlignedPair] | None:
    random = Random(f"{seed} in the page")
    sentence = draw_sentence(combinations("tiny"), random, bottleneck.MAX_WORDS - 1)
    if sentence is None or len(sentence.clauses) != clauses:
        return None
    grown = [
        aligned_pair(Sentence(sentence.clauses[:n], sentence.connectives[:n]))
        for n in range(1, clauses + 1)
    ]
    return grown if len(grown[0].source) >= bottleneck.EDGES[0] else None


def glosses(pairs: Sequence[AlignedPair]) -> dict[str, str]:
    """For each target word the source word that gold links join it to most often.

    Of one that often has another partner too, such as "sie", both: "she/they". German negates
    the noun where English negates the verb, so "kein" is joined to "not", and means "no".
    """
    seen: dict[str, Counter[str]] = {}
    for pair in pairs:
        for i, j in sorted(pair.sure or pair.possible):
            seen.setdefault(pair.target[j], Counter())[pair.source[i]] += 1
    return {
        word: "no" if word.startswith("kein") else _gloss(partners)
        for word, partners in sorted(seen.items())
    }


def _gloss(partners: Counter[str]) -> str:
    # Of two that are as common the first in the alphabet leads, on every machine.
    ranked = sorted(partners, key=lambda partner: (-partners[partner], partner))
    least = _OFTEN * partners.total()
    return "/".join(ranked[:1] + [each for each in ranked[1:2] if partners[each] >= least])


def make(seed: int = 0) -> InPage:
    """Trains both models and puts everything together."""
    world = bottleneck.make_world()
    models = bottleneck.train_side_by_side(world, seed)
    grown = families(trained_on=world.train)
    sentences = [pair.source for family in grown for pair in family]
    lines = iter(_written(models["cho"], sentences, world))
    words = {
        side: [_word(tokenizer, i) for i in range(len(tokenizer))]
        for side, tokenizer in zip(("source", "target"), world.tokenizers, strict=True)
    }
    shown = [
        [
            {"en": " ".join(p.source), "de": " ".join(p.target), "one vector": next(lines)}
            for p in family
        ]
        for family in grown
    ]
    weights = models["bahdanau"].state_dict()
    return InPage(pack(weights), words, glosses(world.train), shown)


def _written(model: Any, sentences: list, world: bottleneck.LessonWorld) -> Iterator[str]:
    longest = 2 * bottleneck.MAX_WORDS
    translations = translate(model, sentences, *world.tokenizers, max_length=longest)
    return (translation.text for translation in translations)


def _word(tokenizer: Any, i: int) -> str:
    return SPECIALS[i] if i < len(SPECIALS) else tokenizer.decode([i])


def show(family: int = OPENING, length: int = 0) -> Interactive:
    """The network for the reader to steer, with a sentence that it has translated already."""
    stored = load()
    sentence = stored.families[family][length]["en"].split()
    (translation,) = translate(
        rebuilt(stored), [sentence], *tokenizers(stored), return_attention=True
    )
    return gaze(
        STORED.read_bytes(),
        stored.families,
        stored.gloss,
        words=stored.words["source"][len(SPECIALS) :],
        written=translation.target.words,
        weights=translation.word_weights,
        family=family,
        length=length,
        most=bottleneck.MAX_WORDS,
    )


def save_to(path: Path, network: InPage) -> None:
    """Writes the file whole or not at all."""
    settings = {"words": network.words, "gloss": network.gloss, "families": network.families}
    save_net(path, network.tensors, settings)


EXPERIMENTS = [
    Artifact(
        "The translator that runs in chapter 4's page.",
        STORED,
        lambda file, seed: save_to(file, make(seed)),
    )
]
