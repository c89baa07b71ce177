"""What holds for every figure of the catalogue: its controls, its address, its table, its looks."""

import re
from importlib.resources import files

import pytest

from course_lab.experiments.real import in_page as real
from course_lab.figures.bare import declared
from course_lab.figures.touch.core import web_file
from tests.book.catalogue import MADE, html
from tests.book.checks import DARK, PHONE, address_of, assert_accessible_and_fits

pytestmark = pytest.mark.browser

# What a reader can use, where it stands, and whether anything else is shown afterwards. All of it
# runs in the page: what is shown may be half a megabyte.
HANDS = """() => {
    const root = document.querySelector('.cl-fig');
    const kinds = 'button, summary, select, input, [role=application], [role=button]';
    const all = () => [...root.querySelectorAll(kinds)].filter(e => !e.matches(':disabled')
        && e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().width);
    const named = e => [e.tagName, e.type || '',
        e.getAttribute('aria-label') || (e.labels && e.labels[0] || e).textContent].join(' ');
    const row = e => e.closest('table, [role=group], svg, fieldset, .cl-controls, form');
    // A last line "(your own)" is hidden, and no list of a system offers it.
    const offered = e => [...e.options].filter(one => !one.hidden).length;
    // Texts, marks, shapes and values, without the room that is kept for them.
    const shown = () => {
        const copy = root.cloneNode(true);
        copy.querySelectorAll('.cl-say, .cl-stage').forEach(e => e.removeAttribute('style'));
        copy.querySelectorAll('script, style').forEach(e => e.remove());
        const values = [...root.querySelectorAll('input, select')].map(e => [e.value, e.checked]);
        const open = [...root.querySelectorAll('details')].map(e => e.open);
        return JSON.stringify([copy.outerHTML, values, open]);
    };
    const keys = {radio: 'Space', checkbox: 'Space', application: 'ArrowLeft'};
    let before = '';
    window.hands = {
        names: () => all().map(named),
        // Of many that are alike, such as the words of a row or the cells of a table, the ends.
        chosen: () => {
            const now = all(), rows = [...new Set(now.map(row))];
            const kind = e => [rows.indexOf(row(e)), e.tagName, e.type, e.classList[0]].join();
            const groups = Map.groupBy(now.keys(), i => kind(now[i]));
            const few = g => g.length > 4 && !now[g[0]].closest('.cl-controls')
                ? [g[0], g.at(-1)] : g;
            return [...groups.values()].flatMap(few).sort((a, b) => a - b);
        },
        // Words before a control may have come or gone, and the control itself too.
        aim: ([place, told, once, by]) => {
            const now = all(), names = now.map(named);
            const alone = once && names.filter(name => name === told).length === 1;
            const e = names[place] === told ? now[place] : alone && now[names.indexOf(told)];
            if (!e) return null;
            before = shown();
            const kind = e.type || e.getAttribute('role');
            if (by === 'keys') {
                e.focus();
                const end = kind === 'range' ? e.value === e.max
                    : e.options && e.selectedIndex >= offered(e) - 1;
                const arrow = {range: ['ArrowRight', 'ArrowLeft'],
                    'select-one': ['ArrowDown', 'ArrowUp']}[kind];
                const key = arrow ? arrow[Number(end)] : keys[kind] ?? 'Enter';
                return {key, lost: e !== document.activeElement};
            }
            if (e.options) {  // what opens is the system's own list
                e.selectedIndex = (e.selectedIndex + 1) % offered(e);
                for (const event of ['input', 'change']) {
                    e.dispatchEvent(new Event(event, {bubbles: true}));
                }
                return {};
            }
            const target = kind === 'radio' ? e.parentElement : e;
            target.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'});
            const box = target.getClientRects()[0] ?? target.getBoundingClientRect();
            const wide = kind !== 'range' ? 0.5 : (e.value - e.min) / (e.max - e.min) > 0.5
                ? 0.25 : 0.75;
            const x = box.x + box.width * wide;
            const y = box.y + (kind === 'range' ? 4 : box.height / 2);
            const hit = document.elementFromPoint(x, y);
            return {x, y, lost: kind !== 'application' && !target.contains(hit)};
        },
        seen: async () => {
            // Some answer a moment later, when a network has read.
            if (shown() === before) await new Promise(done => setTimeout(done, 60));
            const off = [...document.querySelectorAll('.cl-fig *')].filter(e => {
                const box = e.getBoundingClientRect();
                return box.width && (box.left < 0 || box.right > innerWidth)
                    && !e.closest('.cl-scroll');
            }).map(e => e.outerHTML.slice(0, 80));
            const wide = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
            return [shown() !== before, [...wide, ...off]];
        },
    };
}"""
STAGE = "document.querySelector('.cl-stage').innerText"
ODD = ("", "x", "-1", "9.9.9.9.9", "99", "0.0.99.0.1", "%ff", "1.5.", "0~99~t99")
AFTER_ODD = """async ([kind, texts, opened]) => {
    const stage = document.querySelector('.cl-stage'), wrong = [];
    for (const text of texts) {
        await new Promise(done => {
            addEventListener('hashchange', () => setTimeout(done), {once: true});
            location.hash = `#${kind}=${text}`;
        });
        for (let turn = 0; turn < 50 && stage.innerText !== opened; turn += 1) {
            await new Promise(done => setTimeout(done, 20));
        }
        if (stage.innerText !== opened) wrong.push(text);
    }
    return wrong;
}"""
NO_KEYS = ("gaze", "writer")
"""Whose Reset stands for the sentence that was chosen, or tells of the word that it opens on."""
ALONE = ("translator",)
"""Whose network is megabytes, and answers in seconds: its own tests ask all of this."""


class Figure:
    """A figure on a phone whose controls are used one after the other, `by` a finger or keys."""

    def __init__(self, show, kind: str, by: str = "finger", **more) -> None:
        more = {"width": PHONE, "has_touch": True, "reduced_motion": "reduce", **more}
        self.page, self.by = show(html(kind), **more), by
        # Networks are there before anything is measured.
        self.page.locator(".cl-fig").dispatch_event("pointerenter")
        self.page.evaluate(HANDS)
        self.names = self.page.evaluate("hands.names()")
        self.chosen = self.page.evaluate("hands.chosen()")
        self.opened = self.page.evaluate(STAGE)

    def use(self, place: int) -> bool:
        """Whether something else is shown after the control at this place was used."""
        name = self.names[place]
        asked = [place, name, self.names.count(name) == 1, self.by]
        if (how := self.page.evaluate("asked => hands.aim(asked)", asked)) is None:
            self.page.get_by_role("button", name="Reset").tap()
            now = self.page.evaluate("hands.names()")
            asked[1:3] = [now[place] if place < len(now) else "", False]
            if (how := self.page.evaluate("asked => hands.aim(asked)", asked)) is None:
                return False
        assert not how.get("lost"), f"{name} is covered or takes no focus"
        if "key" in how:
            self.page.keyboard.press(how["key"])
        elif how:
            self.page.touchscreen.tap(how["x"], how["y"])
        changed, off_screen = self.page.evaluate("hands.seen()")
        assert off_screen == [], name
        return changed

    def answers(self, place: int) -> bool:
        """It does, or it does after another one was used: Reset, and what is chosen already."""
        others = sorted(set(self.chosen) - {place}, key=lambda other: abs(other - place))
        return self.use(place) or any(self.use(other) and self.use(place) for other in others)


@pytest.mark.parametrize("by", ["finger", "keys"])
@pytest.mark.parametrize("kind", MADE)
def test_every_control_answers_and_reset_leads_back(show, kind, by):
    figure = Figure(show, kind, by)
    # What is dragged is no key; a finger that only taps it, or the ground of a text, moves nothing.
    still = ("g ", "DIV  The text")
    used = [i for i in figure.chosen if by == "keys" or not figure.names[i].startswith(still)]
    assert [figure.names[i] for i in used if not figure.answers(i)] == []
    resets = [i for i, told in enumerate(figure.names) if "Reset" in told]
    assert resets
    if kind not in NO_KEYS:
        figure.use(resets[0])
        assert figure.page.evaluate(STAGE) == figure.opened


@pytest.mark.parametrize("kind", MADE)
def test_its_state_is_in_the_address_and_nonsense_is_passed_over(show, kind):
    figure = Figure(show, kind)
    page, opened = figure.page, figure.opened
    assert page.evaluate("location.hash") == ""
    passive = ("Reset", "numbers", "SUMMARY")
    used = [n for n in figure.chosen if not any(word in figure.names[n] for word in passive)]
    address, made = "", opened
    # Some eight from the first to the last: that each answers is asked by the test above.
    for place in used[:: -(-len(used) // 8)]:
        figure.use(place)
        # The last control may lead back to what the figure opened on.
        if now := address_of(page):
            address, made = now, page.evaluate(STAGE)
    assert address.startswith(f"#{kind}=")
    again = Figure(show, kind, at=address).page
    again.wait_for_function(f"text => {STAGE} === text", arg=made)
    odd = Figure(show, kind, at=f"#{kind}=%").page
    assert odd.evaluate(AFTER_ODD, [kind, ODD, opened]) == []


@pytest.mark.parametrize("kind", MADE)
def test_it_is_accessible_and_fits(show, kind):
    body = f"{html(kind)}<h2 id='here' style='color:#777'>Here</h2>"
    page = show(body, reduced_motion="reduce")
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
    low = page.evaluate(
        "[...document.querySelectorAll('.cl-fig :is(label, select, button)')].filter(e => "
        "{ const box = e.getBoundingClientRect(); return box.width && box.height < 23; })"
        ".map(e => e.outerHTML.slice(0, 80))"
    )
    assert low == []


def test_without_a_script_every_table_stands_and_says_how_to_wake_it(show):
    page = show("".join(map(html, MADE)), java_script_enabled=False)
    asleep = page.locator(".cl-asleep")
    assert asleep.count() == len(MADE)
    assert asleep.first.inner_text().startswith("To touch this figure, run its cell")
    for figure in page.locator(".cl-fig").all():
        assert figure.locator("table").first.is_visible()
        assert figure.locator("table caption").first.inner_text()
    assert page.locator(".cl-fig :is(input, select, button)").count() == 0


def test_on_paper_the_tables_stand_and_the_ground_is_light(show):
    page = show("".join(map(html, MADE)), html=DARK)
    assert page.locator(".cl-asleep").count() == 0
    page.emulate_media(media="print")
    for figure in page.locator(".cl-fig").all():
        assert figure.locator("table:visible").count(), figure.get_attribute("class")
    assert page.locator(":is(.cl-controls, .cl-fold, .cl-say):visible").count() == 0
    grounds = page.locator(".cl-fig").evaluate_all(
        "all => all.map(e => getComputedStyle(e).backgroundColor + getComputedStyle(e).color)"
    )
    assert set(grounds) == {"rgb(255, 255, 255)rgb(0, 0, 0)"}


def test_the_catalogue_is_whole_and_every_web_file_is_used():
    """Each script of a figure stands in it, and each name that a script declares in a figure."""
    whole = "".join(map(html, MADE)) + real.show()._repr_html_()
    for name in (f.name for f in files("course_lab.figures.touch").iterdir()):
        if name.endswith(".css"):
            assert web_file(name) in whole, name
        elif name.endswith(".js"):
            text = files("course_lab.figures.touch").joinpath(name).read_text(encoding="utf-8")
            assert [n for n in declared(text) if not re.search(rf"\b{n}\b", whole)] == [], name
    scripts = [f for f in files("course_lab.figures.touch").iterdir() if f.name.endswith(".js")]
    kinds = {f.name[:-3] for f in scripts if f"{f.name[:-3]}Figure(figure, data)" in f.read_text()}
    assert kinds == {*MADE, *ALONE}
