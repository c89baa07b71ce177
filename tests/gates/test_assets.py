"""One style sheet and one script for all pages: what is joined, left out and asked for."""

import re
from contextlib import nullcontext
from pathlib import Path

import pytest
from course_book import assets

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


def test_what_no_page_and_no_script_asks_for_is_left_out_and_nothing_else(site):
    assets.join(site)
    style, _ = joined(site)
    # A rule that is left out alone asks for --forgotten; a script gives both classes, asks for
    # --scripted and that for --deep.
    for said in ("blue", "nowhere", "3px", "1px", "--forgotten"):
        assert said not in style
    for said in (
        *(".seen{top: 0}", "#place{left: 0}", ".scripted.later", ".seen:not(.unseen){top: 2px}"),
        *("--wanted: 1em", "--scripted: var(--deep)", "--deep: 3em"),
    ):
        assert said in style
    assert style.count("@media") == 1


def test_scripts_are_joined_without_comments_so_that_none_runs_into_the_next(site, monkeypatch):
    assets.join(site)
    _, code = joined(site)
    first, between, last = code.partition("\n;\n")
    assert first == "var one=1"
    assert between
    assert "element.classList.add('later')\nelement.style" in last
    assert "Copyright of somebody." in code
    assert "What it does" not in code
    assert "why" not in code
    # What a script does in vain is left out, and a new version is looked at.
    for left_out, error in (
        ({"one.js": " = 1"}, None),
        ({"two.js": "another version"}, ValueError),
    ):
        monkeypatch.setattr(assets, "LEFT_OUT", left_out)
        (site / "index.html").write_text(page(), encoding="utf-8")
        with pytest.raises(error, match="does not hold 'another") if error else nullcontext():
            assets.join(site)
        assert "var one\n;" in joined(site)[1]


def test_a_sheet_that_cannot_be_read_or_does_not_end_is_told(tmp_path):
    assets.join(tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError, match=r"broken\.css, line 3: "):
        assets.pruned("p { top: 0 }\n@media print { p { top: 0 } }\n}", set(), "broken.css")
    for path in (ROOT / "book" / "_static").glob("*.css"):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert text.count("{") == text.count("}"), path.name
