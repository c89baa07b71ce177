"""The experiments of chapter 2: fair conditions, measures with known answers, and stored counts."""

from dataclasses import replace
from itertools import pairwise

import pytest
import torch

from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.world import batch_of, vocabularies, weights_of
from course_lab.experiments.seq2seq import one_vector, pretraining
from course_lab.experiments.seq2seq.measures import (
    LONG,
    Share,
    after_first_error,
    by_source_fifth,
    forced_right,
)
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import END, START
from course_lib.evaluation.translate import translate
from course_lib.models.sutskever import Sutskever
from course_lib.training.config import FitConfig
from tests.stubs import NextWord


@pytest.fixture(scope="module")
def world():
    return one_vector.the_world()


@pytest.fixture(scope="module")
def scarce():
    """Fewer than the chapter's, as all training sentences of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pretraining, "PAIRS", 200)
        patch.setattr(pretraining, "SENTENCES", 900)
        yield pretraining.the_world()


def pair(source: str, target: str, *links: tuple[int, int]) -> AlignedPair:
    return AlignedPair(
        tuple(source.split()), tuple(target.split()), frozenset(links), frozenset(links)
    )


class TestMeasures:
    PAIR = pair("p q r s", "a b c d")

    @pytest.fixture
    def tokenizers(self):
        return vocabularies([self.PAIR, pair("p", "x")])

    def model(self, tokenizers, chain: str) -> NextWord:
        """Writes the chain's words; each is known by the one before it."""
        words = [START, *tokenizers[1].encode(chain.split()).ids, END]
        return NextWord(dict(pairwise(words)), len(tokenizers[1]))

    def test_a_model_that_knows_is_right_everywhere(self, tokenizers):
        model = self.model(tokenizers, "a b c d")
        (right,) = forced_right(model, [self.PAIR], tokenizers)
        assert right.tolist() == [True] * 5
        assert after_first_error(model, [self.PAIR], tokenizers).forced.of == 0

    def test_an_error_is_paid_for_only_where_the_model_reads_itself(self, tokenizers):
        start, a, b, c, d = START, *tokenizers[1].encode(list("abcd")).ids
        (x,) = tokenizers[1].encode(["x"]).ids
        model = NextWord(
            {start: a, a: x, x: x, b: c, c: d, d: END}, len(tokenizers[1])
        )  # one wrong choice, after which it writes x for ever
        (right,) = forced_right(model, [self.PAIR], tokenizers)
        assert right.tolist() == [True, False, True, True, True]
        found = after_first_error(model, [self.PAIR], tokenizers)
        assert (found.forced, found.free) == (Share(2, 2), Share(0, 2))
        assert (found.forced_anywhere, found.free_anywhere) == (Share(2, 2), Share(0, 2))

    def test_a_word_that_has_moved_is_right_where_places_do_not_count(self, tokenizers):
        start, a, b, c, d = START, *tokenizers[1].encode(list("abcd")).ids
        model = NextWord({start: b, b: c, c: d, d: END, a: b}, len(tokenizers[1]))
        found = after_first_error(model, [self.PAIR], tokenizers)  # it writes "b c d"
        assert (found.forced, found.free) == (Share(3, 3), Share(0, 3))
        assert (found.forced_anywhere, found.free_anywhere) == (Share(3, 3), Share(2, 3))

    def test_exact_in_one_mode_is_exact_in_the_other(self, world):
        model = one_vector.make_model("width 32", world, seed=0).eval()
        few = world.test[:30]
        forced = [bool(row.all()) for row in forced_right(model, few, world.tokenizers)]
        wrote = translate(model, [p.source for p in few], *world.tokenizers, max_length=60)
        free = [w.target.words == list(p.target) for w, p in zip(wrote, few, strict=True)]
        assert forced == free

    def test_fifths_go_by_the_place_in_the_source(self):
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


class TestOneVector:
    def test_the_narrow_vector_is_all_that_the_decoder_has_of_the_sentence(self, world):
        batch = batch_of(world.test[:100], world.tokenizers)
        narrow = one_vector.make_model("32 in 128", world, seed=0).eval()
        wide = one_vector.make_model("width 128", world, seed=0).eval()
        with torch.no_grad():
            memory = narrow.encode(batch.source, batch.source_mask)
        assert memory.context.shape == (100, one_vector.VARIANTS["32 in 128"].settings["vector"])
        assert memory.context.abs().max() < 1
        for part in ("cell.weight_hh_l0", "output.words.weight", "embed.table.weight"):
            shapes = {model.decoder.get_parameter(part).shape for model in (narrow, wide)}
            assert len(shapes) == 1, part
        # Nothing else reaches the decoder: another sentence with the same vector reads the same.
        logits = narrow.decode(batch.target_in, memory).logits
        other = replace(memory, mask=~memory.mask)
        torch.testing.assert_close(narrow.decode(batch.target_in, other).logits, logits)


class TestPretraining:
    def test_no_sentence_is_given_twice(self, scarce):
        pairs = {p.source for p in scarce.pairs}
        english, german = set(scarce.english), set(scarce.german)
        assert len(pairs) == pretraining.PAIRS
        assert len(english) == len(german) == pretraining.SENTENCES
        assert not pairs & english
        assert not {p.target for p in scarce.pairs} & german
        for held_out in (scarce.valid, scarce.test):
            assert not {p.source for p in held_out} & (pairs | english)
            assert not {p.target for p in held_out} & german

    def test_a_start_from_scratch_has_its_own_weights_and_both_has_none_of_them(
        self, scarce, monkeypatch
    ):
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
        assert all(isinstance(model, Sutskever) for model in models.values())
