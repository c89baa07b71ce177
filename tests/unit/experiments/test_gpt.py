"""Chapter 14: Shakespeare, induction heads, and translation."""

import re

import pytest
import torch

from course_lab.experiments.gpt import in_page, induction, shakespeare, translating
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
            with torch.no_grad():
                logits = model(torch.tensor([ids]))[0, -1]
            logits[[PAD, START]] = -torch.inf
            if (best := int(logits.argmax())) == END:
                break
            ids.append(best)
        target = [i - shift if i >= 4 + shift else 1 for i in ids[begun:]]
        assert list(words) == list(world.tokenizers[1].from_ids(target).words)
