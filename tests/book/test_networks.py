"""The networks that run in pages compute what PyTorch computes."""

import base64
from dataclasses import replace

import pytest
import torch

from course_lab.experiments.back_to_recurrence import in_page as back_to_recurrence
from course_lab.experiments.bahdanau import in_page as bahdanau
from course_lab.experiments.decomposable import in_page as decomposable
from course_lab.experiments.lab.world import batch_of
from course_lab.experiments.multi_head import gaps
from course_lab.experiments.multi_head import in_page as multi_head
from course_lab.experiments.recurrence import in_page as recurrence
from course_lab.experiments.seq2seq import in_page as seq2seq
from course_lab.experiments.transformer import in_page as transformer
from course_lab.experiments.transformer import peers
from course_lab.figures.touch.core import web_file
from course_lib.data.mini_world import grammar
from course_lib.data.tokens.tokenizer import END, PAD, START
from course_lib.decoding.greedy import greedy
from course_lib.evaluation.translate import translate
from course_lib.models.bahdanau import Bahdanau
from course_lib.models.cloze import without_heads
from course_lib.recurrent.cells import gru_update

SENTENCES = 50
HEADS = peers.TRANSFORMER["heads"]


@pytest.fixture
def net(chromium):
    """Opens a page in which `net` is the network of a script."""
    page = chromium.new_page()

    def opened(script: str, made: str, stored):
        scripts = "\n".join(web_file(f"{name}.js") for name in ("maths", "net", script))
        page.evaluate(
            f"base64 => {{ {scripts}; const read = readTensors(base64).tensors; net = {made}; }}",
            base64.b64encode(stored.read_bytes()).decode(),
        )
        return page

    yield opened
    page.close()


def close(actual, expected, atol: float = 1e-5, rtol: float = 1e-4) -> None:
    torch.testing.assert_close(torch.tensor(actual), expected, atol=atol, rtol=rtol)


class Covered(Bahdanau):
    """Its encoder reads every word; its attention sees those of the mask alone."""

    def encode(self, source, source_mask):
        return replace(super().encode(source, torch.ones_like(source_mask)), mask=source_mask)


def test_bahdanau_free_covered_and_forced(net):
    page, stored = net("bahdanau", "attentionNet(read)", bahdanau.STORED), bahdanau.load()
    model, tokenizers = bahdanau.rebuilt(stored), bahdanau.tokenizers(stored)
    known = {word: i for i, word in enumerate(stored.words["source"])}

    def ids_of(words) -> list[int]:
        return [*(known[word] for word in words), END]

    def written(sentences, options="{}") -> list[list[int]]:
        return page.evaluate(
            f"all => all.map(ids => net.write(ids, {options}).map(step => step.token))", sentences
        )

    pairs = grammar.sample("test", SENTENCES, seed=29, min_words=4, max_words=50, vocabulary="tiny")
    expected = translate(model, [pair.source for pair in pairs], *tokenizers, max_length=100)
    actual = written([ids_of(pair.source) for pair in pairs])
    assert [i for i in range(SENTENCES) if actual[i] != expected[i].target.ids] == []

    words = stored.families[3][2]["en"].split()
    (looked,) = translate(model, [words], *tokenizers, return_attention=True)
    weights = page.evaluate("ids => net.write(ids).map(step => step.weights)", ids_of(words))
    close(weights, looked.weights, atol=1e-4, rtol=0)

    # A covered word has no weight.
    covered = Covered(model.config)
    covered.load_state_dict(model.state_dict())
    for family in stored.families[:3]:
        ids = ids_of(family[1]["en"].split())
        source = torch.tensor(ids).expand(len(ids), -1)
        open_words = ~torch.eye(len(ids), dtype=torch.bool)  # row j: word j is covered
        rest = greedy(covered.eval(), source, open_words, max_length=100).ids
        for place in range(len(ids)):
            assert written([ids], f"{{covered: new Set([{place}])}}")[0] == rest[place]

    # A forced look takes that annotation alone.
    ids = ids_of(stored.families[0][0]["en"].split())
    source = torch.tensor([ids])
    with torch.inference_mode():
        memory = model.encode(source, torch.ones_like(source, dtype=torch.bool))
        word = model.target_embed(torch.tensor([START]))
        for place in range(len(ids)):
            context = memory.annotations[:, place]
            gates = model.word_gates(word) + model.context_gates(context)
            hidden = gru_update(gates, model.recurrent_gates(memory.first), memory.first)
            logits = model.output(hidden, word, context)[0]
            logits[[PAD, START]] = -torch.inf
            forced = page.evaluate(
                "([ids, place]) => net.write(ids, {looks: new Map([[0, place]])})[0]", [ids, place]
            )
            assert forced["token"] == logits.argmax()
            assert forced["weights"] == [float(j == place) for j in range(len(ids))]


def test_one_vector_writes_and_reads_true_words(net):
    page, stored = net("cho_net", "oneVectorNet(read)", seq2seq.STORED), seq2seq.load()
    sentences = [pair.source for pair in seq2seq.pairs()]
    expected = translate(stored.model, sentences, *stored.tokenizers, max_length=40)
    ids = [[*stored.tokenizers[0].encode(words).ids, END] for words in sentences]
    write = "all => all.map(ids => net.write(net.read(ids)).map(step => step.token))"
    assert page.evaluate(write, ids) == [each.target.ids for each in expected]
    vector = page.evaluate("ids => [...net.read(ids)]", ids[0])
    close(vector, seq2seq.vector_of(stored, sentences[0]))

    batch = batch_of([seq2seq.pairs()[seq2seq.OPENING]], stored.tokenizers)
    with torch.inference_mode():
        logits = stored.model(batch.source, batch.source_mask, batch.target_in).logits[0]
    true_ids = batch.target_out[0].tolist()
    steps = page.evaluate(
        "([ids, true_ids]) => net.write(net.read(ids), true_ids).map(step => [...step.shares])",
        [batch.source[0].tolist(), true_ids],
    )
    assert len(steps) == len(true_ids)
    close(steps, logits.softmax(-1)[: len(true_ids)], atol=1e-4, rtol=1e-3)


def test_the_transformer_with_and_without_heads(net):
    made = f"transformerNet(read, {HEADS})"
    page, stored = net("transformer", made, transformer.STORED), transformer.load()
    sentences = [sentence.split() for sentence, _ in transformer.SENTENCES]
    ids = [[*stored.tokenizers[0].encode(words).ids, END] for words in sentences]

    def written(off=()) -> list[list[int]]:
        rows = page.evaluate(
            "([all, off, most]) => all.map(ids => net.write(ids, {off: new Set(off), most})"
            ".steps.map(step => step.token))",
            [ids, list(off), transformer.MOST],
        )
        return [[token for token in row if token != END] for row in rows]

    def by_pytorch(model) -> list[list[int]]:
        actual = translate(model, sentences, *stored.tokenizers, max_length=transformer.MOST)
        return [each.target.ids for each in actual]

    whole = written()
    assert whole == by_pytorch(stored.model)
    for off in (["cross.1.3"], ["encoder.0.0", "encoder.1.2"], ["decoder.0.1", "cross.0.0"]):
        actual = written(off)
        assert actual == by_pytorch(transformer_without(stored.model, off))
        assert actual != whole

    for sentence, _ in transformer.SENTENCES[:2]:
        expected = transformer.written(sentence.split(), *stored)
        words = [*stored.tokenizers[0].encode(sentence.split()).ids, END]
        actual = page.evaluate("ids => net.write(ids)", words)
        for use, layers in expected.looks.items():
            for layer, actual_layer in zip(layers, actual["looks"][use], strict=True):
                for head, rows in zip(layer, actual_layer, strict=True):
                    for t, row in enumerate(rows):
                        assert row == pytest.approx(head[t, : len(row)].tolist(), abs=1e-4)
                        assert head[t, len(row) :].sum() == 0
        for step, (best, second) in zip(actual["steps"], expected.next, strict=True):
            ranked = sorted(step["shares"], reverse=True)[:2]
            assert ranked == pytest.approx([best[1], second[1]], abs=1e-4)


def transformer_without(model, off):
    """A copy of the model in which these heads, such as "cross.1.0", read nothing."""
    bare = type(model)(model.config)
    bare.load_state_dict(model.state_dict())
    for use, n, h in (name.split(".") for name in off):
        layer = (bare.encoder if use == "encoder" else bare.decoder)[int(n)]
        part = layer.cross_attention if use == "cross" else layer.self_attention
        with torch.no_grad():
            part.output.weight[:, part.columns(int(h))] = 0.0
    return bare.eval()


def test_the_net_that_writes(net):
    page, stored = net("forecast", "wordNet(read)", recurrence.STORED), recurrence.load()
    for begun in (*recurrence.BEGINNINGS, "today two children who have slept"):
        ids = [stored.words.index(word) for word in begun.split()]
        for temperature in (0.5, 1.0, 2.0):
            asked = "([ids, t]) => net.following(net.read(ids), t)"
            actual = page.evaluate(asked, [ids, temperature])
            close(actual, stored.following(begun.split(), temperature), rtol=1e-3)


def test_the_decomposable_net(net):
    page = net("verdict", "decomposableNet(read)", decomposable.STORED)
    model, words = decomposable.load()
    pairs = decomposable.drawn(60, seed=3)
    ids = [[[0, *(words.index(word) for word in side)] for side in pair[:2]] for pair in pairs]
    look = "all => all.map(([a, b]) => net.look(a, b, [new Set(), new Set()], new Set()))"
    for pair, one in zip(pairs, page.evaluate(look, ids), strict=True):
        with torch.no_grad():
            looked = model.explain(*decomposable.inputs_of(words, *pair[:2]))
        close(one["shares"], looked.logits[0].softmax(-1))
        close(one["weights"][1], looked.hypothesis_weights[0])


def test_the_cloze_net_with_and_without_heads(net):
    stored = multi_head.load()
    reads, usual = multi_head.mean_reads(stored), multi_head._usual(stored)
    page = net("switches", f"clozeNet(read, {gaps.HEADS}, {usual})", multi_head.STORED)
    for text, gap in multi_head.SENTENCES:
        batch = gaps.batch_of([text.split()], [gap], stored.vocabulary)
        ids = batch.inputs[0][0].tolist()
        for off in ([], [(0, 1), (1, 2)]):
            heads = [n * gaps.HEADS + h for n, h in off]
            actual = page.evaluate(
                "([ids, gap, off]) => net.fill(ids, gap, new Set(off))", [ids, gap, heads]
            )
            model = without_heads(stored.model, off, reads)
            with torch.no_grad():
                close(actual["shares"], model(*batch.inputs)[0].softmax(-1))
                maps = model.attention_maps(*batch.inputs[:2])[0]
                close(actual["weights"], maps.flatten(0, 1))


@pytest.mark.parametrize("mixer", back_to_recurrence.MIXERS)
def test_each_mixer_a_token_at_a_time_with_what_it_keeps(net, mixer):
    made = f"""gptNet(Object.fromEntries(Object.keys(read).filter(key => key.startsWith("{mixer}."))
        .map(key => [key.replace("{mixer}.", ""), read[key]])), 2, {{rotary: false}})"""
    page = net("gpt_net", made, back_to_recurrence.STORED)
    model = back_to_recurrence.load().models[mixer]
    kept = "Object.values(kept[0]).flat().reduce((sum, vector) => sum + vector.length, 0)"
    for ids in ([5, 22, 6, 20, 5], [5, 22, 6, 21, 4, 27, 6]):  # both begin with the same
        with torch.inference_mode():
            logits = model(torch.tensor([ids]))[0]
        read = "ids => net.read(ids).map(({logits, kept}) => [[...logits], " + kept + "])"
        places = page.evaluate(read, ids)
        close([numbers for numbers, _ in places], logits)
        assert [size for _, size in places] == [
            back_to_recurrence.numbers_kept(model, tokens + 1) for tokens in range(len(ids))
        ]
