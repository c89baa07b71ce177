"""Chapter 14: Shakespeare, the variants of the GPT, induction heads, and translation."""

import re

import pytest
import torch

from course_lab.experiments.gpt import differences, in_page, induction, shakespeare, translating
from course_lab.experiments.transformer import peers
from course_lib.data.characters import Characters
from course_lib.data.tokens.tokenizer import END, PAD, START
from course_lib.device import cpu_generator
from course_lib.models.gpt import GPT


def test_the_records_of_shakespeare_fit_the_command():
    alphabet = Characters("".join(map(chr, range(40, 105))))  # 65 characters, as the corpus has
    size = shakespeare.parameters(GPT(shakespeare.config(alphabet)))
    read = shakespeare.STEPS * shakespeare.PER_BATCH * shakespeare.LENGTH
    for record in shakespeare.load_records():
        assert record["parameters"] == size <= shakespeare.NANO["parameters"]
        assert record["characters"] == read <= shakespeare.BUDGET


def test_the_shipped_network_has_about_the_stored_loss(course_data):
    made, record = in_page.load(), shakespeare.load_records()[0]
    assert made.alphabet.characters == shakespeare.texts().alphabet.characters
    nats = shakespeare.nats(made.model, shakespeare.texts().valid[:20_000])
    assert nats == pytest.approx(record["nats"], abs=0.06)  # a fifth of the text, 8-bit matrices
    card = in_page.STORED.with_suffix(".md").read_text(encoding="utf-8")
    before = re.search(r"([\d.]+) nats a character .* before packing, [\d.]+ after", card)[1]
    assert float(before) == pytest.approx(record["nats"], abs=0.0006)


def test_each_variant_changes_what_its_name_says():
    base = differences.config("GPT-2", 69)
    changed = {}
    for name in differences.CHANGES:
        config = differences.config(name, 69)
        changed[name] = {f for f in vars(base) if vars(base)[f] != vars(config)[f]}
    assert changed.pop("GPT-2") == set()
    together = changed.pop("all five")
    assert all(len(fields) == 1 for fields in changed.values())
    assert set.union(*changed.values()) == together
    assert set(differences.load_losses()) == {*differences.CHANGES, *differences.CONTROL}
    times = differences.load_times()
    assert 2 * times["shared keys"]["cache"] == times["GPT-2"]["cache"]


def test_lines_repeat_a_string_of_different_symbols():
    drawn = induction.lines(20, cpu_generator(0))
    assert drawn.shape == (20, induction.LENGTH + 1)
    for line in drawn:
        strings = [
            n
            for n in range(induction.SHORTEST, induction.LONGEST + 1)
            if len(line[:n].unique()) == n and torch.equal(line[n:], line[:-n])
        ]
        assert len(strings) == 1


def test_a_silenced_head_reads_its_mean_and_others_read_on():
    model = GPT(induction.CONFIG, cpu_generator(3)).eval()
    drawn = induction.lines(4, cpu_generator(1))[:, :-1]
    means = induction.mean_reads(model, drawn)
    attention, reads = model.layers[1].self_attention, []
    with torch.inference_mode():
        plain = model(drawn)
        with induction.without(model, [(1, 0)], means):
            handle = attention.output.register_forward_pre_hook(lambda _, x: reads.append(x[0]))
            silenced = model(drawn)
            handle.remove()
        assert torch.equal(model(drawn), plain)  # no hook is left
    columns = attention.columns(0)
    assert torch.equal(reads[0][..., columns], means[1][columns].expand(4, induction.LENGTH, -1))
    assert reads[0][..., attention.columns(1)].std(1).min() > 0
    assert not torch.allclose(silenced, plain, atol=1e-3)


def test_looks_are_at_the_distance_that_is_asked_for():
    class Fixed(GPT):
        """Every position looks at the one `back` positions before, or at itself."""

        back = induction.LONGEST - 1

        def attention_maps(self, tokens):
            size = tokens.shape[1]
            weights = torch.zeros(len(tokens), 1, size, size)
            for t in range(size):
                weights[:, 0, t, t - self.back if t >= self.back else t] = 1.0
            return [weights]

    model, drawn = Fixed(induction.CONFIG), induction.lines(2, cpu_generator(0), induction.LONGEST)
    for away, share in ((0, 1.0), (1, 0.0), (-1, 0.0)):
        assert induction.looks(model, drawn, model.back + away) == {(0, 0): share}


def test_the_stored_network_copies_and_needs_its_induction_head():
    model = induction.load()
    drawn = induction.lines(64, cpu_generator(9), induction.LONGEST)
    first, second = induction.halves(model, drawn)
    assert second < first / 3
    copies = induction.looks(model, drawn, induction.LONGEST - 1)
    means = induction.mean_reads(model, drawn[:, :-1])
    with induction.without(model, [max(copies, key=copies.get)], means):
        assert induction.halves(model, drawn)[1] > second + 0.3


def test_a_pair_becomes_one_line_whose_loss_counts_after_the_source():
    world = peers.make_world(60, 10)
    batch, shift = next(peers.batches(world).epoch(0)), translating.shift_of(world)
    joined = translating.joined(batch, shift)
    assert joined.tokens == batch.tokens == int(joined.target_mask.sum())
    for i, index in enumerate(batch.index):
        sides = (world.train[index].source, world.train[index].target)
        source, target = (
            tokenizer.encode(words).ids
            for tokenizer, words in zip(world.tokenizers, sides, strict=True)
        )
        line = [*source, START, *(word + shift for word in target), END]
        size = len(line) - 1
        assert joined.target_in[i, :size].tolist() == line[:-1]
        assert joined.target_out[i, :size].tolist() == line[1:]
        counted = joined.target_mask[i].nonzero()[:, 0].tolist()
        assert counted == list(range(len(source), size))


def test_the_decoder_alone_continues_each_source_as_if_it_were_the_only_one():
    world = peers.make_world(60, 10)
    model, shift = translating.make_model(world, 0).eval(), translating.shift_of(world)
    sources = [pair.source for pair in world.test[:4]]
    assert len({len(source) for source in sources}) > 1
    written = translating.translations(model, sources, world, 5)
    for source, words in zip(sources, written, strict=True):
        ids = [*world.tokenizers[0].encode(source).ids, START]
        begun = len(ids)
        for _ in range(5):
            with torch.inference_mode():
                logits = model(torch.tensor([ids]))[0, -1]
            logits[[PAD, START]] = -torch.inf
            if (best := int(logits.argmax())) == END:
                break
            ids.append(best)
        target = [i - shift if i >= 4 + shift else 1 for i in ids[begun:]]
        assert list(words) == list(world.tokenizers[1].from_ids(target).words)


def test_the_stored_translators_are_of_one_size():
    records = translating.load_records()
    assert {len(runs) for runs in records.values()} == {len(translating.SEEDS)}
    sizes = {record["parameters"] for runs in records.values() for record in runs}
    assert max(sizes) < 1.01 * min(sizes)
