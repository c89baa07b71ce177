"""The Transformer that runs in the page computes what PyTorch computes, and can be steered."""

import base64
import copy
import gzip

import pytest
import torch

from course_lab.experiments.bahdanau.in_page import load as load_chapter_4
from course_lab.experiments.transformer import in_page, peers
from course_lab.figures.touch.core import SHARED
from course_lib.data.tokens.tokenizer import END
from course_lib.evaluation.translate import translate
from tests.book.checks import scripts

pytestmark = pytest.mark.browser

HEADS = peers.TRANSFORMER["heads"]


@pytest.fixture(scope="module")
def figure():
    return in_page.translator(load_chapter_4().gloss)._repr_html_()


@pytest.fixture(scope="module")
def stored():
    return in_page.load()


@pytest.fixture(scope="module")
def net(chromium):
    """A page in which `net` is the network of the script."""
    page = chromium.new_page()
    page.evaluate(
        f"base64 => {{ {scripts('maths', 'net', 'transformer')};"
        f" net = transformerNet(readTensors(base64).tensors, {HEADS}); }}",
        base64.b64encode(in_page.STORED.read_bytes()).decode(),
    )
    yield page
    page.close()


def ids_of(stored, words) -> list[int]:
    return [*stored.tokenizers[0].encode(words).ids, END]


def written(net, sentences, off=()) -> list[list[int]]:
    """What the script writes, without the end mark."""
    found = net.evaluate(
        "([all, off, most]) => all.map(ids => net.write(ids, {off: new Set(off), most})"
        ".steps.map(step => step.token))",
        [sentences, list(off), in_page.MOST],
    )
    return [[token for token in row if token != END] for row in found]


def without(model, off):
    """A copy of the model in which these heads, such as "cross.1.0", read nothing."""
    model = copy.deepcopy(model)
    for use, n, h in (name.split(".") for name in off):
        layer = (model.encoder if use == "encoder" else model.decoder)[int(n)]
        part = layer.cross_attention if use == "cross" else layer.self_attention
        with torch.no_grad():
            part.output.weight[:, part.columns(int(h))] = 0.0
    return model


def by_pytorch(model, sentences, tokenizers) -> list[list[int]]:
    found = translate(model, sentences, *tokenizers, max_length=in_page.MOST)
    return [translation.target.ids for translation in found]


def test_the_page_writes_what_pytorch_writes(net, stored):
    world = peers.make_world()
    sentences = [pair.source for pair in (*world.test, *world.beyond)]
    wanted = by_pytorch(stored.model, sentences, stored.tokenizers)
    here = [ids_of(stored, words) for words in sentences]
    found = [row for i in range(0, len(here), 50) for row in written(net, here[i : i + 50])]
    assert len(found) == 800
    assert [i for i, row in enumerate(found) if row != wanted[i]] == []


@pytest.mark.parametrize(
    "off", [["cross.1.3"], ["encoder.0.0", "encoder.1.2"], ["decoder.0.1", "cross.0.0"]]
)
def test_without_heads_it_writes_what_pytorch_writes(net, stored, off):
    sentences = [pair.source for pair in peers.make_world().test[:40]]
    here = [ids_of(stored, words) for words in sentences]
    wanted = by_pytorch(without(stored.model, off), sentences, stored.tokenizers)
    assert written(net, here, off) == wanted
    assert written(net, here) != wanted


def test_every_head_looks_where_pytorchs_looks(net, stored):
    for sentence, _ in in_page.SENTENCES[:4]:
        wanted = in_page.written(sentence.split(), *stored)
        found = net.evaluate("ids => net.write(ids)", ids_of(stored, sentence.split()))
        for use, layers in wanted.looks.items():
            for layer, found_layer in zip(layers, found["looks"][use], strict=True):
                for head, rows in zip(layer, found_layer, strict=True):
                    for t, row in enumerate(rows):
                        assert row == pytest.approx(head[t, : len(row)].tolist(), abs=1e-4)
                        assert head[t, len(row) :].sum() == 0
        for step, (best, second) in zip(found["steps"], wanted.next, strict=True):
            ranked = sorted(step["shares"], reverse=True)[:2]
            assert ranked == pytest.approx([best[1], second[1]], abs=1e-4)


def test_the_script_is_small():
    made = scripts(*SHARED, "net", "words", "maps", "sentence", "table", "transformer", "writer")
    assert len(gzip.compress(made.encode())) <= 15_000


class Piece:
    """The figure on a page, in a reader's words."""

    def __init__(self, page) -> None:
        self.page = page.locator(".cl-writer")
        self.above = self.page.locator(".cl-above .cl-word")
        self.below = self.page.locator(".cl-below button")
        self.heads = self.page.locator(".cl-head")
        self.arcs = self.page.locator(".cl-arcs path")

    @property
    def wrote(self) -> str:
        words = self.below.locator(".cl-text").all_text_contents()
        return " ".join(words[:-1] if words[-1] == "end" else words)

    @property
    def says(self) -> str:
        return self.page.locator(".cl-say").inner_text()

    @property
    def line(self) -> str:
        return self.page.locator(".cl-line").inner_text()

    def looks(self, row) -> list[str]:
        return [text.strip() for text in row.locator(".cl-look").all_text_contents()]

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def ask(self, name: str) -> None:
        self.page.locator(".cl-key", has_text=name).click()

    def open(self) -> None:
        self.page.locator("summary", has_text="heads: choose").click()

    def take(self, number: int) -> None:
        self.page.locator("select").select_option(index=number)


def test_what_stands_there_at_first_is_pythons_and_the_networks(show, figure):
    piece = Piece(show(figure))
    assert piece.wrote == in_page.SENTENCES[0][1]
    assert piece.line == "Every word is right."
    first = piece.looks(piece.above), piece.heads.first.locator(".cl-cell").count()
    assert first[0][3] == "1"
    assert not piece.heads.first.is_visible()
    assert piece.arcs.count() == 1
    piece.take(1)
    assert piece.wrote == in_page.SENTENCES[1][1]
    piece.take(0)
    piece.below.nth(in_page.STEP).click()
    assert (piece.looks(piece.above), piece.heads.first.locator(".cl-cell").count()) == first
    assert piece.wrote == in_page.SENTENCES[0][1]
    assert "After “Brief” it writes “getragen”" in piece.says
    assert "looks most at “carried”, 1.00" in piece.says


def test_each_sentence_comes_out_as_the_page_says(show, figure, stored):
    piece = Piece(show(figure))
    wrong = []
    for i, (_, right) in enumerate(in_page.SENTENCES):
        piece.take(i)
        assert (piece.line == "Every word is right.") == (piece.wrote == right)
        if piece.wrote != right:
            wrong.append(i)
            assert piece.line == f"right {right}"
    assert wrong == [4, 5, 7]
    assert piece.below.count() == in_page.MOST
    assert piece.wrote.endswith("im großen jungen Mann im großen jungen Mann im")


def test_a_head_is_chosen_and_switched_off_by_mouse_and_by_keys(show, figure, stored):
    piece = Piece(show(figure))
    piece.open()
    names = [f"cross.1.{h}" for h in range(HEADS)]
    for h, name in enumerate(names):
        piece.heads.nth(HEADS + h).click()
        piece.press(f"Switch layer 2, head {h + 1} off")
        words = in_page.SENTENCES[0][0].split()
        (wanted,) = translate(
            without(stored.model, names[: h + 1]), [words], *stored.tokenizers, max_length=40
        )
        assert piece.wrote == " ".join(wanted.target.words), name
    piece.press("All heads on")
    assert piece.arcs.count() == 1
    piece.press("Switch layer 2, head 4 off")
    assert piece.wrote == in_page.SENTENCES[0][1]
    assert "layer 2, head 4 is off. With heads off it writes the same words" in piece.says
    assert piece.arcs.count() == 0
    assert set(piece.looks(piece.above)) == {""}
    for h in range(HEADS - 1):
        piece.heads.nth(HEADS + h).click()
        piece.press(f"Switch layer 2, head {h + 1} off")
    assert piece.wrote != in_page.SENTENCES[0][1]
    assert "With heads off word" in piece.says
    assert piece.page.locator(".cl-changed").count() == 1
    assert f"with every head {in_page.SENTENCES[0][1]}" in piece.line
    assert "off" in piece.heads.nth(HEADS).get_attribute("aria-label")
    button = piece.page.get_by_role("button", name="All heads on")
    button.focus()
    piece.page.page.keyboard.press("Enter")
    assert piece.wrote == in_page.SENTENCES[0][1]
    assert button.is_disabled()
    # What the page says: without this one head it stutters.
    piece.ask("German → German")
    piece.heads.first.click()
    piece.press("Switch layer 1, head 1 off")
    assert piece.wrote == "eine eine eine Frau getragen getragen ."
    piece.press("All heads on")
    piece.ask("German → English")
    piece.heads.first.focus()
    piece.page.page.keyboard.press("Enter")
    assert piece.heads.first.get_attribute("aria-pressed") == "true"
    assert "layer 1, head 1 looks most" in piece.says


def test_a_sentence_turns_round_without_the_head_that_finds_the_links(show, figure):
    """What the page says: the kings hear the man, and the *not* is gone."""
    piece = Piece(show(figure))
    piece.take(3)
    assert piece.wrote == in_page.SENTENCES[3][1]
    piece.open()
    piece.heads.nth(HEADS + 3).click()
    piece.press("Switch layer 2, head 4 off")
    assert "den die Könige hört" in piece.wrote
    assert "nicht" not in piece.wrote


def test_the_three_uses_ask_their_own_words(show, figure):
    piece = Piece(show(figure))
    piece.open()
    below = piece.page.locator(".cl-below .cl-word")
    piece.ask("German → German")
    assert set(piece.looks(piece.above)) == {""}
    # A step has read what stands before it, and nothing later.
    seen = piece.looks(below)
    assert any(seen[: in_page.STEP + 1])
    assert set(seen[in_page.STEP + 1 :]) == {""}
    # Lines lead to what is read, and stay between the two rows of words.
    assert piece.arcs.count() == sum(bool(share) for share in seen)
    tops, bottoms = zip(
        *piece.arcs.evaluate_all(
            "all => all.map(e => e.getBBox()).map(box => [box.y, box.y + box.height])"
        ),
        strict=True,
    )
    board, above, under = (
        piece.page.locator(f".cl-{part}").bounding_box() for part in ("board", "above", "below")
    )
    assert min(tops) >= above["y"] + above["height"] - board["y"]
    assert max(bottoms) == pytest.approx(under["y"] - board["y"], abs=1)
    piece.above.nth(3).click()
    assert "asks its own sentence" in piece.says
    shares = piece.looks(piece.above)
    assert piece.arcs.count() == sum(bool(share) for share in shares) - bool(shares[3])
    assert set(piece.looks(below)) == {""}
    piece.below.nth(4).click()
    assert "it writes “Brief”" in piece.says
    assert piece.arcs.count() >= 1


def test_it_plays_word_by_word_from_an_empty_line(show, figure):
    piece = Piece(show(figure))
    later = piece.page.locator(".cl-below .cl-later")
    assert later.count() == 0
    piece.press("Step")
    assert "Nothing is written yet" in piece.says
    assert later.count() == piece.below.count() == 8
    assert set(piece.looks(piece.above)) == {""}
    piece.press("Step")
    assert later.count() == 7
    assert "After “start” it writes “eine”" in piece.says
    for _ in range(7):
        piece.press("Step")
    assert later.count() == 0
    assert "it writes “end”" in piece.says
    piece.press("Reset")
    assert "it writes" in piece.says
    piece.press("Play")
    piece.press("Pause")
    assert later.count() > 0


def test_a_sentence_of_ones_own_is_written_or_refused_in_words(show, figure):
    piece = Piece(show(figure))
    piece.page.locator("summary", has_text="Your own").click()
    field = piece.page.locator("input[type=text]")
    field.fill("Anna reads a letter")
    piece.press("Write it")
    assert piece.wrote == "Anna liest einen Brief ."
    assert piece.page.locator("select option:checked").inner_text() == "(your own)"
    assert piece.line.strip() == ""
    for sentence, said in {
        "Anna reads a newspaper": "does not know “newspaper”",
        " ": "Wanted a sentence",
        "the dog " * 15: "Wanted at most 22 words, got 31",
    }.items():
        field.fill(sentence)
        piece.press("Write it")
        assert said in piece.says
        assert piece.wrote == "Anna liest einen Brief ."
    piece.press("Reset")
    assert piece.wrote == in_page.SENTENCES[0][1]


def test_the_table_holds_the_map_of_the_chosen_head(show, figure):
    piece = Piece(show(figure))
    piece.open()
    piece.press("Show all numbers")
    table = piece.page.locator("table")
    assert table.locator("caption").inner_text() == "German → English, layer 2, head 4 (weights)"
    before = table.locator("td").all_text_contents()
    piece.heads.first.click()
    assert table.locator("caption").inner_text() == "German → English, layer 1, head 1 (weights)"
    assert table.locator("td").all_text_contents() != before
    assert table.locator("tbody tr").count() == 8
