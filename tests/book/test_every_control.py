"""Every control of a figure answers a finger on a phone, and the keyboard."""

import pytest

from tests.book.checks import PHONE
from tests.book.test_glances import FIGURE as GLANCES
from tests.book.test_heat import FIGURE as HEAT
from tests.book.test_interactive_figures import FIGURES, show
from tests.book.test_lookup import LOOKUP, SCALE
from tests.book.test_rows import FIGURE as ROWS
from tests.book.test_stack import FIGURE as STACK
from tests.book.test_swap import FIGURE as SWAP
from tests.book.test_unfold import FIGURE as UNFOLD
from tests.book.test_verdict import FIGURE as VERDICT
from tests.book.test_window import FIGURE as WINDOW

__all__ = ["show"]

pytestmark = pytest.mark.browser

TOUCHED = {
    **{name: FIGURES[name]._repr_html_() for name in ("chain", "length")},
    "glances": GLANCES,
    "heat": HEAT,
    "lookup": LOOKUP,
    "rows": ROWS,
    "scale": SCALE,
    "stack": STACK,
    "swap": SWAP,
    "unfold": UNFOLD,
    "verdict": VERDICT,
    "window": WINDOW,
}
CONTROLS = ".cl-fig :is(button, summary, select, input, [role=application]):not(:disabled):visible"
NAMES = """all => all.map(e => [e.tagName, e.type || '',
    e.getAttribute('aria-label') || (e.labels && e.labels[0] || e).textContent].join(' '))"""
# All that is shown, without the room that is kept for it: texts, marks, shapes and values.
SHOWN = """() => {
    const root = document.querySelector('.cl-fig'), copy = root.cloneNode(true);
    copy.querySelectorAll('.cl-say, .cl-stage').forEach(e => e.removeAttribute('style'));
    copy.querySelectorAll('script, style').forEach(e => e.remove());
    const values = [...root.querySelectorAll('input, select')].map(e => [e.value, e.checked]);
    const open = [...root.querySelectorAll('details')].map(e => e.open);
    return JSON.stringify([copy.outerHTML, values, open]);
}"""
OFF_SCREEN = """() => [...document.querySelectorAll('.cl-fig *')].filter(e => {
    const box = e.getBoundingClientRect();
    return box.width && (box.left < 0 || box.right > innerWidth) && !e.closest('.cl-scroll');
}).map(e => e.outerHTML.slice(0, 80))"""


class Figure:
    """A figure on a page whose controls are used one after the other, `by` a finger or keys."""

    def __init__(self, page, by: str) -> None:
        self.page, self.by = page, by
        self.names = page.locator(CONTROLS).evaluate_all(NAMES)

    def use(self, place: int) -> bool:
        """Whether something else is shown after the control at this place was used."""
        if self.page.locator(CONTROLS).evaluate_all(NAMES)[place : place + 1] != [
            self.names[place]
        ]:
            self.page.get_by_role("button", name="Reset").tap()
        control = self.page.locator(CONTROLS).nth(place)
        before = self.page.evaluate(SHOWN)
        {"finger": self._tap, "keys": self._press}[self.by](control)
        assert self.page.evaluate("document.documentElement.scrollWidth") <= PHONE
        assert self.page.evaluate(OFF_SCREEN) == []
        return self.page.evaluate(SHOWN) != before

    def answers(self, place: int) -> bool:
        """It does, or it does after another one was used: Reset, and what is chosen already."""
        return self.use(place) or any(
            self.use(other) and self.use(place) for other in range(len(self.names))
        )

    def _tap(self, control) -> None:
        kind = control.evaluate("e => e.type || e.getAttribute('role')")
        if kind == "radio":
            control.locator("xpath=..").tap()
        elif kind == "range":
            box = control.bounding_box()
            full = control.evaluate("e => (e.value - e.min) / (e.max - e.min)") > 0.5
            control.tap(position={"x": box["width"] * (0.25 if full else 0.75), "y": 4})
        elif kind == "select-one":
            # What opens is the system's own list.
            next_one = "e => (e.selectedIndex + 1) % e.options.length"
            control.select_option(index=control.evaluate(next_one))
        elif kind == "application":
            box = control.bounding_box()
            self.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        else:
            control.tap()

    def _press(self, control) -> None:
        kind = control.evaluate("e => e.type || e.getAttribute('role')")
        control.focus()
        assert control.evaluate("e => e === document.activeElement")
        at_end = "e => e.value === e.max || e.selectedIndex === e.length - 1"
        arrow = "ArrowLeft" if control.evaluate(at_end) else "ArrowRight"
        keys = {"range": arrow, "radio": "Space", "checkbox": "Space", "application": "ArrowLeft"}
        if kind == "select-one":
            keys[kind] = "ArrowUp" if control.evaluate(at_end) else "ArrowDown"
        self.page.keyboard.press(keys.get(kind, "Enter"))


@pytest.mark.parametrize("by", ["finger", "keys"])
@pytest.mark.parametrize("name", TOUCHED)
def test_every_control_answers(show, name, by):
    page = show(TOUCHED[name], width=PHONE, has_touch=True, reduced_motion="reduce")
    figure = Figure(page, by)
    # What is dragged is no key; a finger that only taps it moves nothing.
    dragged = [i for i, told in enumerate(figure.names) if by == "finger" and told.startswith("g ")]
    silent = [
        told for i, told in enumerate(figure.names) if i not in dragged and not figure.answers(i)
    ]
    assert silent == []
    assert any("Reset" in told for told in figure.names)


@pytest.mark.parametrize("name", TOUCHED)
def test_reset_leads_back_to_what_it_opened_on(show, name):
    page = show(TOUCHED[name], width=PHONE, has_touch=True, reduced_motion="reduce")
    stage = "document.querySelector('.cl-stage').innerText"
    figure, opened = Figure(page, "finger"), page.evaluate(stage)
    place = next(i for i, told in enumerate(figure.names) if "Reset" in told)
    for other in range(len(figure.names)):
        if other != place and "numbers" not in figure.names[other]:
            figure.use(other)
    figure.use(place)
    assert page.evaluate(stage) == opened
