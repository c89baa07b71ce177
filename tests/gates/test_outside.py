"""Every way to name another host that a browser would follow by itself, and what is only a link."""

import pytest

from tools.gates.outside import in_folder, in_page, in_script, in_style

HOST = "cdn.example.org"
FETCHING = [
    '<script src="{}"></script>',
    '<script>fetch("{}")</script>',
    "<body onload=\"new Image().src = '{}'\">",
    '<link rel="stylesheet" href="{}">',
    '<link rel="preload" as="image" imagesrcset="a.png 1x, {} 2x">',
    '<img alt="a" srcset="a.png,{} 2x" src="a.png">',
    "<iframe srcdoc=\"<img src='{}'>\"></iframe>",
    '<object data="{}"></object>',
    "<META HTTP-EQUIV='Refresh' CONTENT=\"5;URL='{}'\">",
    '<svg><image xlink:href="{}"/></svg>',
    '<svg><rect fill="url({})"/></svg>',
    "<style>@import url({});</style>",
    '<p style="background: url({})">x</p>',
]
ADDRESSES = [f"https://{HOST}/a", f"//{HOST}/a", "//localhost:8000/a"]
HARMLESS = [
    '<a href="https://example.org/">a link</a>',
    '<link rel="next license" href="https://example.org/">',
    '<link rel="stylesheet" href="_static/a.css">',
    '<script>const svg = "http://www.w3.org/2000/svg"</script>',
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"></svg>',
    '<img alt="see https://example.org/" src="data:image/png;base64,AA==">',
    '<meta property="og:url" content="https://example.org/">',
    "<pre>@import url(https://example.org/a.css)</pre>",
]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("tag", FETCHING)
def test_what_a_browser_would_fetch_elsewhere_is_named(tag, address):
    assert in_page(f"<html><body>{tag.format(address)}</body></html>") == [address]


@pytest.mark.parametrize("page", HARMLESS)
def test_links_and_own_files_pass(page):
    assert in_page(f"<html><body>{page}</body></html>") == []


@pytest.mark.parametrize(
    ("reader", "text", "count"),
    [
        (in_style, f"a {{ background: image-set('//{HOST}/a.png' 1x) }}", 1),
        (in_style, f"a {{ background: url(a.png) }} /* '//{HOST}/' */", 0),
        (in_script, f"import('https:\\/\\/{HOST}/a.js')", 1),
        (in_script, "new WebSocket(`wss://${host}/`)", 1),
        (in_script, 'const host = "http:" + "//" + location.host;', 0),
        (in_script, 'if (url.startsWith("https://")) {} // see https://example.org/a.js', 0),
    ],
)
def test_no_escape_hides_a_host_and_half_an_address_is_none(reader, text, count):
    assert len(reader(text)) == count


def test_pages_drawings_style_sheets_and_scripts_of_a_folder_are_read(tmp_path):
    (tmp_path / "a.html").write_text(f'<img src="//{HOST}/a.png">')
    (tmp_path / "b.svg").write_text(f'<svg><image href="//{HOST}/b.png"/></svg>')
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "c.css").write_text(f"a {{ background: url(//{HOST}/c.png) }}")
    (tmp_path / "inner" / "d.js").write_text(f'import("//{HOST}/d.js")')
    assert in_folder(tmp_path) == [
        f"a.html: fetches //{HOST}/a.png",
        f"b.svg: fetches //{HOST}/b.png",
        f"inner/c.css: fetches //{HOST}/c.png",
        f"inner/d.js: fetches //{HOST}/d.js",
    ]
