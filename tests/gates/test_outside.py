"""Every way to name another host that a browser would follow by itself, and what is only a link."""

import base64

import pytest

from tools.gates.outside import in_folder, in_page, in_script, in_style

HOST = "cdn.example.org"
AS_DATA = base64.b64encode(f"<img src='//{HOST}/a.png'>".encode()).decode()

FETCHING = [
    f"<svg><style><![CDATA[ a{{fill:url(//{HOST}/x)}} ]]></style></svg>",
    f'<svg><style><![CDATA[@import "https://{HOST}/a.css";]]></style></svg>',
    f'<script src="https://{HOST}/a.js"></script>',
    f'<script async src="//{HOST}/a.js"></script>',
    f'<script src=" https://{HOST}/a.js"></script>',
    f'<script src="ht\ntps://{HOST}/a.js"></script>',
    f'<script src="HTTPS://{HOST}/a.js"></script>',
    f'<script src="\\\\{HOST}\\a.js"></script>',
    f'<script src="https&#58;//{HOST}/a.js"></script>',
    f'<script src="https:{HOST}/a.js"></script>',
    f"<script>import('https://{HOST}/a.js')</script>",
    f'<script type="module">import "//{HOST}/a.js"</script>',
    f'<script>fetch("https://{HOST}/a.json")</script>',
    f"<script>new WebSocket(`wss://{HOST}/`)</script>",
    f'<script>fetch("https:\\/\\/{HOST}\\/a.json")</script>',
    f'<script>fetch("\\u0068ttps:\\x2F\\x2f{HOST}/a.json")</script>',
    f'<script>fetch("\\u{{2f}}\\u{{002F}}{HOST}/a.json")</script>',
    f'<script>fetch("\\\\\\\\{HOST}\\\\a.json")</script>',
    f'<script>fetch("https:{HOST}/a.json")</script>',
    f'<script>fetch("//user:word@{HOST}/a.json")</script>',
    f"<body onload=\"new Image().src = '//{HOST}/a'\">",
    f'<link rel="stylesheet" href="https://{HOST}/a.css">',
    f'<link rel="preload" as="font" href="https://{HOST}/a.woff2">',
    f'<link rel="PREFETCH" href="//{HOST}/a">',
    f'<?xml-stylesheet type="text/css" href="https://{HOST}/a.css"?><svg></svg>',
    f"<?xml-stylesheet\n  title='a > b' href='&#x2f;/{HOST}/a.css' ?><svg></svg>",
    f'<link rel="dns-prefetch" href="//{HOST}">',
    f'<link rel="preconnect" href="https://{HOST}">',
    f'<link rel="icon" href="//{HOST}/a.ico">',
    f'<link rel="apple-touch-icon" href="//{HOST}/a.png">',
    f'<link rel="mask-icon" href="//{HOST}/a.svg">',
    f'<link rel="manifest" href="//{HOST}/a.json">',
    f'<link rel="alternate stylesheet" href="//{HOST}/a.css">',
    f'<link rel="preload" as="image" imagesrcset="a.png 1x, //{HOST}/a.png 2x">',
    f'<link rel="stylesheet" href="data:text/css,@import%20url(//{HOST}/a.css)">',
    f'<img alt="a" src="http://{HOST}/a.png">',
    f'<img alt="a" src="ftp://{HOST}/a.png">',
    f'<img alt="a" srcset="https://{HOST}/a.png 2x" src="a.png">',
    f'<img alt="a" srcset="a.png,//{HOST}/a.png 2x" src="a.png">',
    f'<picture><source srcset="//{HOST}/a.webp"></picture>',
    f'<img/src="//{HOST}/a.png"/alt="a">',
    f'<iframe src="https://{HOST}/"></iframe>',
    f"<iframe srcdoc=\"<img src='//{HOST}/a.png'>\"></iframe>",
    f'<iframe src="data:text/html;base64,{AS_DATA}"></iframe>',
    f'<frame src="//{HOST}/">',
    f'<video poster="//{HOST}/a.png"></video>',
    f'<video src="//{HOST}/a.mp4"></video>',
    f'<video><source src="//{HOST}/a.mp4"></video>',
    f'<video><track src="//{HOST}/a.vtt"></video>',
    f'<audio src="//{HOST}/a.mp3"></audio>',
    f'<object data="//{HOST}/a.svg"></object>',
    f'<object><param name="movie" value="https://{HOST}/a.swf"></object>',
    f'<embed src="//{HOST}/a.pdf">',
    f'<input type="image" alt="a" src="//{HOST}/a.png">',
    f'<form action="https://{HOST}/"><button>a</button></form>',
    f'<form><button formaction="//{HOST}/">a</button></form>',
    f'<a href="a.html" ping="https://{HOST}/ping">a</a>',
    f'<base href="https://{HOST}/">',
    f'<base href="//{HOST}/">',
    f'<meta http-equiv="refresh" content="0; url=https://{HOST}/">',
    f"<META HTTP-EQUIV='Refresh' CONTENT=\"5;URL='//{HOST}/'\">",
    f'<body background="//{HOST}/a.png">',
    f'<table background="//{HOST}/a.png"></table>',
    f'<svg><image href="//{HOST}/a.png"/></svg>',
    f'<svg><image xlink:href="https://{HOST}/a.png"></image></svg>',
    f'<svg><use href="//{HOST}/a.svg#b"/></svg>',
    f'<svg><feImage href="//{HOST}/a.png"/></svg>',
    f'<svg><script href="//{HOST}/a.js"></script></svg>',
    f'<svg><rect fill="url(//{HOST}/a.svg#b)"/></svg>',
    f"<svg><g filter=\"url('https://{HOST}/a.svg#b')\"></g></svg>",
    f'<svg><animate attributeName="href" values="a.png;//{HOST}/a.png"/></svg>',
    f'<svg><set attributeName="href" to="https://{HOST}/a.png"/></svg>',
    f"<style>@import url(https://{HOST}/css);</style>",
    f"<svg><style>@import '//{HOST}/css';</style></svg>",
    f'<p style="background: url(//{HOST}/a.png)">x</p>',
    f'<noscript><img alt="a" src="//{HOST}/a.png"></noscript>',
    f'<template><img alt="a" src="//{HOST}/a.png"></template>',
]

# Hosts whose names have one word, none, or one that the script fills in.
HOSTS = ["localhost", "localhost:8000", "cdn", "[::1]", "[::1]:80", "${host}", "127.0.0.1", "%63dn"]

STYLES = [
    f"@import url(https://{HOST}/a.css);",
    f"@import 'https://{HOST}/a.css' screen;",
    f'@IMPORT/**/"//{HOST}/a.css";',
    f"@font-face {{ src: url('https://{HOST}/f.woff2'); }}",
    f"a {{ background: url( //{HOST}/a.png ); }}",
    f"a {{ background: URL(//{HOST}/a.png); }}",
    f"a {{ background: u\\72l(//{HOST}/a.png); }}",
    f"a {{ background: url(\\68ttps://{HOST}/a.png); }}",
    f"a {{ background: image-set('//{HOST}/a.png' 1x); }}",
    f"a {{ background: -webkit-image-set(url(//{HOST}/a.png) 1x); }}",
    f"@media print {{ a {{ cursor: url(//{HOST}/a.cur), auto; }} }}",
    f"a {{ --picture: url(//{HOST}/a.png); }}",
    f"a {{ & b {{ mask: url(https://{HOST}/a.svg#m); }} }}",
    f"@supports (a: b) {{ li {{ list-style: url(//{HOST}/a.png); }} }}",
]


@pytest.mark.parametrize("fetching", FETCHING)
def test_what_a_browser_would_fetch_elsewhere_is_named(fetching):
    (problem,) = in_page(f"<html><body>{fetching}</body></html>")
    assert HOST in problem


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("begin", ["http://", "wss://", "//", "https:\\/\\/", "\\/\\/"])
def test_a_host_of_any_name_is_seen_in_a_script(begin, host):
    (problem,) = in_script(f"const place = `{begin}{host}/a.js`;")
    assert problem.endswith(f"//{host}/a.js")


@pytest.mark.parametrize(
    "harmless",
    [
        'if (url.startsWith("https://") || url.startsWith("//")) {}',
        'const host = "http:" + "//" + location.host;',
        "const pattern = /^https?:\\/\\/[a-z]+/;",
        'const lines = ["// a comment", "/* another */", "a // b", "\\\\w+", "\\/a\\/b"];',
        "// see https://example.org/a.js",
        'const kind = {http: "a", "https:": 443}["https:"];',
        'document.createElementNS("http:\\/\\/www.w3.org\\/2000\\/svg", "g");',
    ],
)
def test_half_an_address_and_what_is_none_pass_in_a_script(harmless):
    assert in_script(harmless) == []


@pytest.mark.parametrize("fetching", STYLES)
def test_what_a_style_sheet_would_fetch_elsewhere_is_named(fetching):
    (problem,) = in_style(fetching)
    assert HOST in problem


@pytest.mark.parametrize(
    "harmless",
    [
        '<a href="https://example.org/">a link</a>',
        '<svg><a xlink:href="https://example.org/"><text>a</text></a></svg>',
        '<link rel="canonical" href="https://example.org/">',
        '<link rel="next license" href="https://example.org/">',
        '<link rel="stylesheet" href="_static/a.css">',
        '<script src="../a.js"></script>',
        '<script>const svg = "http://www.w3.org/2000/svg"</script>',
        '<?xml version="1.0"?><?xml-stylesheet type="text/css" href="a.css"?><svg></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"></svg>',
        '<img alt="see https://example.org/" src="data:image/png;base64,AA==">',
        '<meta property="og:url" content="https://example.org/">',
        '<blockquote cite="https://example.org/">a</blockquote>',
        '<p id="fig:one" class="md:wide">see https://example.org/a.js</p>',
        '<a href="mailto:a@example.org">a</a>',
        "<pre>@import url(https://example.org/a.css)</pre>",
    ],
)
def test_links_and_own_files_pass(harmless):
    assert in_page(f"<html><body>{harmless}</body></html>") == []


@pytest.mark.parametrize(
    "harmless",
    ["@namespace url(http://www.w3.org/1999/xhtml);", "a { background: url(a.png) } /* //b.c/ */"],
)
def test_own_files_of_a_style_sheet_pass(harmless):
    assert in_style(harmless) == []


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
