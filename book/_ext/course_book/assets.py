"""One style sheet and one script for the whole book, in place of ten and twelve.

The theme and its helpers each bring files of their own, and every page asks for all of them before
it shows a word. When the book is built they are joined in the order in which pages ask for them.
Rules for classes and names that no page has, and that no script could give it, are left out, and
so are values under names that nothing asks for; a script goes without its comments and margins.

What searches (search.py) is asked for by the search page alone.
"""

import hashlib
import html
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import rjsmin
import tinycss2
from sphinx.application import Sphinx

from course_book import search, steer

STYLE, SCRIPT = "course-book.css", "course-book.js"
SEARCH = (search.INDEX, search.SCRIPT)
OPTIONS = "documentation_options.js"
LEFT_OUT = {"pydata-sphinx-theme.js": '?I():window.addEventListener("load",I)'}
"""What a script does that course.js does in its place: the theme asks every box of code and every
output how wide it is and changes it before it asks the next, so that a phone lays the whole page
out again for each."""
STORAGE = """<script>
["localStorage", "sessionStorage"].forEach(name => {
  try { if (window[name]) return; } catch (refused) { /* no site data here */ }
  const kept = new Map();
  Object.defineProperty(window, name, {value: {
    getItem: key => kept.has(String(key)) ? kept.get(String(key)) : null,
    setItem: (key, value) => { kept.set(String(key), String(value)); },
    removeItem: key => { kept.delete(String(key)); },
    clear: () => { kept.clear(); },
    key: place => [...kept.keys()][place] ?? null,
    get length() { return kept.size; },
  }});
});
</script>
"""
"""A learning platform shows a page in a frame without site data. To ask for it is an error there,
which would end the scripts of the theme, and with them the search and the copy buttons."""
_CHARSET = re.compile(r"<meta charset=[^>]*>\s*")
_NESTED = ("media", "supports", "layer", "container")
_SHEET = re.compile(r"""<link\b(?=[^>]*\brel="[^"]*\bstylesheet\b)[^>]*>\s*""")
_PRELOAD = re.compile(r"""<link\b(?=[^>]*\brel="(?:preload|modulepreload)")[^>]*>\s*""")
_LOADED = re.compile(r"""<script\b(?=[^>]*\ssrc=")[^>]*>\s*</script>\s*""")
_HREF = re.compile(r"""\s(?:href|src)="([^"]*)\"""")
_URL = re.compile(r"""url\(\s*(["']?)([^"')]+)\1\s*\)""")
_IMPORT = re.compile(r"""@import\s+(?:url\()?\s*["']?([^"')\s;]+)["']?\s*\)?\s*([^;]*);""")
_NAMES = re.compile(r"""\s(?:class|id)=(["']?)((?<=["']).*?(?=\1)|[^\s"'>]+)""", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_][\w-]*")
_VARIABLE = re.compile(r"var\(\s*--([\w-]+)")
_RIGHTS = re.compile(r"/\*(?!!)(?=(?:(?!\*/).)*(?:copyright|license))", re.DOTALL | re.IGNORECASE)


class Page(NamedTuple):
    """A finished page and the files of `_static` that it asks for, in order."""

    path: Path
    text: str
    sheets: list[Path]
    scripts: list[Path]


def join(folder: Path) -> None:
    """Rewrite every page below a folder to ask for one style sheet and one script.

    Raises:
        ValueError: a style sheet that cannot be read, or a script that is not the one expected.
    """
    pages = [_page(path) for path in sorted(folder.rglob("*.html"))]
    # Sphinx writes only what changed; the other pages were rewritten before.
    fresh = [page for page in pages if page.sheets]
    if not fresh:
        return
    static = folder / "_static"
    # A page that asks for the most says best in which order.
    ranked = sorted(fresh, key=lambda page: -len(page.scripts) - len(page.sheets))
    sheets = _in_order(page.sheets for page in ranked)
    alone = (OPTIONS, *SEARCH, *search.REPLACED)
    scripts = [p for p in _in_order(page.scripts for page in ranked) if p.name not in alone]
    code = "\n;\n".join(map(_code, scripts))
    words = {word for page in pages for word in _words_of(page.text)}
    words |= {word for path in [*scripts, *_others(static, scripts)] for word in _words_in(path)}
    texts = {path.name: _inlined(path, static) for path in sheets}
    asked = {name for text in texts.values() for name in _VARIABLE.findall(text)}
    style = "\n".join(pruned(text, words | asked, name) for name, text in texts.items())
    # Once more: what is left asks for fewer.
    style = pruned(style, words.union(_VARIABLE.findall(style)), STYLE)
    for name, text in ((STYLE, style), (SCRIPT, code)):
        (static / name).write_text(text, encoding="utf-8")
    own = [static / name for name in (STYLE, SCRIPT, *SEARCH)]
    versions = {path.name: _version(path) for path in own if path.is_file()}
    for page in pages:
        text = _rewritten(page, folder, versions) if page in fresh else _renewed(page, versions)
        page.path.write_text(text, encoding="utf-8")


def pruned(css: str, words: set[str], name: str) -> str:
    """A style sheet without what is for a class, an id or a custom property not among these words.

    Raises:
        ValueError: it cannot be read; the message says where.
    """
    rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    return "".join(_kept(rules, words, name))


def _kept(rules: Iterable, words: set[str], name: str) -> Iterator[str]:
    for rule in rules:
        if rule.type == "error":
            raise ValueError(f"{name}, line {rule.source_line}: {rule.message}")
        if rule.type == "qualified-rule":
            if prelude := _selectors(rule.prelude, words):
                yield f"{prelude}{{{_declared(rule.content, words)}}}\n"
        elif rule.type == "at-rule" and rule.lower_at_keyword in _NESTED and rule.content:
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            if body := "".join(_kept(inner, words, name)):
                prelude = tinycss2.serialize(rule.prelude).strip()
                yield f"@{rule.at_keyword} {prelude}{{\n{body}}}\n"
        elif rule.type == "at-rule" and rule.lower_at_keyword != "charset":
            yield f"{rule.serialize()}\n"


def _declared(content: Sequence, words: set[str]) -> str:
    """What stands in a rule, without custom properties that nothing asks for."""
    items = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    return ";".join(
        item.serialize().strip()
        for item in items
        if not (item.type == "declaration" and item.name[:2] == "--" and item.name[2:] not in words)
    )


def _selectors(prelude: Sequence, words: set[str]) -> str:
    """The selectors of a rule that may match, "" if none does."""
    groups: list[list] = [[]]
    for token in prelude:
        if token.type == "literal" and token.value == ",":
            groups.append([])
        else:
            groups[-1].append(token)
    return ",".join(tinycss2.serialize(g).strip() for g in groups if _may_match(g, words))


def _may_match(selector: Sequence, words: set[str]) -> bool:
    """What stands in brackets or in a function such as :not() is not looked into."""
    before = None
    for token in selector:
        if token.type == "hash" and token.value not in words:
            return False
        dot = before is not None and before.type == "literal" and before.value == "."
        if dot and token.type == "ident" and token.value not in words:
            return False
        before = token
    return True


def _inlined(path: Path, static: Path) -> str:
    """A style sheet with what it imports, and with addresses as they are seen from `static`."""
    text = path.read_text(encoding="utf-8")

    def imported(found: re.Match[str]) -> str:
        file = path.parent / unquote(urlsplit(found[1]).path)
        inner = _inlined(file, static)
        return f"@media {found[2].strip()}{{{inner}}}" if found[2].strip() else inner

    def moved(found: re.Match[str]) -> str:
        address = urlsplit(found[2])
        if address.scheme or address.netloc or not address.path:
            return found[0]
        # Not resolved: in a folder that is a link to another the way back would differ.
        seen = Path(os.path.relpath(path.parent / unquote(address.path), static)).as_posix()
        return f'url("{seen}{"#" + address.fragment if address.fragment else ""}")'

    return _IMPORT.sub(imported, _URL.sub(moved, text))


def _code(path: Path) -> str:
    text, without = path.read_text(encoding="utf-8"), LEFT_OUT.get(path.name, "")
    if without not in text:
        raise ValueError(
            f"{path.name} does not hold {without!r} any more, which the book leaves out: see what "
            "the new version does with boxes that scroll, and change LEFT_OUT"
        )
    text = text.replace(without, "") if without else text
    # Whoever wrote it keeps being named, which a minifier is told by an exclamation mark.
    return rjsmin.jsmin(_RIGHTS.sub("/*!", text), keep_bang_comments=True)


def _words_of(text: str) -> set[str]:
    """Classes and ids of a page, every word of its scripts, and the values that it asks for.

    A drawing stands in the page with rules of its own, which ask for the palette's colours.
    """
    # Found as text, which is quick. What only looks like an attribute keeps a rule too many.
    named = {word for found in _NAMES.finditer(text) for word in found[2].split()}
    inline = re.findall(r"<script\b[^>]*>(.*?)</script>", text, re.DOTALL)
    asked = _VARIABLE.findall(text)
    return named.union(asked, (word for code in inline for word in _WORD.findall(code)))


def _words_in(path: Path) -> list[str]:
    return _WORD.findall(path.read_text(encoding="utf-8", errors="replace"))


def _others(static: Path, joined: Sequence[Path]) -> list[Path]:
    """Scripts that are loaded later. Weights and the index of the search name no classes."""
    without = (*joined, *static.glob(steer.FILES), static / search.INDEX)
    return [path for path in static.rglob("*.js") if path not in without]


def _page(path: Path) -> Page:
    text = path.read_text(encoding="utf-8")
    files = []
    for pattern in (_SHEET, _LOADED):
        found = (_file(match[0], path) for match in pattern.finditer(text))
        files.append([file for file in found if file and file.name not in (STYLE, SCRIPT)])
    return Page(path, text, *files)


def _file(tag: str, page: Path) -> Path | None:
    """What a tag asks for, if it lies beside the page and is no module."""
    address = urlsplit(html.unescape(_HREF.search(tag)[1]))
    if address.scheme or address.netloc or 'type="module"' in tag:
        return None
    file = Path(os.path.normpath(page.parent / unquote(address.path)))
    return file if file.is_file() else None


def _in_order(lists: Iterable[Sequence[Path]]) -> list[Path]:
    """Each once; what only a later list has comes behind what stands before it there."""
    order: list[Path] = []
    for files in lists:
        place = 0
        for file in files:
            if file in order:
                place = order.index(file) + 1
            else:
                order.insert(place, file)
                place += 1
    return order


def _rewritten(page: Page, folder: Path, versions: dict[str, str]) -> str:
    static = Path(os.path.relpath(folder / "_static", page.path.parent)).as_posix()

    def tag_of_script(name: str) -> str:
        return f'<script defer src="{static}/{name}?v={versions[name]}"></script>\n'

    options = (folder / "_static" / OPTIONS).read_text(encoding="utf-8")
    head = [
        f'<link rel="stylesheet" href="{static}/{STYLE}?v={versions[STYLE]}">\n',
        f"<script>{options.strip()}</script>\n",
        tag_of_script(SCRIPT),
    ]
    if 'id="search-results"' in page.text:
        head += [tag_of_script(name) for name in SEARCH if name in versions]
    written = False

    def sheet(found: re.Match[str]) -> str:
        nonlocal written
        if _file(found[0], page.path) not in page.sheets:
            return found[0]
        first, written = not written, True
        return "".join(head) if first else ""

    def script(found: re.Match[str]) -> str:
        name = Path(urlsplit(html.unescape(_HREF.search(found[0])[1])).path).name
        joined = _file(found[0], page.path) in page.scripts
        return "" if joined or name in search.REPLACED else found[0]

    # Scripts first: those that are written here are not to be taken out again.
    text = _PRELOAD.sub("", _LOADED.sub(script, page.text))
    text = _CHARSET.sub(lambda found: found[0] + STORAGE, text, count=1)
    # A script names the scheme of the reader at once. Without one "auto" would be no scheme at all.
    return _SHEET.sub(sheet, text).replace('data-theme="auto"', 'data-theme="light"', 1)


def _renewed(page: Page, versions: dict[str, str]) -> str:
    """A page that was rewritten before, with the versions of now."""
    text = page.text
    for name, version in versions.items():
        text = re.sub(rf"{re.escape(name)}\?v=\w+", f"{name}?v={version}", text)
    return text


def _version(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8]


def _at_the_end(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        join(Path(app.outdir))


def setup(app: Sphinx) -> None:
    """Register it behind all that writes pages."""
    app.connect("build-finished", _at_the_end, priority=900)
