"""The translator in the page writes what PyTorch writes, and does what is asked of its looks."""

from functools import partial

import pytest
import torch

from course_lab.experiments.real import in_page, networks
from course_lib.data.tokens.tokenizer import END
from course_lib.decoding.beam import beam
from course_lib.decoding.greedy import greedy
from course_lib.evaluation.translate import translate
from course_lib.models import transformer
from tests.book.checks import address_of, assert_accessible_and_fits

pytestmark = pytest.mark.browser

SENTENCES = [
    (0, "A woman with a hat is reading a book on a bench."),
    (0, "Three children don’t want to leave the swimming pool."),
    (1, "Ein Hund läuft über eine grüne Wiese und fängt einen Ball."),
    (1, "Zwei Bauarbeiter stehen auf einem Gerüst."),
]


@pytest.fixture(scope="module")
def figure():
    return in_page.show()._repr_html_()


@pytest.fixture(scope="module")
def network():
    return networks.load(in_page.NAME)


class Translator:
    """The figure on a page, used by what a reader sees."""

    def __init__(self, page):
        self.page, self.root = page, page.locator(".cl-translator")

    def words(self, row: str) -> list[str]:
        return self.root.locator(f".cl-{row} .cl-text").all_inner_texts()

    def settled(self) -> list[str]:
        """The translation, once it has been translated back."""
        self.page.wait_for_function(
            "document.querySelector('.cl-translator .cl-line b') !== null", timeout=60_000
        )
        return self.words("below")

    def ask(self, way: int, text: str) -> list[str]:
        self.root.locator("fieldset").first.locator("input").nth(way).check()
        self.root.locator("input[type=text]").fill(text)
        self.root.get_by_role("button", name="Translate", exact=True).click()
        self.page.wait_for_function(
            "text => document.querySelector('.cl-translator .cl-above').textContent.includes(text)",
            arg=text.split()[1],
        )
        return self.settled()

    def press(self, row: str, word: str) -> None:
        self.root.locator(f".cl-{row} .cl-word").nth(self.words(row).index(word)).click()


@pytest.fixture
def translator(show, figure):
    return Translator(show(figure, width=900))


@pytest.mark.parametrize("beams", [1, 4])
def test_it_writes_what_pytorch_writes_there_and_back(translator, network, beams):
    translator.root.locator("summary", has_text="Change").click()
    translator.root.locator("input[type=range]").fill(str(beams))
    search = partial(beam, beams=beams) if beams > 1 else greedy
    for way, text in SENTENCES:
        there, back = in_page.WAYS[way], in_page.WAYS[1 - way]
        (right,) = translate(
            network.model, [f"{there.mark} {text}"], *network.tokenizers, search=search
        )
        (again,) = translate(network.model, [f"{back.mark} {right.text}"], *network.tokenizers)
        assert translator.ask(way, text) == [*right.target.words, "end"]
        assert translator.root.locator(".cl-line [lang]").inner_text() == again.text


def test_a_covered_word_is_masked(translator, network, monkeypatch):
    # In the page the other words keep their positions; PyTorch would count only the real ones.
    monkeypatch.setattr(transformer, "places", lambda mask: torch.arange(mask.shape[1]))
    way, text = SENTENCES[0]
    translator.ask(way, text)
    translator.root.locator("summary", has_text="Change").click()
    translator.root.locator("label", has_text="is covered").click()
    translator.press("above", "woman")
    source = network.tokenizer.encode(f"{in_page.WAYS[way].mark} {text}")
    ids = torch.tensor([[*source.ids, END]])
    mask = torch.tensor([[*(source.words[i] != "woman" for i in source.word_of_token), True]])
    found = greedy(network.model, ids, mask, max_length=60)
    right = network.tokenizer.from_ids(found.ids[0]).words
    assert right[:2] == ["Ein", "Mann"]
    translator.page.wait_for_function(
        "!document.querySelector('.cl-translator .cl-below').textContent.includes('Frau')"
    )
    assert translator.settled() == [*right, "end"]


def test_a_word_that_is_dragged_onto_another_looks_there(translator):
    before = translator.ask(*SENTENCES[0])
    assert before[:2] == ["Eine", "Frau"]
    boxes = [
        translator.root.locator(f".cl-{row} .cl-word").nth(place).bounding_box()
        for row, place in (("below", 1), ("above", translator.words("above").index("bench")))
    ]
    mouse = translator.page.mouse
    for box, act in zip(boxes, (mouse.down, mouse.up), strict=True):
        mouse.move(box["x"] + box["width"] / 2, box["y"] + 9)
        act()
    translator.page.wait_for_function(
        "document.querySelectorAll('.cl-translator .cl-forced').length === 1"
    )
    assert translator.settled()[:2] == ["Eine", "Bank"]
    assert "because you said so" in translator.root.locator(".cl-say").inner_text()
    translator.root.locator("summary", has_text="Change").click()
    translator.root.get_by_role("button", name="Undo all").click()
    translator.page.wait_for_function("!document.querySelector('.cl-translator .cl-forced')")
    assert translator.settled() == before


def test_the_input_is_answered_before_it_is_translated(translator):
    own, hint = translator.root.locator("input[type=text]"), translator.root.locator(".cl-hint")
    own.fill("der Hund und die Katze sind im Garten")
    assert "looks like German" in hint.inner_text()
    hint.get_by_role("button").click()
    assert translator.settled()[:3] == ["Dog", "and", "cat"]
    own.fill("Ein Mann mit 😀 .")
    assert "cannot read “😀”" in hint.inner_text()
    own.fill(" ")
    translator.root.get_by_role("button", name="Translate", exact=True).click()
    assert translator.root.locator(".cl-say").inner_text().startswith("Wanted a sentence")
    own.fill("word " * 59)
    translator.root.get_by_role("button", name="Translate", exact=True).click()
    assert "at most" in translator.root.locator(".cl-say").inner_text()


def test_its_sentence_is_in_the_address_and_reset_leads_back(translator, show, figure):
    stage = translator.root.locator(".cl-stage")
    opened = stage.inner_text()
    made = translator.ask(*SENTENCES[3])
    address = address_of(translator.page)
    assert address.startswith("#translator=1~Zwei")
    again = Translator(show(figure, width=900, at=address))
    again.root.locator(".cl-above", has_text="Bauarbeiter").wait_for()
    assert again.settled() == made
    translator.root.get_by_role("button", name="Reset").click()
    assert stage.inner_text() == opened
    assert translator.root.get_by_role("radio", name="English to German").is_checked()
    assert address_of(translator.page) == ""


def test_its_table_stands_without_a_script_and_on_paper(show, figure, translator):
    still = show(figure, java_script_enabled=False)
    assert still.locator(".cl-asleep").is_visible()
    assert still.locator(".cl-translator table").is_visible()
    translator.page.emulate_media(media="print")
    assert translator.root.locator("table").is_visible()
    assert translator.root.locator(":is(.cl-controls, .cl-fold, .cl-say):visible").count() == 0


@pytest.mark.parametrize("width", [900, 390])
def test_it_is_accessible_and_fits(show, figure, width):
    assert_accessible_and_fits(show(figure, width=width), width)
