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
from tests.book.piece import Piece, middle

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


class Translator(Piece):
    """The figure on a page, used by what a reader sees."""

    def __init__(self, page) -> None:
        super().__init__(page, "translator")

    def words(self, row: str) -> list[str]:
        return self.find(f".cl-{row} .cl-text").all_inner_texts()

    def settled(self) -> list[str]:
        """The translation, once it has been translated back."""
        self.find(".cl-line b").wait_for(timeout=60_000)
        return self.words("below")

    def ask(self, way: int, text: str) -> list[str]:
        self.find("fieldset").first.locator("input").nth(way).check()
        self.type(text)
        self.find(".cl-above", has_text=text.split()[1]).wait_for()
        return self.settled()

    def type(self, text: str) -> None:
        self.find("input[type=text]").fill(text)
        self.press("Translate")

    def change(self) -> None:
        self.find("summary", has_text="Change").click()

    def example(self, name: str) -> list[str]:
        """What a key among the sentences to try brings."""
        self.press(name)
        self.find(".cl-watch b", has_text=name).wait_for()
        self.find(".cl-board:not(.cl-stale)").wait_for()
        return self.settled()

    @property
    def back(self) -> str:
        return self.find(".cl-line [lang]").inner_text()

    def place(self, row: str, word: str):
        return self.find(f".cl-{row} .cl-word").nth(self.words(row).index(word))


@pytest.fixture
def translator(show, figure):
    return Translator(show(figure))


@pytest.mark.parametrize("beams", [1, 4])
def test_it_writes_what_pytorch_writes_there_and_back(translator, network, beams):
    translator.change()
    translator.find("input[type=range]").fill(str(beams))
    search = partial(beam, beams=beams) if beams > 1 else greedy
    for way, text in SENTENCES[beams > 1 :: 2]:
        there, back = in_page.WAYS[way], in_page.WAYS[1 - way]
        (right,) = translate(
            network.model, [f"{there.mark} {text}"], *network.tokenizers, search=search
        )
        (again,) = translate(network.model, [f"{back.mark} {right.text}"], *network.tokenizers)
        assert translator.ask(way, text) == [*right.target.words, "end"]
        assert translator.back == again.text


def test_the_answer_is_next_to_the_input_and_steps_aside_as_one_types(translator):
    own, answer = translator.find("input[type=text]"), translator.find(".cl-answer")
    translator.ask(*SENTENCES[0])
    assert answer.inner_text() == "in German Eine Frau mit Hut liest auf einer Bank ein Buch."
    for width in (1280, 390):
        translator.page.set_viewport_size({"width": width, "height": 844})
        box, below = own.bounding_box(), answer.bounding_box()
        assert 0 <= below["y"] - box["y"] - box["height"] <= 40
    own.fill("A woman")
    assert "cl-stale" in answer.get_attribute("class")
    own.fill(SENTENCES[0][1])
    assert "cl-stale" not in answer.get_attribute("class")


def test_the_way_back_shows_a_mistake_and_hides_another(translator):
    translator.example("Back in English")
    assert translator.back == "An old man holds a flower around his brother."
    words = translator.example("Invented word")
    assert {"Junge", "Schach", "Großfeder"} < {*words}
    assert "with his grandfather" in translator.back
    # Those alone are underlined that no token spells as a whole.
    for row in (".cl-answer .cl-pieced", ".cl-below .cl-pieced .cl-text"):
        assert translator.texts(row) == ["Schach", "Großfeder"]
    translator.place("below", "Großfeder").click()
    assert "pieces, Groß·f·eder, and may have invented it" in translator.says


def test_the_examples_of_beams_and_heads_show_what_they_say(translator):
    assert "um einen braunen Hund zu werfen" in " ".join(translator.example("Beams"))
    assert translator.back.endswith("to throw a brown dog.")
    translator.find("input[type=range]").fill("2")
    translator.find(".cl-answer", has_text="zu einem braunen Hund").wait_for()
    translator.settled()
    assert translator.back == "A boy throws a ball to a brown dog."
    translator.example("Heads")
    translator.place("below", "einem").click()
    assert "the mean of all heads looks most at “a”" in translator.says
    translator.find("select").select_option(label="layer 2, head 1")
    assert "layer 2, head 1 looks most at “ball”" in translator.says


def test_the_examples_of_looks_that_are_changed_show_what_they_say(translator):
    translator.example("Cover a word")
    translator.find("label", has_text="is covered").click()
    for word, covered in (("woman", "“woman”."), ("hat", "“woman”, “hat”.")):
        translator.place("above", word).click()
        translator.until(f"Covered: {covered}")
        made = translator.settled()
        assert "Mann" in made
        assert "Hut" in made
    before = translator.example("Drag a look")
    assert before[:2] == ["Eine", "Frau"]
    x, y = middle(translator.find(".cl-below .cl-word").nth(1))
    translator.drag((x, y - 6), middle(translator.place("above", "bench")))
    translator.find(".cl-forced").wait_for()
    assert translator.settled()[:2] == ["Eine", "Bank"]
    assert "because you said so" in translator.says
    translator.press("Undo all")
    translator.find(".cl-forced").wait_for(state="detached")
    assert translator.settled() == before


def test_the_other_examples_show_what_they_say(translator):
    translator.example("No caption")
    assert "Parliament" not in translator.back
    translator.example("From German")
    assert translator.words("above")[0] == "2en"
    assert translator.find(".cl-answer").inner_text().startswith("in English A little girl")


def test_a_covered_word_is_masked(translator, network, monkeypatch):
    # In the page the other words keep their positions; PyTorch would count only the real ones.
    monkeypatch.setattr(transformer, "places", lambda mask: torch.arange(mask.shape[1]))
    way, text = SENTENCES[0]
    translator.ask(way, text)
    translator.change()
    translator.find("label", has_text="is covered").click()
    translator.place("above", "woman").click()
    source = network.tokenizer.encode(f"{in_page.WAYS[way].mark} {text}")
    ids = torch.tensor([[*source.ids, END]])
    mask = torch.tensor([[*(source.words[i] != "woman" for i in source.word_of_token), True]])
    found = greedy(network.model, ids, mask, max_length=60)
    right = network.tokenizer.from_ids(found.ids[0]).words
    assert right[:2] == ["Ein", "Mann"]
    translator.find(".cl-below", has_not_text="Frau").wait_for()
    assert translator.settled() == [*right, "end"]


def test_the_input_is_answered_before_it_is_translated(translator):
    own, hint = translator.find("input[type=text]"), translator.find(".cl-hint")
    own.fill("der Hund und die Katze sind im Garten")
    assert "looks like German" in hint.inner_text()
    hint.get_by_role("button").click()
    assert translator.settled()[:3] == ["Dog", "and", "cat"]
    own.fill("Ein Mann mit 😀 .")
    assert "cannot read “😀”" in hint.inner_text()
    own.fill("Ein Mann lacht. Wo ist mein Hund?")
    assert "one sentence at a time" in hint.inner_text()
    for text, said in ((" ", "Wanted a sentence"), ("word " * 59, "at most 80 tokens")):
        translator.type(text)
        assert said in translator.says


def test_its_sentence_is_in_the_address_and_reset_leads_back(translator, show, figure):
    stage = translator.find(".cl-stage")
    opened = stage.inner_text()
    made = translator.ask(*SENTENCES[3])
    address = address_of(translator.page)
    assert address.startswith("#translator=1~Zwei")
    again = Translator(show(figure, at=address))
    again.find(".cl-above", has_text="Bauarbeiter").wait_for()
    assert again.settled() == made
    translator.press("Reset")
    assert stage.inner_text() == opened
    assert translator.root.get_by_role("radio", name="English to German").is_checked()
    assert address_of(translator.page) == ""


def test_it_is_accessible_and_fits_and_its_table_stands_without_a_script_and_on_paper(show, figure):
    still = show(figure, java_script_enabled=False)
    assert still.locator(".cl-asleep").is_visible()
    assert still.locator(".cl-translator table").is_visible()
    page = show(figure)
    for width in (900, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert_accessible_and_fits(page, width)
    page.emulate_media(media="print")
    assert page.locator(".cl-translator table").is_visible()
    assert page.locator(":is(.cl-controls, .cl-fold, .cl-say):visible").count() == 0
