"""What is looked for on a page is found, on pages that were spoiled."""

import pytest

from tests.book.checks import (
    HOME,
    HTML,
    PHONE,
    broken_commands,
    heavy_files,
    look_at,
    off_screen,
    scrolling,
    spoiled,
    violations,
)
from tests.book.conftest import no_other_page

pytestmark = pytest.mark.browser

OPENS = ("book/how_to_use.html",)
(PAGE,) = OPENS


def test_a_broken_page_is_noticed(visit):
    """Each check of a page can fail: all of them, on a page that was spoiled."""
    page, judged = visit(PAGE, PHONE).page, set()
    assert spoiled(page, judged, others=True) == []
    page.evaluate(
        """() => {
            document.querySelector('.admonition-title').style.color = '#c8d8dc';
            document.querySelector('article').insertAdjacentHTML('beforeend', `
                <img src="data:,"><p style="width: 900px">wide</p>
                <div class="cell_input"><pre style="white-space: pre">${'x'.repeat(200)}</pre>
                </div>
                <p>${'word '.repeat(9)}<code style="display: inline; white-space: normal"
                    >${'python '.repeat(9)}</code></p>`);
        }"""
    )
    known = set(judged)
    for found in (violations(page), spoiled(page, judged, others=True)):
        assert {"color-contrast", "image-alt"} <= {line.split(":")[0] for line in found}
    assert any(line.startswith("color-contrast") for line in spoiled(page, judged))
    # A look that failed is judged again.
    assert judged == known
    assert scrolling(page, "div.cell_input pre") == ["x" * 200]
    assert "P wide" in off_screen(page, PHONE)
    assert broken_commands(page, PHONE) == ["python " * 9]


def test_small_letters_are_judged_apart_from_large_ones_of_the_same_colour(new_page):
    """At 3.5 to 1 large letters may stand, small ones may not; the large ones come first here."""
    page = new_page().page
    sizes = {"title": "30px", "bold": "bold 19px", "small": "19px", "note": "bold 14px"}
    letters = "<p id='{0}' style='font: {1} serif'>words</p>"
    # A single sign, of which axe says nothing, is not asked for the words of its look.
    body = "<p style='font: 19px serif'>×</p>" + "".join(
        letters.format(*one) for one in sizes.items()
    )
    page.set_content(f"<main style='color: #8a8a8a'>{body}</main>")
    assert {line.split()[1] for line in spoiled(page, set())} == {"#small:", "#note:"}
    page.close()


def test_a_page_over_its_budget_or_with_a_stranger_is_noticed(visit, book_address):
    """Bytes, requests and jumps, each on a page that stays within all of them by itself."""
    page, asked, *told = visit(PAGE)
    look_at(page, book_address, 1280, "light", asked, *told)
    index = [
        f"{book_address}/{name}" for name in ("_static/course-search.js", "book/notation.html")
    ]
    more = [f"{book_address}/{path.relative_to(HTML)}" for path in HTML.glob("*/*.*")]
    assert heavy_files(asked, book_address, HOME) == []
    assert heavy_files([*asked, *index], book_address) == []
    assert heavy_files([*asked, *index], book_address, HOME)
    assert heavy_files([*asked, *more], book_address)
    for added in (index * 30, ["https://example.org/a.js"]):
        with pytest.raises(AssertionError):
            look_at(page, book_address, 1280, "light", [*asked, *added], *told)
    page.evaluate(
        """() => document.querySelector('article').insertAdjacentHTML('afterbegin',
            '<p style="height: 500px"></p>')"""
    )
    page.wait_for_function("window.courseShift > 0")
    with pytest.raises(AssertionError):
        look_at(page, book_address, 1280, "light", asked, *told)


def test_a_page_that_the_file_does_not_name_is_not_visited(request):
    host = "http://127.0.0.1:1"
    asked = [f"{host}/{name}" for name in (f"{PAGE}#top", "_static/course.js?v=1")]
    no_other_page(request, asked, host)
    with pytest.raises(pytest.fail.Exception, match=r"search\.html: not in OPENS of test_checks"):
        no_other_page(request, [*asked, f"{host}/search.html?q=a.html#b"], host)
