"""Every way to name another host that a browser would follow by itself, and what is only a link."""

import pytest

from tools.gates.outside import in_folder, in_page, in_script, in_style

HOST = "cdn.example.org"
FETCHING = [
    '<script src="{}"></script>',
    '<script>fetch("{}")</script>',
    "<body onload=\"new Image().src = '{}'\">",
    '<link rel="stylesheet" href="{}">',
    '<link rel="PREFETCH" href="{}">',
    '<link rel="alternate stylesheet" href="{}">',
    '<link rel="preload" as="image" imagesrcset="a.png 1x, {} 2x">',
    '<?xml-stylesheet type="text/css" href="{}"?><svg></svg>',
    '<img alt="a" src=" {}">',
    '<img alt="a" srcset="a.png,{} 2x" src="a.png">',
    '<img/src="{}"/alt="a">',
    "<iframe srcdoc=\"<img src='{}'>\"></iframe>",
    '<video poster="{}"></video>',
    '<object data="{}"></object>',
    '<form><button formaction="{}">a</button></form>',
    '<a href="a.html" ping="{}">a</a>',
    '<base href="{}">',
    "<META HTTP-EQUIV='Refresh' CONTENT=\"5;URL='{}'\">",
    '<svg><image xlink:href="{}"/></svg>',
    '<svg><rect fill="url({})"/></svg>',
    '<svg><animate attributeName="href" values="a.png;{}"/></svg>',
    "<svg><style><![CDATA[ a {{fill:url({})}} ]]></style></svg>",
    "<style>@import url({});</style>",
    '<p style="background: url({})">x</p>',
    '<noscript><img alt="a" src="{}"></noscript>',
]
ADDRESSES = [f"https://{HOST}/a", f"//{HOST}/a", f"HTTP:{HOST}/a", "//localhost:8000/a", "//[::1]"]
HARMLESS = [
    '<a href="https://example.org/">a link</a>',
    '<svg><a xlink:href="https://example.org/"><text>a</text></a></svg>',
    '<link rel="next license" href="https://example.org/">',
    '<link rel="stylesheet" href="_static/a.css">',
    '<script>const svg = "http://www.w3.org/2000/svg"</script>',
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"></svg>',
    '<img alt="see https://example.org/" src="data:image/png;base64,AA==">',
    '<meta property="og:url" content="https://example.org/">',
    '<p id="fig:one" class="md:wide">see https://example.org/a.js</p>',
    '<a href="mailto:a@example.org">a</a>',
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
        (in_page, f'<script src="ht\ntps&#58;//{HOST}/a.js"></script>', 1),
        (in_page, f'<script src="\\\\{HOST}\\a.js"></script>', 1),
        (in_style, f'@IMPORT/**/"//{HOST}/a.css";', 1),
        (in_style, f"a {{ background: url(\\68ttps://{HOST}/a.png) }}", 1),
        (in_style, f"a {{ background: image-set('//{HOST}/a.png' 1x) }}", 1),
        (in_style, f"a {{ background: url(a.png) }} /* '//{HOST}/' */", 0),
        (in_style, "@namespace url(http://www.w3.org/1999/xhtml);", 0),
        (in_script, f"import('https:\\/\\/{HOST}/a.js')", 1),
        (in_script, f'fetch("\\u0068ttps:\\x2F\\x2f{HOST}/a")', 1),
        (in_script, "new WebSocket(`wss://${host}/`)", 1),
        (in_script, 'const host = "http:" + "//" + location.host;', 0),
        (in_script, 'if (url.startsWith("https://")) {} // see https://example.org/a.js', 0),
        (in_script, 'const lines = ["// a comment", "\\\\w+", "\\/a\\/b"];', 0),
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
