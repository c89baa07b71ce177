"""A figure on a page, in a reader's words."""

Point = tuple[float, float]


class Piece:
    """The first figure of a kind, or of any.

    Attributes:
        above: the words of the upper row.
        below: those of the lower one.
    """

    def __init__(self, page, kind: str = "") -> None:
        self.page = page
        self.root = page.locator(f".cl-{kind or 'fig'}").first
        self.above = self.root.locator(".cl-above .cl-word")
        self.below = self.root.locator(".cl-below .cl-word")

    @property
    def says(self) -> str:
        return self.root.locator(".cl-say").inner_text()

    @property
    def wrote(self) -> str:
        """The lower row without its end mark."""
        return " ".join(self.texts(".cl-below .cl-text")).removesuffix(" end")

    @property
    def shares(self) -> list[float]:
        return [float(text) for text in self.texts(".cl-bar-row .cl-share")]

    def find(self, selector: str, **how):
        return self.root.locator(selector, **how)

    def count(self, selector: str) -> int:
        return self.root.locator(selector).count()

    def texts(self, selector: str) -> list[str]:
        return self.root.locator(selector).all_text_contents()

    def rows(self, selector: str) -> list[list[str]]:
        """The texts of the cells of each row."""
        rows = """all => all.map(row => [...row.querySelectorAll('td')]
            .map(e => e.innerText.trim()))"""
        return self.root.locator(selector).evaluate_all(rows)

    def numbers(self, selector: str, attribute: str) -> list[float]:
        read = f"all => all.map(e => Number(e.getAttribute('{attribute}')))"
        return self.root.locator(selector).evaluate_all(read)

    def style(self, selector: str, name: str) -> str:
        return self.root.locator(selector).first.evaluate(f"e => getComputedStyle(e).{name}")

    def button(self, name: str):
        return self.root.get_by_role("button", name=name, exact=True)

    def press(self, *names: str) -> None:
        for name in names:
            self.button(name).click()

    def choose(self, *names: str) -> None:
        for name in names:
            self.root.get_by_role("radio", name=name, exact=True).check(force=True)

    def take(self, number: int, menu: int = 0) -> None:
        self.root.locator("select").nth(menu).select_option(index=number)

    def keys(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)

    def until(self, text: str) -> None:
        """Wait until it says so."""
        self.root.locator(".cl-say", has_text=text).wait_for()

    def drag(self, start: Point, *way: Point, let_go: bool = True) -> None:
        """With the mouse."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        for place in way:
            self.page.mouse.move(*place, steps=6)
        if let_go:
            self.page.mouse.up()

    def swipe(self, *points: Point) -> None:
        """A finger goes from point to point, as the screen tells the browser."""
        session = self.page.context.new_cdp_session(self.page)
        kinds = ["touchStart", *["touchMove"] * (len(points) - 1)]
        for kind, (x, y) in zip(kinds, points, strict=True):
            place = [{"x": x, "y": y}]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": place})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def middle(part) -> Point:
    box = part.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
