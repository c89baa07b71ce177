"""The experiments of chapter 2: fair conditions, measures with known answers, and stored counts."""

from dataclasses import replace
from itertools import combinations, pairwise
from types import SimpleNamespace

import pytest
import torch

from course_lab.experiments.lab import rates
from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.lab.world import (
    batch_of,
    length_bins,
    vocabularies,
    weights_of,
)
from course_lab.experiments.seq2seq import one_vector, pretraining
from course_lab.experiments.seq2seq.measures import (
    LONG,
    Share,
    after_first_error,
    by_fifths,
    by_source_fifth,
    forced_choices,
    forced_right,
)
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import END, START, WordVocabulary
from course_lib.evaluation.translate import translate
from course_lib.models.autoencoder import SequenceAutoencoder
from course_lib.models.sutskever import Sutskever, SutskeverConfig
from tests.stubs import NextWord


@pytest.fixture(scope="module")
def world():
    return one_vector.the_world()


@pytest.fixture(scope="module")
def scarce():
    return pretraining.the_world()


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

    @pytest.mark.parametrize(
        "measure", [after_first_error, by_fifths, by_source_fifth, forced_choices, forced_right]
    )
    @pytest.mark.parametrize("training", [False, True])
    def test_a_measure_leaves_the_model_in_its_mode(self, world, measure, training):
        model = one_vector.make_model("width 32", world, seed=0).train(training)
        measure(model, world.test[:10], world.tokenizers)
        assert {part.training for part in model.modules()} == {training}

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
    def test_no_two_splits_share_a_sentence(self, world):
        splits = [{p.source for p in pairs} for pairs in (world.train, world.valid, world.test)]
        assert [len(s) for s in splits] == [12_000, 600, 600]
        assert all(not one & other for one, other in combinations(splits, 2))

    def test_lengths_are_those_of_the_bins(self, world):
        for pairs in (world.train, world.valid, world.test):
            lengths = {len(p.source) for p in pairs}
            assert (min(lengths), max(lengths)) == (one_vector.EDGES[0], one_vector.MAX_WORDS)

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

    def test_the_orders_differ_in_nothing_but_the_order(self, world):
        forwards, backwards = (
            one_vector.make_model(name, world, seed=1) for name in ("forwards", "backwards")
        )
        assert all(
            torch.equal(a, b)
            for a, b in zip(forwards.parameters(), backwards.parameters(), strict=True)
        )
        assert (forwards.config.reverse_source, backwards.config.reverse_source) == (False, True)

    def test_an_untrained_model_has_nothing_right(self, world):
        model = one_vector.make_model("width 32", world, 0)
        bins = length_bins(model, world.test[:20], world.tokenizers, one_vector.EDGES)
        assert sum(b.count for b in bins) == 20
        assert sum(b.exact * b.count for b in bins if b.count) == 0

    def test_the_stored_counts_are_of_this_experiment(self, world):
        stored = load_stored(one_vector.STORED)
        assert {(e["variant"], e["seed"]) for e in stored} == {
            (name, seed) for name in one_vector.VARIANTS for seed in one_vector.SEEDS
        }
        lengths = [len(p.source) for p in world.test]
        for entry in stored:
            model = one_vector.make_model(entry["variant"], world, 0)
            assert entry["parameters"] == sum(p.numel() for p in model.parameters())
            for low, high, count, exact in entry["bins"]:
                assert count == sum(low <= length <= high for length in lengths)
                assert 0 <= exact <= count


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
        monkeypatch.setattr(pretraining, "COPYING_STEPS", 51)
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

    def test_a_copy_counts_only_if_it_is_exact(self, monkeypatch):
        sentences = [("a", "b"), ("a",), ("b", "a")]
        wrote = [["a", "b"], ["a", "a"], ["b"]]
        found = [SimpleNamespace(target=SimpleNamespace(words=words)) for words in wrote]
        monkeypatch.setattr(pretraining, "translate", lambda *_, **__: found)
        letters = WordVocabulary(["a", "b"])
        model = SequenceAutoencoder(SutskeverConfig(len(letters), len(letters), hidden=4))
        share = pretraining.copied_exactly(model, sentences, letters)
        assert share == pytest.approx(1 / 3)

    def test_no_start_is_stopped_before_its_rate_has_fallen(self, scarce, monkeypatch):
        asked = []

        def fit(model, batches, valid, config, progress):
            asked.append(config)
            return SimpleNamespace(best_step=150)

        monkeypatch.setattr(pretraining, "fit", fit)
        run = Trial("scratch", 0, 3e-3)
        model = pretraining.translator(run, scarce, {})
        assert pretraining.train(model, run, scarce) == 150
        (config,) = asked
        assert (config.schedule, config.learning_rate) == ("constant", 3e-3)
        assert config.patience == pretraining.PATIENCE

    def test_every_seed_of_each_start_is_stored(self, scarce):
        stored = load_stored(pretraining.STORED)
        assert {(e["variant"], e["seed"]) for e in stored} == {
            (start, seed) for start in pretraining.STARTS for seed in pretraining.SEEDS
        }
        for entry in stored:
            assert sum(count for _, _, count, _ in entry["bins"]) == len(scarce.test)
        found = pretraining.load_rates()
        assert all(
            len(row) == len(pretraining.SEEDS) and 0 < min(row) <= max(row) < 1
            for row in found.values()
        )


class TestCommand:
    """What the two scripts would run, without running it."""

    @pytest.fixture
    def asked(self, monkeypatch):
        calls = []
        monkeypatch.setattr(rates, "write_records", lambda *call: calls.append(call))
        return calls

    def test_few_of_the_runs_can_be_asked_for(self, asked):
        one_vector.main(["--only", "variant=width 32", "seed=1"])
        ((_, runs, _, _),) = asked
        assert runs == [Trial("width 32", 1, one_vector.RATE_OF["width 32"])]

    @pytest.mark.parametrize(
        ("only", "message"),
        [
            ("variant=width 33", "no run is variant=width 33"),
            ("width 32", "want FIELD=VALUE with a field of variant, seed, learning_rate"),
            ("size=32", "got 'size=32'"),
            ("seed=", "got 'seed='"),
        ],
    )
    def test_a_choice_that_leaves_no_run_is_refused(self, asked, capsys, only, message):
        with pytest.raises(SystemExit):
            one_vector.main(["--only", only])
        assert message in capsys.readouterr().err
        assert not asked
