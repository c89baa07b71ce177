"""Every figure to touch, once: what the tests of all figures open, with those of its own.

A new figure gets a line here. Pictures of all of them, at two widths, light and dark, to be
compared with those of before: `python -m tests.book.catalogue FOLDER [KIND ...]`.
"""

import sys
from pathlib import Path

from course_lab.experiments.bahdanau import in_page as bahdanau
from course_lab.experiments.seq2seq import in_page as seq2seq
from course_lab.experiments.transformer import in_page as transformer
from tests.book.checks import DARK, LIGHT, page_of
from tests.book.test_asking import FIGURE as ASKING
from tests.book.test_beams import FIGURE as BEAMS
from tests.book.test_cost import FIGURE as COST
from tests.book.test_forecast import FIGURE as FORECAST
from tests.book.test_glances import FIGURE as GLANCES
from tests.book.test_gpt import FIGURE as GPT
from tests.book.test_gpt import NEXT_WORD
from tests.book.test_heat import FIGURE as HEAT
from tests.book.test_interactive_figures import FIGURES as MORE
from tests.book.test_lookup import LOOKUP, SCALE
from tests.book.test_plane import FIGURE as PLANE
from tests.book.test_posteriors import FIGURE as POSTERIORS
from tests.book.test_rows import FIGURE as ROWS
from tests.book.test_stack import FIGURE as STACK
from tests.book.test_swap import FIGURE as SWAP
from tests.book.test_switches import FIGURE as SWITCHES
from tests.book.test_tape import FIGURE as TAPE
from tests.book.test_unfold import FIGURE as UNFOLD
from tests.book.test_verdict import FIGURE as VERDICT
from tests.book.test_window import FIGURE as WINDOW

_GLOSS = bahdanau.load().gloss
FIGURES: dict[str, str] = {
    **{kind: figure._repr_html_() for kind, figure in MORE.items()},
    "asking": ASKING,
    "beams": BEAMS,
    "cost": COST,
    "forecast": FORECAST,
    "gaze": bahdanau.show()._repr_html_(),
    "glances": GLANCES,
    "gpt": GPT,
    "heat": HEAT,
    "lookup": LOOKUP,
    "nextword": NEXT_WORD,
    "plane": PLANE,
    "posteriors": POSTERIORS,
    "rows": ROWS,
    "scale": SCALE,
    "squeeze": seq2seq.show(_GLOSS)._repr_html_(),
    "stack": STACK,
    "swap": SWAP,
    "switches": SWITCHES,
    "tape": TAPE,
    "unfold": UNFOLD,
    "verdict": VERDICT,
    "window": WINDOW,
    "writer": transformer.translator(_GLOSS)._repr_html_(),
}
"""The HTML of each kind."""


def _shoot(folder: Path, kinds: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    from tools.inputs.machine import browser_path

    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        for kind in kinds or FIGURES:
            for width in (1280, 390):
                page = browser.new_page(viewport={"width": width, "height": 900})
                for name, html in (("light", LIGHT), ("dark", DARK)):
                    page.set_content(page_of(FIGURES[kind], html))
                    page.locator(".cl-fig[data-on]").wait_for()
                    picture = folder / f"{kind}-{width}-{name}.png"
                    page.screenshot(path=picture, full_page=True)
                page.close()


if __name__ == "__main__":
    _shoot(Path(sys.argv[1]), sys.argv[2:])
