"""Chapter 2: measures with known answers, the narrow vector, pretraining, the page's network."""

from dataclasses import replace
from itertools import pairwise

import pytest
import torch

from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.world import batch_of, vocabularies, weights_of
from course_lab.experiments.seq2seq import in_page, one_vector, pretraining
from course_lab.experiments.seq2seq.measures import (
    LONG,
    Share,
    after_first_error,
    by_fifths,
    by_source_fifth,
    forced_right,
)
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import END, START
from course_lib.evaluation.translate import translate
from course_lib.training.config import FitConfig
from tests.stubs import NextWord


def pair(source: str, target: str, *links: tuple[int, int]) -> AlignedPair:
    return AlignedPair(
        tuple(source.split()), tuple(target.split()), frozenset(links), frozenset(links)
    )


PAIR = pair("p q r s", "a b c d")
TOKENIZERS = vocabularies([PAIR, pair("p", "x")])
ALL_FORCED = [True, False, True, True, True]


@pytest.mark.parametrize(
    ("follows", "right", "forced", "free", "free_anywhere"),
    [
        # The model knows every word.
        ({"<s>": "a", "a": "b", "b": "c", "c": "d", "d": "</s>"}, [True] * 5, (0, 0), (0, 0), 0),
        # One wrong choice, after which it writes x for ever.
        (
            {"<s>": "a", "a": "x", "x": "x", "b": "c", "c": "d", "d": "</s>"},
            ALL_FORCED,
            (2, 2),
            (0, 2),
            0,
        ),
        # It writes "b c d": right words at wrong positions.
        (
            {"<s>": "b", "b": "c", "c": "d", "d": "</s>", "a": "b"},
            [False, True, True, True, True],
            (3, 3),
            (0, 3),
            2,
        ),
    ],
)
def test_an_error_is_counted_by_hand(follows, right, forced, free, free_anywhere):
    ids = {word: TOKENIZERS[1].encode([word]).ids[0] for word in "abcdx"}
    ids |= {"<s>": START, "</s>": END}
    model = NextWord({ids[a]: ids[b] for a, b in follows.items()}, len(TOKENIZERS[1]))
    assert forced_right(model, [PAIR], TOKENIZERS)[0].tolist() == right
    counted = after_first_error(model, [PAIR], TOKENIZERS)
    assert (counted.forced, counted.free) == (Share(*forced), Share(*free))
    assert counted.forced_anywhere == Share(*forced)
    assert counted.free_anywhere == Share(free_anywhere, free[1])


def test_fifths_go_by_the_position_in_the_source():
    words = [f"w{i}" for i in range(LONG + 3)]  # fifteen: three a fifth
    links = [(i, i) for i in range(len(words)) if i != 4]  # one word has no link
    long = pair(" ".join(words), " ".join(words), *links)
    tokenizers = vocabularies([long])
    ids = tokenizers[1].encode(words).ids
    follows = dict(zip([START, *ids], ids, strict=False))
    follows[ids[0]] = ids[5]  # the second word is wrong
    model = NextWord(follows, len(tokenizers[1]))
    short = pair("w0 w1", "w0 w1", (0, 0), (1, 1))
    shares = by_source_fifth(model, [long, short], tokenizers)
    assert shares == [Share(2, 3), Share(2, 2), Share(3, 3), Share(3, 3), Share(3, 3)]


def test_the_same_words_are_sorted_by_both_sentences():
    words = [f"w{i}" for i in range(14)]
    target = [*reversed(words), "."]
    links = [(i, 13 - i) for i in range(14) if i != 7] + [(14, 14)]
    reversed_pair = pair(" ".join([*words, "."]), " ".join(target), *links)
    tokenizers = vocabularies([reversed_pair])
    ids = tokenizers[1].encode(target).ids
    follows = dict(pairwise([START, *ids]))
    follows[START] = ids[5]  # the first word is wrong: the last one of the source
    model = NextWord(follows, len(tokenizers[1]))
    shares = by_fifths(model, [reversed_pair], tokenizers)
    # Without the full stop, and without the eighth English word, which has no link.
    assert shares["target"] == [Share(2, 3), Share(3, 3), Share(2, 2), Share(3, 3), Share(2, 2)]
    assert shares["source"] == [Share(3, 3), Share(3, 3), Share(2, 2), Share(3, 3), Share(1, 2)]
    with_marks = by_fifths(model, [reversed_pair], tokenizers, marks=True)
    assert with_marks["target"][-1] == Share(3, 3)


def test_the_narrow_vector_is_all_that_the_decoder_has_of_the_sentence():
    world = one_vector.the_world()
    batch = batch_of(world.test[:100], world.tokenizers)
    narrow = one_vector.make_model("32 in 128", world, seed=0).eval()
    wide = one_vector.make_model("width 128", world, seed=0).eval()
    with torch.no_grad():
        memory = narrow.encode(batch.source, batch.source_mask)
    assert memory.context.shape == (100, one_vector.VARIANTS["32 in 128"].settings["vector"])
    for part in ("cell.weight_hh_l0", "output.words.weight", "embed.table.weight"):
        shapes = {model.decoder.get_parameter(part).shape for model in (narrow, wide)}
        assert len(shapes) == 1, part
    # Nothing else reaches the decoder: another sentence with the same vector reads the same.
    logits = narrow.decode(batch.target_in, memory).logits
    other = replace(memory, mask=~memory.mask)
    torch.testing.assert_close(narrow.decode(batch.target_in, other).logits, logits)


@pytest.fixture(scope="module")
def scarce():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pretraining, "PAIRS", 200)
        patch.setattr(pretraining, "SENTENCES", 900)
        yield pretraining.the_world()

def test_no_sentence_of_one_language_is_in_the_pairs_or_held_out(scarce):
    english, german = set(scarce.english), set(scarce.german)
    assert len(english) == len(german) == pretraining.SENTENCES
    pairs = {p.source for p in scarce.pairs}
    assert not pairs & english
    assert not {p.target for p in scarce.pairs} & german
    for held_out in (scarce.valid, scarce.test):
        assert not {p.source for p in held_out} & (pairs | english)
        assert not {p.target for p in held_out} & german

def test_each_start_replaces_the_weights_of_its_own_half(scarce, monkeypatch):
    two = FitConfig(steps=2, learning_rate=1e-3)
    monkeypatch.setattr(pretraining, "_fit_config", lambda rate, steps, **more: two)
    runs = [Trial(start, 0, 1e-3) for start in pretraining.STARTS]
    models = {
        run.variant: pretraining.translator(run, scarce, pretraining.autoencoders(run, scarce))
        for run in runs
    }
    scratch = weights_of(models["scratch"])
    for start, model in models.items():
        changed = {n for n, w in weights_of(model).items() if (w != scratch[n]).any()}
        parts = {n.split(".")[0] for n in changed if "table" in n}
        wanted = {"scratch": set(), "both": {"encoder", "decoder"}}.get(start, {start})
        assert parts == wanted


@pytest.fixture(scope="module")
def stored():
    return in_page.load()

def test_in_half_precision_it_is_as_right_as_the_stored_run(stored):
    world = one_vector.the_world()
    short = [p for p in world.test if len(p.source) <= 7][:150]
    written = translate(stored.model, [p.source for p in short], *stored.tokenizers)
    right = [t.target.words == list(p.target) for t, p in zip(written, short, strict=True)]
    (rate, *_) = one_vector.load_exact(in_page.VARIANT, 4, 7)
    assert sum(right) / len(right) == pytest.approx(rate, abs=0.1)

def test_the_first_sentence_is_right_and_the_one_it_opens_on_is_not(stored):
    pairs = in_page.pairs()
    written = translate(stored.model, [p.source for p in pairs], *stored.tokenizers)
    right = [t.target.words == list(p.target) for t, p in zip(written, pairs, strict=True)]
    assert right[0]
    assert not right[in_page.OPENING]
    opening = written[in_page.OPENING].target.words
    odds = in_page.odds_of(stored, pairs[in_page.OPENING], opening)
    assert [step.top[0][0] for step in odds] == opening
    for step in odds:
        shares = [share for _, share in step.top]
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) <= 1 + 1e-6
