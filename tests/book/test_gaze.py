"""The network that runs in the page: it computes what PyTorch computes, and it can be steered."""

import base64
import gzip
import re
from dataclasses import replace

import pytest
import torch

from course_lab.experiments.bahdanau import in_page
from course_lab.figures.touch.core import SHARED
from course_lib.data.mini_world import grammar
from course_lib.data.tokens.tokenizer import END, PAD, START
from course_lib.decoding.greedy import greedy
from course_lib.evaluation.translate import translate
from course_lib.models.bahdanau import Bahdanau
from course_lib.recurrent.cells import gru_update
from tests.book.checks import address_of, net_fetched_by_touch, scripts

pytestmark = pytest.mark.browser

SENTENCES = 1000
HOME = "book/index.html"
OPENS = ("book/index.html",)


@pytest.fixture(scope="module")
def stored():
    return in_page.load()


@pytest.fixture(scope="module")
def model(stored):
    return in_page.rebuilt(stored)


@pytest.fixture(scope="module")
def figure():
    return in_page.show(0)._repr_html_()


@pytest.fixture(scope="module")
def opening():
    """The figure as the pages open on it."""
    return in_page.show()._repr_html_()


@pytest.fixture(scope="module")
def net(chromium):
    """A page in which `net` is the network of the script."""
    page = chromium.new_page()
    page.evaluate(
        f"base64 => {{ {scripts('maths', 'net', 'bahdanau')};"
        " net = attentionNet(readTensors(base64).tensors); }",
        base64.b64encode(in_page.STORED.read_bytes()).decode(),
    )
    yield page
    page.close()


def ids_of(stored, words) -> list[int]:
    known = {word: i for i, word in enumerate(stored.words["source"])}
    return [*(known[word] for word in words), END]


def written(net, sentences, options="{}") -> list[list[int]]:
    return net.evaluate(
        f"all => all.map(ids => net.write(ids, {options}).map(step => step.token))", sentences
    )


def test_the_page_writes_what_pytorch_writes(net, stored, model):
    pairs = grammar.sample("test", SENTENCES, seed=29, min_words=4, max_words=50, vocabulary="tiny")
    tokenizers = in_page.tokenizers(stored)
    wanted = translate(model, [pair.source for pair in pairs], *tokenizers, max_length=100)
    here = [ids_of(stored, pair.source) for pair in pairs]
    found = [row for i in range(0, SENTENCES, 50) for row in written(net, here[i : i + 50])]
    differ = [i for i in range(SENTENCES) if found[i] != wanted[i].target.ids]
    assert len(found) == SENTENCES
    assert differ == []


def test_weights_are_those_of_pytorch(net, stored, model):
    words = stored.families[3][2]["en"].split()
    (wanted,) = translate(model, [words], *in_page.tokenizers(stored), return_attention=True)
    found = net.evaluate("ids => net.write(ids).map(step => step.weights)", ids_of(stored, words))
    torch.testing.assert_close(torch.tensor(found), wanted.weights, rtol=0, atol=1e-4)


class Covered(Bahdanau):
    """Its encoder reads every word; its attention sees those of the mask alone."""

    def encode(self, source, source_mask):
        return replace(super().encode(source, torch.ones_like(source_mask)), mask=source_mask)


def test_a_covered_word_has_no_weight_and_the_rest_is_pytorchs(net, stored, model):
    covered = Covered(model.config)
    covered.load_state_dict(model.state_dict())
    for family in stored.families[:6]:
        ids = ids_of(stored, family[1]["en"].split())
        source = torch.tensor(ids).expand(len(ids), -1)
        open_words = ~torch.eye(len(ids), dtype=torch.bool)  # row j: word j is covered
        wanted = greedy(covered.eval(), source, open_words, max_length=100).ids
        for place in range(len(ids)):
            found = written(net, [ids], f"{{covered: new Set([{place}])}}")[0]
            assert found == wanted[place]


def test_a_forced_look_takes_that_annotation_alone(net, stored, model):
    ids = ids_of(stored, stored.families[0][0]["en"].split())
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
            found = net.evaluate(
                "([ids, place]) => net.write(ids, {looks: new Map([[0, place]])})[0]", [ids, place]
            )
            assert found["token"] == logits.argmax()
            assert found["weights"] == [float(j == place) for j in range(len(ids))]


def swipe(page, *points) -> None:
    """A finger goes from point to point, as the screen tells the browser."""
    session = page.context.new_cdp_session(page)
    for number, (x, y) in enumerate(points):
        kind = "touchMove" if number else "touchStart"
        place = [{"x": x, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": place})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


class Piece:
    """The figure on a page, in a reader's words."""

    def __init__(self, page) -> None:
        self.page = page
        self.above = page.locator(".cl-above .cl-word")
        self.below = page.locator(".cl-below .cl-word")

    @property
    def wrote(self) -> str:
        return " ".join(self.below.locator(".cl-text").all_text_contents())

    @property
    def says(self) -> str:
        return self.page.locator(".cl-say").inner_text()

    def awake(self) -> "Piece":
        self.page.get_by_role("button", name="Reset").click()
        return self

    def more(self) -> "Piece":
        self.page.locator(".cl-more summary").click()
        return self

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def drag(self, start, end, *, steps: int = 6) -> None:
        """With the mouse, which stays down."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=steps)

    @property
    def colours(self) -> set[str]:
        """Of the curves in sight."""
        every = "all => all.map(e => getComputedStyle(e).stroke)"
        return set(self.page.locator(".cl-arcs path").evaluate_all(every))

    @property
    def curves(self) -> int:
        return self.page.locator(".cl-arcs path").count()

    @staticmethod
    def middle(word) -> tuple[float, float]:
        box = word.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_what_stands_there_at_first_is_what_the_network_writes(show, figure, stored):
    piece = Piece(show(figure))
    first = piece.wrote
    assert first == stored.families[0][0]["de"]
    glosses = piece.below.locator(".cl-gloss").all_text_contents()
    assert glosses[:2] == ["the", "man"]
    assert piece.awake().wrote == first
    assert "Every word is right" in piece.says


def test_the_pages_open_on_a_sentence_that_one_vector_turns_round(show, opening, stored):
    piece = Piece(show(opening))
    entry = stored.families[in_page.OPENING][0]
    assert piece.wrote == entry["de"] == "die alten Pferde haben die großen jungen Hunde gefunden ."
    lines = piece.page.locator(".cl-line")
    assert "die jungen Hunde haben die großen alten Pferde" in lines.nth(1).inner_text()
    assert sorted(lines.nth(1).locator("em").all_inner_texts()) == sorted(
        ["jungen", "Hunde", "alten", "Pferde"]
    )
    struck = (
        lines.nth(1).locator("em").first.evaluate("e => getComputedStyle(e).textDecorationLine")
    )
    assert struck == "line-through"
    # What the network writes is right: that line would say it twice.
    assert lines.nth(0).is_hidden()
    board = piece.page.locator(".cl-board").bounding_box()
    assert lines.nth(1).bounding_box()["y"] < board["y"]


def test_the_opening_sentence_does_what_the_page_says_of_it(show, opening):
    piece = Piece(show(opening)).awake()
    free = piece.wrote
    found, horses = piece.above.nth(4), piece.above.nth(2)
    assert (found.inner_text(), horses.inner_text()) == ("found", "horses")
    found.click()
    assert piece.wrote == free
    assert "Nothing changes" in piece.says
    found.click()
    horses.click()
    assert piece.wrote == free.replace("Pferde", "Kinder")
    horses.click()
    big, old = piece.below.nth(5), piece.above.nth(1)
    assert big.locator(".cl-text").inner_text() == "großen"
    piece.drag(piece.middle(big), piece.middle(old))
    piece.page.mouse.up()
    assert piece.wrote == "die alten Pferde haben die alten Pferde gefunden ."


@pytest.mark.parametrize("width", [1280, 390])
def test_a_drag_marks_no_text_and_moves_nothing_below(show, opening, width):
    piece = Piece(show(opening, width=width)).awake()
    figure = piece.page.locator(".cl-fig")
    high = figure.bounding_box()["height"]
    start = piece.middle(piece.page.locator(".cl-ring").nth(5))
    for place in (10, 8, 3, 1, 0):
        piece.drag(start, piece.middle(piece.above.nth(place)))
        piece.page.mouse.up()
        assert "Step 6 must look" in piece.says
        assert figure.bounding_box()["height"] == high
        assert piece.page.evaluate("getSelection().toString()") == ""
    piece.drag(start, (5, 5))
    piece.page.mouse.up()
    assert piece.page.evaluate("getSelection().toString()") == ""


def test_on_a_phone_the_looks_of_one_word_are_drawn_and_the_word_is_marked(show, opening):
    piece = Piece(show(opening, width=390))
    marked = piece.page.locator(".cl-at .cl-text")
    assert marked.all_inner_texts() == ["großen"]
    curves = piece.page.locator(".cl-arcs path")
    strong = curves.evaluate_all(
        "all => all.filter(e => e.getAttribute('stroke-width') > 3).length"
    )
    assert (strong, 1 <= curves.count() < 7) == (1, True)
    assert "big" in piece.page.locator(".cl-seen").inner_text()
    piece.awake().below.nth(2).focus()
    assert marked.all_inner_texts() == ["Pferde"]


def test_covering_a_word_writes_the_rest_anew(show, figure):
    piece = Piece(show(figure)).awake()
    before = piece.wrote
    paul = piece.above.filter(has_text="Paul")
    paul.click()
    assert paul.get_attribute("aria-pressed") == "true"
    assert "Paul" not in piece.wrote
    assert "New:" in piece.says
    assert (
        piece.below.locator(".cl-text")
        .nth(4)
        .evaluate("e => getComputedStyle(e).textDecorationLine")
        == "underline"
    )
    paul.focus()
    piece.page.keyboard.press("Enter")
    assert piece.wrote == before


@pytest.mark.parametrize("touch", [False, True])
def test_a_look_is_dragged_to_another_word(show, figure, touch):
    piece = Piece(show(figure, has_touch=touch)).awake()
    start, end = piece.middle(piece.below.nth(1)), piece.middle(piece.above.nth(8))
    if touch:
        x, y = piece.middle(piece.page.locator(".cl-ring").nth(1))
        swipe(piece.page, (x, y), (x + 20, y - 20), end)
    else:
        piece.drag(start, end)
        piece.page.mouse.up()
    assert "must look at “book”" in piece.says
    assert "cl-forced" in piece.below.nth(1).get_attribute("class")
    assert piece.wrote.split()[1] == "Buch"
    piece.below.nth(1).click()
    assert piece.wrote.split()[1] == "Mann"


def test_a_finger_on_the_german_words_scrolls_the_page(show, figure):
    page = show(figure + "<div style='height:3000px'></div>", width=390, has_touch=True)
    piece = Piece(page).awake()
    x, y = piece.middle(piece.below.nth(1))
    swipe(page, (x, y + 4), *((x, y + 4 - 20 * i) for i in range(1, 8)))
    page.wait_for_function("window.scrollY > 60")
    assert "must look" not in piece.says
    ring = page.locator(".cl-ring").nth(1).bounding_box()
    assert ring["width"] >= 32
    assert ring["height"] >= 28


def test_something_follows_a_ring_that_is_dragged(show, figure):
    piece = Piece(show(figure)).awake()
    (x, y), book = piece.middle(piece.below.nth(1)), piece.above.nth(8)
    piece.drag((x, y), (x + 60, y - 70))
    assert piece.page.locator(".cl-thread").count() == 1
    piece.page.mouse.up()
    assert "on an English word" in piece.says
    assert piece.page.locator(".cl-thread").count() == 0
    piece.drag((x, y), piece.middle(book))
    assert "cl-drop" in book.get_attribute("class")
    piece.page.mouse.up()
    assert "cl-drop" not in book.get_attribute("class")
    piece.page.mouse.move(*piece.middle(piece.below.nth(1)))
    assert "click it to let go" in piece.says


def test_the_table_holds_what_the_picture_shows(show, figure):
    piece = Piece(show(figure)).awake().more()
    piece.press("Show all numbers")
    heads = piece.page.locator("tbody th:first-child")
    piece.above.filter(has_text="Paul").click()
    assert " ".join(heads.all_text_contents()) == piece.wrote
    covered = piece.page.locator("tbody tr td:nth-of-type(6)").all_text_contents()
    assert set(covered) == {""}
    piece.page.get_by_role("combobox").select_option(index=4)
    assert " ".join(heads.all_text_contents()) == piece.wrote
    english = piece.page.locator("thead th").all_text_contents()
    assert english == piece.above.all_text_contents()


def test_what_is_said_and_what_is_drawn_follow_the_word_that_is_pointed_at(show, figure):
    piece = Piece(show(figure)).awake()
    said, drawn = piece.says, piece.curves
    heard = piece.below.nth(5)
    heard.hover()
    assert piece.says.startswith("Step 6: “gehört”, looks most at “heard” (0.")
    assert piece.page.locator(".cl-faint").count() > 0
    piece.page.mouse.move(5, 5)
    assert piece.says == said
    assert (piece.curves, piece.page.locator(".cl-faint, .cl-here").count()) == (drawn, 0)
    heard.click()
    piece.page.mouse.move(5, 5)
    assert piece.says.startswith("Step 6:")
    piece.page.keyboard.press("Escape")
    assert piece.page.locator(".cl-faint").count() == 0


def test_a_shorter_translation_moves_nothing_below(show, figure):
    piece = Piece(show(figure, width=390)).awake()
    board, word = piece.page.locator(".cl-board"), piece.below.nth(1)
    high, tall = (part.bounding_box()["height"] for part in (board, word))
    piece.below.nth(1).focus()
    for _ in range(7):
        piece.page.keyboard.press("ArrowRight")
    assert piece.wrote.split()[1] == "Buch"
    assert board.bounding_box()["height"] == high
    assert word.bounding_box()["height"] == tall


def test_the_script_is_small():
    made = scripts(*SHARED, "net", "words", "table", "sentence", "bahdanau", "gaze")
    assert len(gzip.compress(made.encode())) <= 15_000


def test_arrow_keys_move_a_look_and_escape_lets_it_go(show, figure):
    piece = Piece(show(figure)).awake()
    before = piece.wrote
    piece.below.nth(1).focus()
    for _ in range(7):
        piece.page.keyboard.press("ArrowRight")
    assert "must look at “book”" in piece.says
    assert piece.wrote.split()[1] == "Buch"
    assert piece.below.nth(1).evaluate("e => e === document.activeElement")
    piece.page.keyboard.press("Escape")
    assert piece.wrote == before


def test_a_sentence_grows_and_the_line_below_with_it(show, figure, stored):
    piece = Piece(show(figure)).awake().more()
    slider = piece.page.get_by_role("slider")
    for length in (3, 6):
        slider.fill(str(length + 1))
        entry = stored.families[0][length]
        assert piece.wrote == entry["de"]
        lines = piece.page.locator(".cl-line").all_inner_texts()
        assert entry["de"] in lines[0]
        assert entry["one vector"] in re.sub(r"\s+", " ", lines[1])
        assert piece.page.locator("em").count() > 2
        assert slider.get_attribute("aria-valuetext") == f"{len(entry['en'].split())} words"
    piece.page.get_by_role("combobox").select_option(index=4)
    assert piece.wrote == stored.families[4][6]["de"]


def test_a_sentence_may_be_typed_and_an_unknown_word_is_told(show, figure):
    piece = Piece(show(figure)).awake().more()
    box = piece.page.get_by_role("textbox")
    box.fill("The small dog sleeps")
    piece.page.keyboard.press("Enter")
    assert piece.wrote == "der kleine Hund schläft ."
    box.fill("the purple dog sleeps .")
    piece.page.keyboard.press("Enter")
    assert "does not know “purple”" in piece.says
    assert piece.wrote == "der kleine Hund schläft ."
    box.fill("the dog " * 30)
    piece.page.keyboard.press("Enter")
    assert "Wanted at most 50 words, got 61" in piece.says
    menu = piece.page.get_by_role("combobox")
    assert menu.evaluate("e => e.selectedOptions[0].textContent") == "(your own)"
    menu.select_option(index=0)
    assert menu.locator("option:not([hidden])").count() == menu.locator("option").count() - 1


def test_it_plays_step_by_step_and_with_reduced_motion_at_once(show, figure):
    piece = Piece(show(figure)).awake()
    step = piece.page.get_by_role("button", name="Step")
    visible = piece.page.locator(".cl-below .cl-word:not(.cl-later)")
    step.click()
    assert visible.count() == 1
    assert "Step 1: “der”" in piece.says
    step.click()
    assert visible.count() == 2
    assert piece.page.locator(".cl-here").count() >= 1
    piece.page.get_by_role("button", name="Play").click()
    piece.page.wait_for_function(
        "document.querySelectorAll('.cl-below .cl-word:not(.cl-later)').length >= 3"
    )
    piece.press("Pause")
    out = visible.count()
    piece.press("Play")
    assert visible.count() == out + 1
    piece.page.locator("button:text-is('Play')").wait_for()
    assert piece.page.locator(".cl-faint, .cl-here").count() == 0
    assert "Every word is right" in piece.says
    calm = Piece(show(figure, reduced_motion="reduce")).awake()
    calm.page.get_by_role("button", name="Play").click()
    assert calm.page.locator(".cl-later").count() == 0
    assert "asks for little motion" in calm.says


def test_without_script_a_line_says_so_and_the_page_has_its_colours(visit):
    page = visit(HOME, script=False).page
    assert page.locator(".cl-gaze .cl-asleep").bounding_box()["height"] > 10
    ground = "getComputedStyle(document.documentElement).getPropertyValue('--course-code-ground')"
    assert page.evaluate(ground)


def test_on_the_home_page_its_weights_come_when_it_is_touched(visit):
    visited = visit(HOME)
    page = visited.page
    with net_fetched_by_touch(visited):
        piece = Piece(page).awake()
        page.wait_for_function("document.querySelector('.cl-say').textContent.includes('right')")
        piece.above.filter(has_text="horses").click()
    assert "Pferde" not in piece.wrote
    address = address_of(page)
    assert address.startswith("#gaze=")
    again = visit(f"{HOME}{address}").page
    again.wait_for_function("document.querySelectorAll('.cl-covered').length === 1")
    assert "Pferde" not in Piece(again).wrote


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_fold_of_the_home_page_holds_the_fact_the_piece_and_the_way_in(visit, width, height):
    page = visit(HOME, width).page
    assert "one vector" in page.locator(".lede").inner_text()
    assert page.locator(".cl-board").bounding_box()["height"] > 100
    button = page.locator(".start a").first.bounding_box()
    assert button["y"] + button["height"] <= height


def test_on_a_phone_the_keys_of_the_home_page_come_when_it_is_touched(visit):
    page = visit(HOME, 390).page
    keys = page.locator(".cl-gaze .cl-keys button")
    assert keys.locator("visible=true").count() == 0
    piece, board = Piece(page), page.locator(".cl-board")
    parts = [board, *piece.above.all(), page.locator(".cl-gaze select"), page.locator(".cl-say")]
    places = [part.bounding_box() for part in parts]
    piece.drag(piece.middle(page.locator(".cl-ring").nth(5)), piece.middle(piece.above.nth(1)))
    page.mouse.up()
    page.wait_for_function("document.querySelector('.cl-say').textContent.includes('must look')")
    # They stand below what is said, so that nothing that was there has moved.
    assert [part.bounding_box() for part in parts] == places
    assert keys.all_inner_texts() == ["Play", "Step", "Reset"]
    edge = places[-1]["y"] + places[-1]["height"]
    for key in keys.all():
        box = key.bounding_box()
        assert edge <= box["y"]
        assert box["x"] + box["width"] <= 390
    assert page.locator(".cl-forced").count() == 1
    piece.press("Reset")
    assert page.locator(".cl-forced").count() == 0
    piece.press("Step")
    assert page.locator(".cl-below .cl-word:not(.cl-later)").count() == 1
    assert [part.bounding_box() for part in parts] == places


def test_it_works_from_a_folder(chromium, built):
    from tests.book.checks import HTML

    page = chromium.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((HTML / HOME).as_uri())
    piece = Piece(page).awake()
    page.wait_for_function("document.querySelector('.cl-say').textContent.includes('right')")
    piece.above.filter(has_text="horses").click()
    assert "Pferde" not in piece.wrote
    assert complaints == []
    page.close()
