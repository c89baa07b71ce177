"""The two gates that need something from outside, each on something broken."""

import shutil

import pytest

from course_lib.data.corpora.registry import DATASETS
from tools.gates.suites import browser, real_data
from tools.project import ROOT

PAGE = """<!DOCTYPE html><html lang="en"><head><title>A page</title></head><body><main>
<h1>A page</h1><p>Some words.</p><script>console.error('a mistake')</script></main></body></html>"""


@pytest.fixture
def project(tmp_path):
    """The tests of both gates in a folder of their own, so that their reports stay apart."""
    others = shutil.ignore_patterns("test_me*", "test_n*", "test_t*")
    shutil.copytree(ROOT / "tests/real", tmp_path / "tests/real", ignore=others)
    for name in ("tests/book", "tools", "book/_ext"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("pyproject.toml", "tests/conftest.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_real_data_that_is_broken_fails_and_absent_data_is_skipped(project, monkeypatch):
    data = project / "data"
    for file in DATASETS["multi30k"].files:
        (data / file.path).parent.mkdir(parents=True, exist_ok=True)
        (data / file.path).write_text("no such data")
    monkeypatch.setenv("COURSE_DATA", str(data))
    assert "is not the file wanted" in real_data(project).output
    monkeypatch.setenv("COURSE_DATA", str(project))
    result = real_data(project)
    assert result.passed
    assert result.skipped == result.tests > 0
    assert "Multi30k is absent" in " ".join(result.skips)


def test_a_page_that_does_wrong_fails_in_the_browser(project):
    """One page is opened; what else can be wrong with one is for tests/book itself to show."""
    page = project / "_build" / "html" / "book" / "complains.html"
    page.parent.mkdir(parents=True)
    for path in (page, page.parent.parent / "index.html"):
        path.write_text(PAGE)
    result = browser(project, ["book/complains.html"])
    if any("no Chromium" in reason for reason in result.skips):
        pytest.skip("no Chromium on this machine")
    assert not result.passed
    assert "a mistake" in result.output
    assert result.parts == {}
