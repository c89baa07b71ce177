"""The book where a browser keeps no site data, and in a frame of a learning platform."""

import json
from pathlib import Path

import pytest

from tests.book.checks import HTML
from tools.inputs.machine import browser_path

pytestmark = pytest.mark.browser

OPENS = ("notebooks/06a_where_to_look.html", "search.html")
PAGE = OPENS[0]
WORKS = """async () => {
    const wait = () => new Promise(done => setTimeout(done, 50));
    const on = () => document.querySelector('.cl-fig[data-on]');
    for (let turn = 0; turn < 100 && !on(); turn += 1) await wait();
    const scheme = () => document.documentElement.dataset.theme, before = scheme();
    for (let turn = 0; turn < 3 && scheme() === before; turn += 1) {
        document.querySelector('.theme-switch-button').click();
    }
    document.querySelector('button.search-button, .search-button__button').click();
    const dialog = document.querySelector('dialog').open;
    document.querySelector('dialog').close();
    const figure = document.querySelector('.cl-fig[data-on]');
    const fold = figure.querySelector('button.cl-fold');
    const folded = fold && fold.getAttribute('aria-expanded');
    if (fold) fold.click();
    return {
        copies: document.querySelectorAll('button.copybtn').length > 0,
        scheme: scheme() !== before,
        search: dialog,
        figure: !fold || fold.getAttribute('aria-expanded') !== folded,
    };
}"""
ALL = {"copies": True, "scheme": True, "search": True, "figure": True}


def heard(page) -> list[str]:
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    return said


def test_everything_works_in_a_frame_that_may_keep_nothing(chromium, book_address):
    page = chromium.new_page()
    said = heard(page)
    frame = f'<iframe sandbox=allow-scripts src="{book_address}/{PAGE}" width=1000 height=800>'
    page.set_content(f"<!DOCTYPE html><title>A platform</title>{frame}</iframe>")
    page.wait_for_function("document.querySelector('iframe').contentWindow.length === 0")
    inner = page.frames[1]
    inner.wait_for_load_state("load")
    assert inner.evaluate(WORKS) == ALL
    assert said == []
    page.close()


def test_everything_works_where_site_data_is_blocked(chromium, book_address, tmp_path):
    (tmp_path / "Default").mkdir()
    settings = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (tmp_path / "Default" / "Preferences").write_text(json.dumps(settings), encoding="utf-8")
    launch = chromium.browser_type.launch_persistent_context
    arguments = ["--no-sandbox", "--disable-gpu"]
    context = launch(str(tmp_path), executable_path=browser_path(), args=arguments)
    try:
        for address in (f"{book_address}/{PAGE}", Path(HTML, PAGE).as_uri()):
            page = context.new_page()
            said = heard(page)
            page.goto(address)
            assert page.evaluate(WORKS) == ALL
            assert said == []
            page.goto(address.replace(PAGE, "search.html?q=softmax"))
            page.wait_for_function("document.querySelectorAll('#search-results li').length > 3")
    finally:
        context.close()
