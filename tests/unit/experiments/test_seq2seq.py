"""Chapter 2: measures with known answers, the narrow vector, the page's network."""

from dataclasses import replace

import pytest
import torch

from course_lab.experiments.lab.world import batch_of, vocabularies
from course_lab.experiments.seq2seq import in_page, one_vector
from course_lab.experiments.seq2seq.measures import (
    Share,
    after_first_error,
    forced_right,
)
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import END, START
from course_lib.evaluation.translate import translate
from tests.stubs import NextWord


def pair(source: str, target: str, *links: tuple[int, int]) -> AlignedPair:
    return AlignedPair(
        tuple(source.split()), tuple(target.split()), frozenset(links), frozenset(links)
    )


PAIR = pair("p q r s", "a b c d")
TOKENIZERS = vocabularies([PAIR, pair("p", "x")])


@pytest.mark.parametrize(
    ("follows", "right", "forced", "free", "free_anywhere"),
    [
        # What follows <s>, a, b, c, d and x. The first model knows every word.
        ("a b c d </s> x", "TTTTT", (0, 0), (0, 0), 0),
        # One wrong choice, after which it writes x for ever.
        ("a x c d </s> x", "TFTTT", (2, 2), (0, 2), 0),
        # It writes "b c d": right words at wrong positions.
        ("b b c d </s> x", "FTTTT", (3, 3), (0, 3), 2),
    ],
)
def test_an_error_is_counted_by_hand(follows, right, forced, free, free_anywhere):
    ids = {word: TOKENIZERS[1].encode([word]).ids[0] for word in "abcdx"}
    ids |= {"<s>": START, "</s>": END}
    pairs = zip(["<s>", "a", "b", "c", "d", "x"], follows.split(), strict=True)
    model = NextWord({ids[word]: ids[after] for word, after in pairs}, len(TOKENIZERS[1]))
    assert forced_right(model, [PAIR], TOKENIZERS)[0].tolist() == [mark == "T" for mark in right]
    counted = after_first_error(model, [PAIR], TOKENIZERS)
    assert (counted.forced, counted.free) == (Share(*forced), Share(*free))
    assert counted.forced_anywhere == Share(*forced)
    assert counted.free_anywhere == Share(free_anywhere, free[1])


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


def test_the_first_sentence_is_right_and_the_one_it_opens_on_is_not():
    stored, pairs = in_page.load(), in_page.pairs()
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
