"""What holds for every figure of the catalogue: its controls, its address, its table, its looks."""

import pytest

from tests.book.catalogue import FIGURES
from tests.book.checks import DARK, PHONE, address_of, assert_accessible_and_fits

pytestmark = pytest.mark.browser

ALL = "".join(FIGURES.values())
CONTROLS = (
    ".cl-fig :is(button, summary, select, input, [role=application], [role=button])"
    ":not(:disabled):visible"
)
NAMES = """all => all.map(e => [e.tagName, e.type || '',
    e.getAttribute('aria-label') || (e.labels && e.labels[0] || e).textContent].join(' '))"""
# Of many that are alike, such as the words of a row or the cells of a table, the ends.
CHOSEN = """all => {
    const place = e => [e.tagName, e.type, e.classList[0] ?? ''].join();
    const row = e => e.closest('table, [role=group], svg, fieldset, .cl-controls, form');
    const rows = [...new Set(all.map(row))];
    const groups = Map.groupBy([...all.keys()], i => rows.indexOf(row(all[i])) + place(all[i]));
    const few = g => g.length > 4 && !all[g[0]].closest('.cl-controls') ? [g[0], g.at(-1)] : g;
    return [...groups.values()].flatMap(few).sort((a, b) => a - b);
}"""
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
# A last line "(your own)" is hidden, and no list of a system offers it.
OFFERED = "[...e.options].filter(one => !one.hidden).length"
STAGE = "document.querySelector('.cl-stage').innerText"
IS_ON = f"text => {STAGE} === text"
ODD = ("", "x", "-1", "9.9.9.9.9", "99", "0.0.99.0.1", "%", "%ff", "1.5.", "9~9~9", "0~99~t99")
NO_KEYS = ("gaze", "writer")
"""Whose Reset stands for the sentence that was chosen, or tells of the word that it opens on."""
ALONE = ("translator",)
"""Whose network is megabytes, and answers in seconds: its own tests ask all of this."""


class Figure:
    """A figure on a page whose controls are used one after the other, `by` a finger or keys."""

    def __init__(self, page, by: str) -> None:
        self.page, self.by = page, by
        self.names = page.locator(CONTROLS).evaluate_all(NAMES)
        self.chosen = page.locator(CONTROLS).evaluate_all(CHOSEN)

    def use(self, place: int) -> bool:
        """Whether something else is shown after the control at this place was used."""
        if (place := self._found(place)) is None:
            return False
        control = self.page.locator(CONTROLS).nth(place)
        before = self.page.evaluate(SHOWN)
        {"finger": self._tap, "keys": self._press}[self.by](control)
        assert self.page.evaluate("document.documentElement.scrollWidth") <= PHONE
        assert self.page.evaluate(OFF_SCREEN) == []
        return self.page.evaluate(SHOWN) != before

    def _found(self, place: int) -> int | None:
        """Where the control stands now: words before it may have come or gone, and itself too."""
        now, name = self.page.locator(CONTROLS).evaluate_all(NAMES), self.names[place]
        if now[place : place + 1] == [name]:
            return place
        if now.count(name) == self.names.count(name) == 1:
            return now.index(name)
        self.page.get_by_role("button", name="Reset").tap()
        return place if place < self.page.locator(CONTROLS).count() else None

    def answers(self, place: int) -> bool:
        """It does, or it does after another one was used: Reset, and what is chosen already."""
        return self.use(place) or any(
            self.use(other) and self.use(place) for other in self.chosen if other != place
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
            next_one = f"e => (e.selectedIndex + 1) % {OFFERED}"
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
        at_end = f"e => e.value === e.max || e.options && e.selectedIndex >= {OFFERED} - 1"
        arrow = "ArrowLeft" if control.evaluate(at_end) else "ArrowRight"
        keys = {"range": arrow, "radio": "Space", "checkbox": "Space", "application": "ArrowLeft"}
        if kind == "select-one":
            keys[kind] = "ArrowUp" if control.evaluate(at_end) else "ArrowDown"
        self.page.keyboard.press(keys.get(kind, "Enter"))


def phone(show, kind: str, **more):
    page = show(FIGURES[kind], width=PHONE, has_touch=True, reduced_motion="reduce", **more)
    # Networks are there before anything is measured.
    page.locator(".cl-fig").dispatch_event("pointerenter")
    return page


@pytest.mark.parametrize("by", ["finger", "keys"])
@pytest.mark.parametrize("kind", FIGURES)
def test_every_control_answers_and_reset_leads_back(show, kind, by):
    page = phone(show, kind)
    figure, opened = Figure(page, by), page.evaluate(STAGE)
    # What is dragged is no key; a finger that only taps it moves nothing.
    used = [i for i in figure.chosen if by == "keys" or not figure.names[i].startswith("g ")]
    assert [figure.names[i] for i in used if not figure.answers(i)] == []
    resets = [i for i, told in enumerate(figure.names) if "Reset" in told]
    assert resets
    if kind in NO_KEYS:
        return
    figure.use(resets[0])
    assert page.evaluate(STAGE) == opened


@pytest.mark.parametrize("kind", FIGURES)
def test_its_state_is_in_the_address_and_nonsense_is_passed_over(show, kind):
    page = phone(show, kind)
    assert address_of(page) == ""
    figure, opened = Figure(page, "finger"), page.evaluate(STAGE)
    address, made = "", opened
    passive = ("Reset", "numbers", "SUMMARY")
    used = [n for n in figure.chosen if not any(word in figure.names[n] for word in passive)]
    # Some eight from the first to the last: that each answers is asked by the test above.
    for place in used[:: -(-len(used) // 8)]:
        figure.use(place)
        # The last control may lead back to what the figure opened on.
        if now := address_of(page):
            address, made = now, page.evaluate(STAGE)
    assert address.startswith(f"#{kind}=")
    again = phone(show, kind, at=address)
    again.wait_for_function(IS_ON, arg=made)
    odd = phone(show, kind, at=f"#{kind}=%")
    for text in ODD:
        odd.evaluate("hash => { location.hash = hash; }", f"#{kind}={text}")
        odd.wait_for_timeout(20)
        odd.wait_for_function(IS_ON, arg=opened)


@pytest.mark.parametrize("kind", FIGURES)
def test_it_is_accessible_and_fits(show, kind):
    page = show(
        f"{FIGURES[kind]}<h2 id='here' style='color:#777'>Here</h2>", reduced_motion="reduce"
    )
    for fold in page.locator(".cl-fold:visible").all():
        fold.click()
    assert_accessible_and_fits(page, 900)
    page.set_viewport_size({"width": PHONE, "height": 900})
    page.evaluate(
        """() => {
            document.documentElement.dataset.theme = 'dark';
            document.body.style.background = '#14181e';
        }"""
    )
    assert_accessible_and_fits(page, PHONE)
    assert (
        page.evaluate(
            "[...document.querySelectorAll('.cl-fig :is(label, select, button)')].filter(e => "
            "{ const box = e.getBoundingClientRect(); return box.width && box.height < 23; })"
            ".map(e => e.outerHTML.slice(0, 80))"
        )
        == []
    )


def test_without_a_script_every_table_stands_and_says_how_to_wake_it(show):
    page = show(ALL, java_script_enabled=False)
    asleep = page.locator(".cl-asleep")
    assert asleep.count() == len(FIGURES)
    assert asleep.first.inner_text().startswith("To touch this figure, run its cell")
    for figure in page.locator(".cl-fig").all():
        assert figure.locator("table").first.is_visible()
        assert figure.locator("table caption").first.inner_text()
    assert page.locator(".cl-fig :is(input, select, button)").count() == 0


def test_on_paper_the_tables_stand_and_the_ground_is_light(show):
    page = show(ALL, html=DARK)
    assert page.locator(".cl-asleep").count() == 0
    page.emulate_media(media="print")
    for figure in page.locator(".cl-fig").all():
        assert figure.locator("table:visible").count(), figure.get_attribute("class")
    assert page.locator(":is(.cl-controls, .cl-fold, .cl-say):visible").count() == 0
    grounds = page.locator(".cl-fig").evaluate_all(
        "all => all.map(e => getComputedStyle(e).backgroundColor + getComputedStyle(e).color)"
    )
    assert set(grounds) == {"rgb(255, 255, 255)rgb(0, 0, 0)"}


def test_the_catalogue_is_whole():
    """Each script of a figure stands in it."""
    from importlib.resources import files

    scripts = files("course_lab.figures.touch").iterdir()
    kinds = {
        path.name.removesuffix(".js")
        for path in scripts
        if path.name.endswith(".js") and f"{path.name[:-3]}Figure(figure, data)" in path.read_text()
    }
    assert kinds == {*FIGURES, *ALONE}
