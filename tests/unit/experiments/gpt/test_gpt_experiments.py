"""Chapter 14: what is stored is what would be made, and a head that is silenced is silent."""

import re

import pytest
import torch

from course_lab.experiments.gpt import differences, in_page, induction, shakespeare, translating
from course_lab.experiments.transformer import peers
from course_lib.data.characters import Characters
from course_lib.data.tokens.tokenizer import END, PAD, START
from course_lib.device import cpu_generator
from course_lib.models.gpt import GPT

SIXTY_FIVE = Characters("".join(map(chr, range(40, 105))))


def test_what_is_stored_of_shakespeare_is_what_the_command_would_make():
    records = shakespeare.load_records()
    assert {record["seed"] for record in records} <= set(shakespeare.SEEDS)
    size = shakespeare.parameters(GPT(shakespeare.config(SIXTY_FIVE)))
    read = shakespeare.STEPS * shakespeare.PER_BATCH * shakespeare.LENGTH
    for record in records:
        assert record["parameters"] == size <= shakespeare.NANO["parameters"]
        assert record["characters"] == read <= shakespeare.BUDGET


def test_the_shipped_network_has_the_loss_that_is_stored(course_data):
    made, record = in_page.load(), shakespeare.load_records()[0]
    ids = shakespeare.texts().valid
    assert made.alphabet.characters == shakespeare.texts().alphabet.characters
    found = shakespeare.nats(made.model, ids)
    assert abs(found - record["nats"]) < 0.002  # its matrices are in 8 bits
    card = in_page.STORED.with_suffix(".md").read_text(encoding="utf-8")
    told = re.search(r"([\d.]+) nats a character .* before packing, ([\d.]+) after", card)
    assert float(told[1]) == pytest.approx(record["nats"], abs=0.0006)
    assert float(told[2]) == pytest.approx(found, abs=0.0016)  # other processors round otherwise


def test_each_variant_changes_what_its_name_says():
    base = differences.config("GPT-2", 69)
    changed = {
        name: {field for field in vars(base) if vars(base)[field] != vars(config)[field]}
        for name in differences.CHANGES
        for config in [differences.config(name, 69)]
    }
    assert changed.pop("GPT-2") == set()
    together = changed.pop("all five")
    assert all(len(fields) == 1 for fields in changed.values())
    assert set.union(*changed.values()) == together
    assert set(differences.load_losses()) == {*differences.CHANGES, *differences.CONTROL}
    times = differences.load_times()
    assert times["GPT-2"]["step"] == 1.0
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
    fixed = induction.lines(5, cpu_generator(0), induction.LONGEST)
    size = induction.LONGEST
    assert torch.equal(fixed[:, size : 2 * size], fixed[:, :size])


def test_a_silenced_head_reads_its_mean_and_others_read_on():
    model = GPT(induction.CONFIG, cpu_generator(3)).eval()
    drawn = induction.lines(4, cpu_generator(1))[:, :-1]
    means = induction.mean_reads(model, drawn)
    attention = model.layers[1].self_attention
    kept = []
    with induction.without(model, [(1, 0)], means), torch.inference_mode():
        handle = attention.output.register_forward_pre_hook(lambda _, given: kept.append(given[0]))
        silenced = model(drawn)
        handle.remove()
    columns = attention.columns(0)
    assert torch.equal(kept[0][..., columns], means[1][columns].expand(4, induction.LENGTH, -1))
    other = attention.columns(1)
    assert kept[0][..., other].std(1).min() > 0
    with torch.inference_mode():
        plain = model(drawn)
    assert not torch.allclose(silenced, plain, atol=1e-3)
    with torch.inference_mode():
        assert torch.equal(model(drawn), plain)  # no hook is left


def test_looks_are_of_the_place_that_is_meant():
    class Fixed(GPT):
        """Every position looks at the one `back` places before, or at itself."""

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


def test_the_stored_network_copies_and_needs_the_heads_that_look_there():
    model = induction.load()
    drawn = induction.lines(64, cpu_generator(9), induction.LONGEST)
    first, second = induction.halves(model, drawn)
    assert second < first / 3
    copies = induction.looks(model, drawn, induction.LONGEST - 1)
    best = max(copies, key=copies.get)
    means = induction.mean_reads(model, drawn[:, :-1])
    with induction.without(model, [best], means):
        assert induction.halves(model, drawn)[1] > second + 0.3


def test_a_pair_becomes_one_line_and_counts_after_its_mark():
    world = peers.make_world(60, 10)
    batch, shift = next(peers.batches(world).epoch(0)), translating.shift_of(world)
    found = translating.joined(batch, shift)
    assert found.tokens == batch.tokens == int(found.target_mask.sum())
    for i, index in enumerate(batch.index):
        pair = world.train[index]
        source, target = (
            tokenizer.encode(words).ids
            for tokenizer, words in zip(world.tokenizers, (pair.source, pair.target), strict=True)
        )
        line = [*source, START, *(word + shift for word in target), END]
        size = len(line) - 1
        assert found.target_in[i, :size].tolist() == line[:-1]
        assert found.target_out[i, :size].tolist() == line[1:]
        counted = found.target_mask[i].nonzero()[:, 0].tolist()
        assert counted == list(range(len(source), size))


def test_the_decoder_alone_continues_each_source_as_if_it_were_the_only_one():
    world = peers.make_world(60, 10)
    model, shift = translating.make_model(world, 0).eval(), translating.shift_of(world)
    sources = [pair.source for pair in world.test[:4]]
    assert len({len(source) for source in sources}) > 1
    for source, found in zip(
        sources, translating.translations(model, sources, world, 5), strict=True
    ):
        ids = [*world.tokenizers[0].encode(source).ids, START]
        begun = len(ids)
        for _ in range(5):
            with torch.inference_mode():
                logits = model(torch.tensor([ids]))[0, -1]
                logits[[PAD, START]] = -torch.inf
            if (best := int(logits.argmax())) == END:
                break
            ids.append(best)
        words = [i - shift if i >= 4 + shift else 1 for i in ids[begun:]]
        assert list(found) == list(world.tokenizers[1].from_ids(words).words)


def test_what_is_stored_of_translation_is_of_one_budget():
    found = translating.load_records()
    assert {len(records) for records in found.values()} == {len(translating.SEEDS)}
    sizes = {record["parameters"] for records in found.values() for record in records}
    assert max(sizes) < 1.01 * min(sizes)
    chosen = translating.VARIANTS["decoder alone"].learning_rate
    tried = peers.load_tuning(translating.TUNING)["decoder alone"]
    assert min(tried, key=tried.get) == chosen
    assert min(tried) < chosen < max(tried)
