"""Drive a figure through a table: what a reader does, where to look, and what is there then.

A row is (verb, arguments ..., selector, expected). `expected` is a text that the one element there
contains, a list of the texts of all elements there, or how many there are; with a selector such as
`.cl-map@aria-label` it is the value of that attribute.
"""

from playwright.sync_api import expect

expect.set_options(timeout=60_000)
SAY = ".cl-say"
STAGE = "document.querySelector('.cl-stage').innerText"
STATE = "'#' + [...courseStates.texts].map(one => one.join('=')).join('&')"
NONSENSE = ("", "x", "-1", "9.9.9.9.9", "99", "%ff", "0~99~t99")


def drive(root, rows) -> None:
    """Carry out each row on a figure and check what it expects."""
    for row in rows:
        verb, *arguments, selector, expected = row
        ACTIONS[verb](root, *arguments)
        _check(root, selector, expected, str(row))


def _check(root, selector: str, expected, message: str) -> None:
    selector, _, attribute = selector.partition("@")
    looked = expect(root.locator(selector), message)
    if attribute:
        looked.to_have_attribute(attribute, expected)
    elif isinstance(expected, int):
        looked.to_have_count(expected)
    elif isinstance(expected, list):
        looked.to_have_text(expected)
    else:
        looked.to_contain_text(expected)


def middle(part) -> tuple[float, float]:
    """The point in the middle of an element."""
    box = part.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(root, grip: str, to: str | tuple[int, int]) -> None:
    """Drag an element with the mouse onto another one, or by some pixels."""
    mouse, (x, y) = root.page.mouse, middle(root.locator(grip))
    mouse.move(x, y)
    mouse.down()
    end = middle(root.locator(to)) if isinstance(to, str) else (x + to[0], y + to[1])
    mouse.move(*end, steps=6)
    mouse.up()


def swipe(page, *points: tuple[float, float]) -> None:
    """Move a finger from point to point."""
    session = page.context.new_cdp_session(page)
    for number, (x, y) in enumerate(points):
        kind = "touchMove" if number else "touchStart"
        touch = {"type": kind, "touchPoints": [{"x": x, "y": y}]}
        session.send("Input.dispatchTouchEvent", touch)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def _type(root, text: str) -> None:
    box = root.get_by_role("textbox")
    if not box.is_visible():
        root.locator("summary", has_text="Your own").click()
    box.fill(text)
    box.press("Enter")


def _keys(root, names: str) -> None:
    for name in names.split():
        root.page.keyboard.press(name)


ACTIONS = {
    "see": lambda root: None,
    "press": lambda root, name: root.get_by_role("button", name=name, exact=True).click(),
    "choose": lambda root, name: root.get_by_role("radio", name=name, exact=True).check(force=True),
    "check": lambda root, name, on: root.get_by_role("checkbox", name=name).set_checked(on),
    "take": lambda root, name, index: root.get_by_role(
        "combobox", name=name, exact=True
    ).select_option(index=index),
    "slide": lambda root, name, value: root.get_by_role("slider", name=name).fill(value),
    "click": lambda root, selector: root.locator(selector).click(),
    "tap": lambda root, selector: root.locator(selector).tap(),
    "point": lambda root, selector: root.locator(selector).hover(),
    "focus": lambda root, selector: root.locator(selector).focus(),
    "keys": _keys,
    "fill": lambda root, text: root.get_by_role("textbox").fill(text),
    "type": _type,
    "drag": drag,
}


HASHES = """async hashes => {
    for (const hash of hashes) {
        const heard = new Promise(done => addEventListener('hashchange', done, {once: true}));
        location.hash = hash;
        await heard;
    }
}"""


def check_figure(
    show, html: str, kind: str, rows, *, resets: bool = True, nonsense: tuple[str, ...] = NONSENSE
) -> None:
    """Drive a figure by a table; then check its address, its Reset and its folded tables."""
    page = show(html)
    root, opened = page.locator(".cl-fig"), page.evaluate(STAGE)
    drive(root, rows)
    page.wait_for_function(f"location.hash === {STATE}")
    address, made = page.evaluate("location.hash"), page.evaluate(STAGE)
    assert address.startswith(f"#{kind}=")
    show(html, at=address).wait_for_function(f"made => {STAGE} === made", arg=made)
    root.get_by_role("button", name="Reset", exact=True).click()
    page.wait_for_function("location.hash === ''")
    if resets:
        page.wait_for_function(f"opened => {STAGE} === opened", arg=opened)
        page.evaluate(HASHES, [f"#{kind}={text}" for text in nonsense])
        assert page.evaluate(STAGE) == opened
    for fold in root.locator("button.cl-fold:visible").all():
        tables = root.locator("table:visible").count()
        fold.click()
        expect(fold).to_have_attribute("aria-expanded", "true")
        assert root.locator("table:visible").count() > tables
