"""One style sheet and one script for all pages: what is joined, left out and asked for."""

import importlib
import re
import sys
from pathlib import Path

import pytest

from tools.project import ROOT

HEAD = """<html data-content_root="{up}"><head>
<link rel="preload" href="{up}_static/first.css">
<link rel="stylesheet" href="{up}_static/first.css?v=1">
<link href="{up}_static/fonts/second.css" rel="stylesheet">
<link rel="icon" href="{up}_static/favicon.svg">
<script src="{up}_static/documentation_options.js?v=2"></script>
<script src="{up}_static/searchtools.js"></script>
<script src="{up}searchindex.js"></script>
<script src="{up}_static/one.js"></script>
<script defer src="{up}_static/two.js"></script>
<script class="data" data-src="{up}_static/one.js"></script>
<script>document.body.className = "scripted";</script>
</head><body class="seen"><p id="place">{body}</p></body></html>
"""
FILES = {
    "_static/first.css": """@charset "utf-8";
@import url("base.css");
.seen { color: red } .unseen { color: blue } .seen, .unseen > p { top: 0 }
#place, #nowhere { left: 0 }
.scripted.later { right: 0 }
@media (min-width: 9px) { .unseen { top: 1px } .seen:not(.unseen) { top: 2px } }
@media print { .unseen { top: 3px } }
""",
    "_static/base.css": """body {
margin: 0; --wanted: 1em; --forgotten: 2em; --scripted: var(--deep) }
body { --deep: 3em; padding: var( --wanted ) } .unseen { top: var(--forgotten) }
""",
    "_static/fonts/second.css": """@font-face { font-family: A; src: url(a.woff2) }
p { background: url('data:image/png;base64,AA=='), url("../b.png#part") }
""",
    "_static/documentation_options.js": "const OPTIONS = 1;\n",
    "_static/one.js": "var one = 1",
    "_static/two.js": """/* Copyright of somebody. */
/* What it does. */
element.classList.add('later')  // why
  element.style.setProperty("--scripted", 1)
""",
    "_static/course-search.js": "window.courseSearch = ['unseen']",
    "_static/course-find.js": "search()",
}


@pytest.fixture(scope="module")
def assets():
    sys.path.insert(0, str(ROOT / "book" / "_ext"))
    try:
        return importlib.import_module("course_book.assets")
    finally:
        sys.path.remove(str(ROOT / "book" / "_ext"))


def page(up: str = "", body: str = "words") -> str:
    return HEAD.format(up=up, body=body)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "index.html").write_text(page(), encoding="utf-8")
    (tmp_path / "search.html").write_text(
        page(body='<b id="search-results"></b>'), encoding="utf-8"
    )
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "deep.html").write_text(page("../"), encoding="utf-8")
    return tmp_path


def joined(site: Path) -> tuple[str, str]:
    return tuple(
        (site / "_static" / name).read_text(encoding="utf-8")
        for name in ("course-book.css", "course-book.js")
    )


def test_sheets_are_joined_in_order_with_what_they_import(assets, site):
    assets.join(site)
    style, _ = joined(site)
    places = [style.index(text) for text in ("margin: 0", "color: red", "font-face")]
    assert places == sorted(places)
    assert "@import" not in style
    assert "@charset" not in style


def test_addresses_in_a_sheet_lead_where_they_led(assets, site):
    assets.join(site)
    style, _ = joined(site)
    assert 'url("fonts/a.woff2")' in style
    assert 'url("b.png#part")' in style
    assert 'url("data:image/png;base64,AA==")' in style


def test_rules_for_what_no_page_has_are_left_out_and_no_others(assets, site):
    assets.join(site)
    style, _ = joined(site)
    assert "blue" not in style
    assert "nowhere" not in style
    assert "3px" not in style
    assert "1px" not in style
    assert ".seen{top: 0}" in style
    assert "#place{left: 0}" in style
    assert ".scripted.later" in style, "a script gives both"
    assert ".seen:not(.unseen){top: 2px}" in style
    assert style.count("@media") == 1


def test_scripts_are_joined_so_that_none_runs_into_the_next(assets, site):
    assets.join(site)
    _, code = joined(site)
    first, between, last = code.partition("\n;\n")
    assert first == "var one=1"
    assert between
    assert "element.classList.add('later')\nelement.style" in last


def test_a_script_loses_its_comments_but_not_the_name_of_who_wrote_it(assets, site):
    assets.join(site)
    _, code = joined(site)
    assert "Copyright of somebody." in code
    assert "What it does" not in code
    assert "why" not in code


def test_values_under_names_that_nothing_asks_for_are_left_out(assets, site):
    assets.join(site)
    style, _ = joined(site)
    assert "--forgotten" not in style, "only a rule that is left out asks for it"
    assert "--wanted: 1em" in style
    assert "--scripted: var(--deep)" in style, "a script asks for it"
    assert "--deep: 3em" in style


def test_a_value_that_only_a_drawing_in_a_page_asks_for_stays(assets, site):
    drawn = "<svg><style>.ink{fill:var(--forgotten,#1d2327)}</style></svg>"
    (site / "index.html").write_text(page(body=drawn), encoding="utf-8")
    assets.join(site)
    assert "--forgotten: 2em" in joined(site)[0]


def test_what_a_script_does_in_vain_is_left_out_and_a_new_version_is_looked_at(
    assets, site, monkeypatch
):
    monkeypatch.setattr(assets, "LEFT_OUT", {"one.js": " = 1", "absent.js": "anything"})
    assets.join(site)
    assert "var one\n;" in joined(site)[1]
    monkeypatch.setattr(assets, "LEFT_OUT", {"two.js": "another version"})
    (site / "index.html").write_text(page(), encoding="utf-8")
    with pytest.raises(ValueError, match=r"two\.js does not hold 'another version' any more"):
        assets.join(site)


def test_a_page_asks_for_two_files_and_its_icon(assets, site):
    assets.join(site)
    for name, up in (("index.html", ""), ("part/deep.html", "../")):
        text = (site / name).read_text(encoding="utf-8")
        assert text.count('rel="stylesheet"') == 1
        assert f'href="{up}_static/course-book.css?v=' in text
        assert text.count(" src=") == 1
        assert f'<script defer src="{up}_static/course-book.js?v=' in text
        assert "const OPTIONS = 1;" in text
        assert text.index("const OPTIONS") < text.index("course-book.js")
        assert "preload" not in text
        assert "favicon.svg" in text
        assert "scripted" in text
        assert f'<script class="data" data-src="{up}_static/one.js"></script>' in text


def test_only_the_search_page_asks_for_what_searches(assets, site):
    assets.join(site)
    assert "search" not in (site / "index.html").read_text(encoding="utf-8")
    text = (site / "search.html").read_text(encoding="utf-8")
    names = ("course-book.js", "course-search.js", "course-find.js")
    places = [text.index(f"{name}?v=") for name in names]
    assert places == sorted(places)
    assert text.count("<script defer ") == 3
    assert "searchtools" not in text
    assert "searchindex" not in text


def test_what_the_index_says_names_no_class(assets, site):
    assets.join(site)
    assert "blue" not in joined(site)[0]
    (site / "_static" / "course-find.js").write_text("mark('unseen')", encoding="utf-8")
    (site / "index.html").write_text(page(), encoding="utf-8")
    assets.join(site)
    assert "blue" in joined(site)[0]


def test_a_new_index_is_asked_for_anew(assets, site):
    assets.join(site)
    before = (site / "search.html").read_text(encoding="utf-8")
    (site / "_static" / "course-search.js").write_text("window.courseSearch = []", encoding="utf-8")
    (site / "index.html").write_text(page(), encoding="utf-8")
    assets.join(site)
    after = (site / "search.html").read_text(encoding="utf-8")
    assert before.partition("course-search.js")[0] == after.partition("course-search.js")[0]
    assert before != after


def test_a_page_that_is_written_anew_joins_those_that_were_not(assets, site):
    assets.join(site)
    before = joined(site), (site / "part" / "deep.html").read_text(encoding="utf-8")
    (site / "index.html").write_text(page(), encoding="utf-8")
    assets.join(site)
    after = joined(site), (site / "part" / "deep.html").read_text(encoding="utf-8")
    assert after == before
    (site / "index.html").write_text(page(body='<i class="unseen"></i>'), encoding="utf-8")
    assets.join(site)
    style, _ = joined(site)
    assert "blue" in style
    version = style_version(site / "index.html")
    assert version == style_version(site / "part" / "deep.html")
    assert version != style_version_of(before[1])


def style_version(path: Path) -> str:
    return style_version_of(path.read_text(encoding="utf-8"))


def style_version_of(text: str) -> str:
    return text.partition("course-book.css?v=")[2][:8]


def test_a_folder_without_pages_stays_as_it_is(assets, tmp_path):
    assets.join(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_sheet_that_cannot_be_read_is_told_with_its_line(assets):
    with pytest.raises(ValueError, match=r"broken\.css, line 3: "):
        assets.pruned("p { top: 0 }\n@media print { p { top: 0 } }\n}", set(), "broken.css")


@pytest.mark.parametrize(
    "path", sorted((ROOT / "book" / "_static").glob("*.css")), ids=lambda p: p.name
)
def test_a_rule_that_does_not_end_would_swallow_all_that_follow(path):
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert text.count("{") == text.count("}")
