"""The gate that needs a browser, on a page that does wrong."""

import shutil

import pytest

from tools.gates.suites import browser
from tools.project import ROOT

PAGE = """<!DOCTYPE html><html lang="en"><head><title>A page</title></head><body><main>
<h1>A page</h1><p>Some words.</p><script>console.error('a mistake')</script></main></body></html>"""


def test_a_page_that_does_wrong_fails_in_the_browser(tmp_path):
    """One page is opened; what else can be wrong with one is for tests/book itself to show."""
    for name in ("tests/book", "tools", "book/_ext"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("pyproject.toml", "tests/conftest.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    page = tmp_path / "_build" / "html" / "book" / "complains.html"
    page.parent.mkdir(parents=True)
    for path in (page, page.parent.parent / "index.html"):
        path.write_text(PAGE)
    result = browser(tmp_path, ["book/complains.html"])
    if any("no Chromium" in reason for reason in result.skips):
        pytest.skip("no Chromium on this machine")
    assert not result.passed
    assert "a mistake" in result.output
    assert result.parts == {}
