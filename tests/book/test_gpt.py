"""The GPT in the page writes what PyTorch writes, and its dials and looks are PyTorch's."""

import pytest
import torch

from course_lab.experiments.gpt import in_page, shakespeare
from course_lab.experiments.lab.world import one_thread
from course_lab.figures.touch.dials import ROWS, SETTINGS, Dials
from course_lab.figures.touch.gpt import visible
from course_lab.figures.touch.nextword import Place, next_word
from course_lib.decoding.sample import kept_probabilities
from tests.book.driver import SAY, check_figure

BARD = in_page.load()
FIGURE = in_page.show(BARD)._repr_html_()
LONGEST = shakespeare.LENGTH
_WORDS = [
    "end",
    "eine",
    "Frau",
    "sieht",
    "den",
    "Hund",
    "Katze",
    "die",
    "Mann",
    "ein",
    "das",
]
NEXT_WORDS = [
    Place(_WORDS[1 : 1 + t], [((5 * i + 3 * t) % 11) / 4 for i in range(11)]) for t in range(4)
]
NEXT_WORD_FIGURE = next_word(
    _WORDS,
    NEXT_WORDS,
    {
        name: kept_probabilities(torch.tensor(NEXT_WORDS[1].logits), **setting).tolist()
        for name, setting in SETTINGS.items()
    },
    dials=Dials(0.8, 5, 0.9),
    opened=1,
)
NEXT_WORD = NEXT_WORD_FIGURE._repr_html_()


def logits_after(text: str) -> torch.Tensor:
    with torch.inference_mode(), one_thread():
        logits = BARD.model(torch.tensor([BARD.alphabet.encode(text)]))[0, -1]
        logits[:4] = -torch.inf
    return logits


class Page:
    """The figure on a page, used by what a reader sees."""

    def __init__(self, page):
        self.page, self.root = page, page.locator(".cl-gpt")

    @property
    def text(self) -> str:
        return self.root.locator(".cl-text").text_content().replace("↵", "")

    @property
    def says(self) -> str:
        return self.root.locator(".cl-say").inner_text()

    def begin(self, text: str) -> None:
        self.root.locator("textarea").fill(text)

    def turn(self, dial: int, value: float) -> None:
        self.root.locator("input[type=range]").nth(dial).fill(str(value))

    def press(self, name: str) -> None:
        self.root.get_by_role("button", name=name, exact=True).click()

    def column(self, dial: int) -> list[str]:
        return self.root.locator(".cl-dials .cl-share").all_inner_texts()[dial::3]


@pytest.fixture
def gpt(show):
    return Page(show(FIGURE))


def test_it_writes_what_pytorch_writes_beyond_its_longest_window_too(gpt):
    own = "JULIET:\nO "
    gpt.turn(1, 1)  # top-k 1 is greedy
    gpt.begin(own)
    gpt.press("Play")
    text = gpt.text
    assert text.startswith(own)
    assert len(text) == len(own) + 200
    ids, best = torch.tensor(BARD.alphabet.encode(text)), {}
    for first in (0, LONGEST // 2, LONGEST):  # where the window begins that it reads
        with torch.inference_mode(), one_thread():
            logits = BARD.model(ids[None, first : first + LONGEST])[0]
            best[first] = logits[:, 4:].argmax(-1) + 4
    for place in range(len(own), len(text)):
        over = max(0, place - LONGEST)
        first = -(-over // (LONGEST // 2)) * (LONGEST // 2)
        assert best[first][place - 1 - first] == ids[place], text[:place]
    assert gpt.root.locator(".cl-lost").count() == LONGEST


@pytest.mark.parametrize("text", [in_page.BEGINNING, "To be, or not to b"])
def test_the_dials_are_those_of_the_library(gpt, text):
    gpt.begin(text)
    logits = logits_after(text)
    likely = logits.topk(ROWS).indices
    for warm, k, p in ((0.8, 5, 0.9), (0.3, 21, 0.6), (2.0, 3, 1.0), (0.1, 1, 0.05)):
        for dial, value in enumerate((warm, k, p)):
            gpt.turn(dial, value)
        dials = {"temperature": warm}
        for dial, more in enumerate(({}, {"top_k": k if k < 21 else 65}, {"top_p": p})):
            dials |= more
            share = kept_probabilities(logits, **dials)
            *shown, others = gpt.column(dial)
            assert [0.0 if one == "cut" else float(one) for one in shown] == pytest.approx(
                share[likely].tolist(), abs=0.0051
            )
            assert [one == "cut" for one in shown] == (share[likely] == 0).tolist()
            assert (others == "cut") == (float(share.sum() - share[likely].sum()) < 1e-6)


def test_what_a_head_reads_is_pytorchs_at_every_character(gpt):
    text = "KING:\nWhat, ho!\nI am"
    gpt.begin(text)
    ids = torch.tensor([BARD.alphabet.encode(text)])
    with torch.inference_mode(), one_thread():
        maps = BARD.model.attention_maps(ids)
    gpt.root.locator("summary").click()
    for layer, head, place in ((1, 2, 19), (3, 0, 8), (0, 3, 18)):
        gpt.press(f"layer {layer + 1}, head {head + 1}")
        gpt.root.locator(".cl-text > span").nth(place).click()
        shades = gpt.root.locator(".cl-text > span").evaluate_all(
            "all => all.map(e => Number(e.style.getPropertyValue('--w')))"
        )
        expected = maps[layer][0, head, place].tolist()
        assert shades == pytest.approx(expected, abs=0.0051)
        most = max(range(place + 1), key=expected.__getitem__)
        back = f"{place - most} back" if most < place else "where it stands"
        assert f"{expected[most]:.2f}, {back}." in gpt.says
    gpt.root.locator(".cl-text").press("ArrowLeft")
    assert "Here came “a”" in gpt.says


def test_what_it_does_not_know_is_answered_at_the_input(gpt):
    hint, own = gpt.root.locator(".cl-hint"), gpt.root.locator("textarea")
    for typed, said in {
        "Romeo 4 é": "It has never read “4”, “é”. It knows the letters",
        "": "Type at least one character.",
    }.items():
        gpt.begin(typed)
        assert hint.inner_text().startswith(said)
        assert own.get_attribute("aria-invalid") == "true"
        assert gpt.text == in_page.BEGINNING
    gpt.begin("Don’t")  # as a phone types it
    assert hint.inner_text() == ""
    assert own.get_attribute("aria-invalid") == "false"
    assert gpt.text == "Don't"


def test_the_next_word_of_a_translator_has_the_same_dials(show):
    page = show(NEXT_WORD)
    page.get_by_label("Written so far").select_option(index=2)
    page.locator("input[type=range]").nth(1).fill("2")
    logits = torch.tensor(NEXT_WORDS[2].logits)
    share = kept_probabilities(logits, temperature=0.8, top_k=2, top_p=0.9)
    most = logits.topk(ROWS).indices
    shown = page.locator(".cl-dials .cl-share").all_inner_texts()[2::3][:-1]
    assert [0.0 if one == "cut" else float(one) for one in shown] == pytest.approx(
        share[most].tolist(), abs=0.0051
    )
    assert "After “eine Frau” 2 of 11 words can be drawn" in page.locator(".cl-say").inner_text()


def test_its_table_holds_each_dial_alone(show):
    page = show(FIGURE, script=False)
    table = page.locator("table")
    assert visible(in_page.BEGINNING).strip() in table.locator("caption").inner_text()
    logits = logits_after(in_page.BEGINNING)
    likely = logits.topk(ROWS).indices
    for n, setting in enumerate(SETTINGS.values()):
        shares = kept_probabilities(logits, **setting)[likely].tolist()
        shown = table.locator(f"tbody td:nth-child({n + 2})").all_inner_texts()
        assert shown == [f"{share:.2f}" for share in shares]


TEXT, SHARES, LEFT = ".cl-text >> nth=0", ".cl-dials .cl-share", "tbody .cl-share"
TABLES = {
    "gpt": (lambda: FIGURE, [
        ("press", "To be, or not to", TEXT, "To be, or not to"),
        ("slide", "top-k", "1", ".cl-dials", "cut"),
        ("press", "Step", TEXT, "To be, or not to "),
        ("see", SAY, "Next"),
        ("press", "xyzzy xyzzy xyz", TEXT, "xyzzy xyzzy xyz"),
        ("press", "KING HENRY:↵", TEXT, "KING HENRY:"),
        ("slide", "temperature", "0.5", "output >> nth=0", "0.50"),
        ("slide", "top-p", "0.5", "output >> nth=2", "0.50"),
        ("click", "summary", ".cl-head:visible", 16),
        ("press", "layer 2, head 3", ".cl-head[aria-pressed=true]", ["layer 2, head 3"]),
        ("click", "summary", ".cl-head:visible", 0),
    ]),
    "nextword": (lambda: NEXT_WORD, [
        ("see", SAY, "After “eine” 4 of 11 words can be drawn, “Mann” with probability 0.38."),
        ("take", "Written so far", 2, SAY, "After “eine Frau”"),
        ("slide", "top-k", "2", SAY, "After “eine Frau” 2 of 11 words can be drawn"),
        ("slide", "temperature", "2", "output >> nth=0", "2.00"),
        ("slide", "top-p", "0.1", SAY, "1 of 11 words can be drawn"),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("kind", TABLES)
def test_figure(show, kind):
    make, rows = TABLES[kind]
    check_figure(show, make(), kind, rows)
