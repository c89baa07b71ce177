"""The translator of real sentences writes what PyTorch writes, and each control does its part."""

import pytest
from playwright.sync_api import expect

from course_lab.experiments.real import in_page, networks
from course_lib.decoding.beam import beam
from course_lib.decoding.greedy import greedy
from course_lib.evaluation.translate import translate
from tests.book.driver import ACTIONS, NONSENSE, SAY, check_figure

ANSWER, BACK, HINT, LEFT = (
    ".cl-answer",
    ".cl-line:not(.cl-stale)",
    ".cl-hint",
    ".cl-board:not(.cl-stale)",
)
WRITTEN = ".cl-below .cl-word:has-text('{}') >> nth=0"
READ = ".cl-above .cl-word:has-text('{}') >> nth=0"
TITLE = ".cl-watch b"
ROWS = [
    ("press", "Back in English", BACK, "An old man holds a flower around his brother."),
    ("press", "Invented word", BACK, "with his grandfather"),
    ("see", ".cl-answer .cl-pieced", ["Schach", "Großfeder"]),
    ("click", WRITTEN.format("Großfeder"), SAY, "pieces, Groß·f·eder, and may have invented it"),
    ("press", "Beams", BACK, "to throw a brown dog."),
    ("slide", "Beams", "2", BACK, "A boy throws a ball to a brown dog."),
    ("press", "Heads", TITLE, "Heads"),
    ("see", BACK, "back in English"),
    ("click", WRITTEN.format("einem"), SAY, "the mean of all heads looks most at “a”"),
    ("take", "Show", 5, SAY, "layer 2, head 1 looks most at “ball”"),
    ("press", "Cover a word", TITLE, "Cover a word"),
    ("see", BACK, "back in English"),
    ("choose", "is covered", ".cl-board:not(.cl-stale)", 1),
    ("click", READ.format("woman"), SAY, "Covered: “woman”."),
    ("see", ANSWER, "Mann"),
    ("see", BACK, "back in English"),
    ("click", READ.format("hat"), SAY, "Covered: “woman”, “hat”."),
    ("see", ANSWER, "Mann"),
    ("press", "Drag a look", ANSWER, "Eine Frau"),
    ("see", BACK, "back in English"),
    ("drag", ".cl-below .cl-text >> nth=1", READ.format("bench"), ANSWER, "Eine Bank"),
    ("see", SAY, "because you said so"),
    ("press", "Undo all", ANSWER, "Eine Frau"),
    ("see", ".cl-forced", 0),
    ("press", "No caption", BACK, "back in English"),
    ("press", "From German", ANSWER, "in English A little girl"),
    ("see", BACK, "back in German"),
    ("choose", "English to German", ANSWER, "in German "),
    ("fill", "Ein Mann mit 😀 .", HINT, "cannot read “😀”"),
    ("fill", "der Hund und die Katze sind im Garten", HINT, "looks like German"),
    ("click", ".cl-hint button", ANSWER, "in English Dog and cat"),
    ("fill", "Ein Mann lacht. Wo ist mein Hund?", HINT, "one sentence at a time"),
    ("type", " ", SAY, "Wanted a sentence"),
    ("type", "word " * 59, SAY, "at most 80 tokens"),
    ("type", "Zwei Bauarbeiter stehen auf einem Gerüst.", ANSWER, "Two construction workers"),
    ("see", BACK, "back in German"),
    ("click", "summary", "details[open]", 0),
]
SENTENCES = [
    (0, 1, "A woman with a hat is reading a book on a bench."),
    (1, 1, "Ein Hund läuft über eine grüne Wiese und fängt einen Ball."),
    (0, 4, "Three children don’t want to leave the swimming pool."),
]


@pytest.fixture(scope="module")
def figure() -> str:
    return in_page.show()._repr_html_()


def test_figure(show, figure):
    # A direction and any text is a state of this figure.
    check_figure(show, figure, "translator", ROWS, nonsense=NONSENSE[:-1])


def test_it_writes_what_pytorch_writes_there_and_back(show, figure):
    network = networks.load(in_page.NAME)
    root = show(figure).locator(".cl-fig")
    root.locator("summary", has_text="Change").click()
    for way, beams, text in SENTENCES:
        there, back = in_page.WAYS[way], in_page.WAYS[1 - way]
        ACTIONS["choose"](root, ("English to German", "German to English")[way])
        ACTIONS["slide"](root, "Beams", str(beams))

        def search(*arguments, **options):
            chosen = beam if beams > 1 else greedy  # noqa: B023
            more = {"beams": beams} if beams > 1 else {}  # noqa: B023
            return chosen(*arguments, **more, **options)

        asked = [f"{there.mark} {text}"]
        (right,) = translate(network.model, asked, *network.tokenizers, search=search)
        (again,) = translate(network.model, [f"{back.mark} {right.text}"], *network.tokenizers)
        ACTIONS["type"](root, text)
        expect(root.locator(".cl-below .cl-text")).to_have_text([*right.target.words, "end"])
        expect(root.locator(".cl-line [lang]")).to_have_text(again.text)
