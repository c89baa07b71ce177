"""Which words of a page are not English, and their marks: `<bdi lang="de" translate="no">`.

A screen reader pronounces a marked word as German, and a browser that translates the page leaves it
alone. No author marks single words: the mini-world's lexicon tells them. A form that English has
too ("in", "die", "Ball") is German if German words stand beside it, if it is set in italics, or if
it stands alone in a figure with other German words. Nothing changes inside an element that has a
`lang` of its own, so a mark by hand wins.

`touch/language.js` follows the same rules for what a script writes later.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

from course_lib.data.mini_world.lexicon.forms import english_forms, german_forms
from course_lib.data.mini_world.lexicon.reader import load

MARK = "bdi"
"""The element around marked words: no style of a figure asks for it, as many do for `span`."""
_BOTH = """
am an in hat die warmer wilder starker alter Auto Baby Ball Bank Boot Brief Clown Clowns Hammer Kind
Museum Park Parks Ring Rose See Sofa Sofas Student Tag Tiger Wolf
"""
"""Forms of the lexicon that English text may hold with another meaning; all others are German."""
_WEAK = "am an in"
"""Those of them that are English even in italics, unless German words stand beside them."""
_MORE = "zu Untersuchungen dynamischen neuronalen Netzen Universität München Technische"
"""German words of the bibliography, which the lexicon does not have."""
_FRENCH = """
aux avec avons aussi avoir beaucoup bien cela ces cet cette chambre comité dans depuis deux doit
donc député députés elles entre faire gouvernement ils je jour leur leurs loi lorsque mais
maison maisons messieurs ministre monsieur même nos notre nous où parce peut pourquoi présent
président puis quand que quelle quelques qui quoi ses sont sous tous toute toutes très une voici
votre vous à ça été être c'est d'un d'une j'ai l'honorable n'est qu'il s'il
"""
"""What the Hansards' sentences are recognised by."""
_FRENCH_BOTH = (
    "a d de des du en est et l la le les on par plus pour sa se son sur un dit tout sans il elle"
)
"""French words that stand in English text too, as in "et al."."""
_ENGLISH = """
a about after all also am an and are as at be been before beside best both but by can did do
does each every first for from had has have he her here his how if in into is it its like looks
may mean more most must no nor not now of on one or other our out over reads right same see she
so some step than that the their them then there these they this those to true two was we were
what when where which who why will with without word words writes wrong you your
"""
_TAG = re.compile(
    r"<!--.*?-->|<(/?)([A-Za-z][\w:-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>", re.DOTALL
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_TOKEN = re.compile(rf"{_WORD.pattern}|[,;.!?…]")
_ENTITY = re.compile(r"&#?\w+;")
_SOFT = re.compile(r"[\s·–-]*")
"""What may stand between two words of one phrase; a quote, a bracket or a colon parts them."""
_UNTOUCHED = frozenset(("script", "style", "pre", "code", "textarea", "template", "option"))
_VOID = frozenset(
    ("area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)
_EMPHASIS = frozenset(("em", "i", "u", "mark", "mtext", "ruby"))
_SCOPES = frozenset(("figure", "svg", "table"))
_AUTHORS = re.compile(r"\b(?:citation-list|bibtex-citation)\b")
_OWN = re.compile(r"(?<![\w:-])lang=\"?([\w-]+)")
_SIGNATURE = re.compile(r"\bsig-object\b")
_KIND = re.compile(r"\b(?:class|scope)=\"[^\"]*\"")
_EITHER, _SIGN = "?", ","


class Span(NamedTuple):
    """A part of a text, and its language."""

    start: int
    end: int
    language: str


class _Open(NamedTuple):
    """An element that has begun."""

    tag: str = ""
    kind: str = ""
    own: str = ""
    authors: bool = False


@dataclass
class _Text:
    """A piece of text between two tags."""

    place: int  # among the pieces of the page
    text: str
    tag: str
    kind: str  # the tag with its class and scope: cells of one kind hold one sentence
    scope: int
    own: str = ""  # the language that an element around it names
    authors: bool = False
    spans: list[Span] = field(default_factory=list)


@cache
def _german() -> frozenset[str]:
    forms = {word for word in german_forms(load("full")) if word.isalpha()}
    return frozenset(forms - _names())


@cache
def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


@cache
def _names() -> frozenset[str]:
    return frozenset(w for name in load("full").names for row in name.german for w in row)


@cache
def _english() -> frozenset[str]:
    return (_set(_ENGLISH) | english_forms(load("full"))) - _names() - _set(_BOTH)


def language(word: str, known: Mapping[str, str]) -> str:
    """What a word is by itself: "de", "fr", "" (English), "de?" or "fr?" (either), "," (a sign).

    Args:
        word: letters, as they stand in a text.
        known: what has been found out about words, such as from the figure that they stand in.
    """
    return known[word] if word in known else _by_itself(word)


@cache
def _by_itself(word: str) -> str:
    if not word[:1].isalpha():
        return _SIGN
    for form in (word, word[:1].lower() + word[1:]):
        if form in _set(_BOTH) or form in _names():
            return "de?"
        if form in _german():
            return "de"
    small = word.lower().replace("’", "'")
    return "fr" if small in _set(_FRENCH) else "fr?" if small in _set(_FRENCH_BOTH) else ""


def spans(text: str, known: Mapping[str, str] = MappingProxyType({})) -> list[Span]:
    """The parts of a text that are not English.

    Args:
        text: plain text.
        known: see `language`.
    """
    found: list[Span] = []
    for phrase in _phrases(text):
        place = 0
        for spoken, words in groupby(_decided([word[0] for word in phrase], known)):
            count = len(list(words))
            if spoken and not spoken.endswith(_EITHER):
                first, last = phrase[place], phrase[place + count - 1]
                found.append(Span(first.start(), last.end(), spoken))
            place += count
    return found


def _phrases(text: str) -> Iterator[list[re.Match[str]]]:
    """Words and signs with nothing between them that would part them."""
    phrase: list[re.Match[str]] = []
    for word in _TOKEN.finditer(text):
        if phrase and not _SOFT.fullmatch(text[phrase[-1].end() : word.start()]):
            yield phrase
            phrase = []
        phrase.append(word)
    if phrase:
        yield phrase


def _decided(words: Sequence[str], known: Mapping[str, str]) -> list[str]:
    """The language of each word of a phrase; "de?" is what nothing decides."""
    kinds = [language(word, known) for word in words]
    if not any(kind and kind != _SIGN for kind in kinds):
        return [""] * len(words)
    kinds = _with_unknown(words, kinds)
    decided: list[str] = []
    for kind, run in groupby(kinds):
        first, last = len(decided), len(decided) + len(list(run))
        if kind.endswith(_EITHER):
            own, beside = kind[:-1], {*kinds[:first][-1:], *kinds[last:][:1]}
            weak = bool(_set(_WEAK) & {*words[first:last]})
            if not weak:
                beside -= {_SIGN}
            # Beside a German word it is German; a weak one has no English word beside it either.
            if beside:
                kind = own if beside == {own} or (own in beside and not weak) else ""
        decided += ["" if kind == _SIGN else kind] * (last - first)
    return decided


def _with_unknown(words: Sequence[str], kinds: list[str]) -> list[str]:
    """In a foreign phrase: also its words that no list has, in German if they look like nouns."""
    sure = {kind for kind in kinds if kind in ("de", "fr")}
    english = any(
        not kind and word.lower() in _english() for word, kind in zip(words, kinds, strict=True)
    )
    if len(sure) != 1 or english:
        return kinds
    (only,) = sure
    mine = [kind in (only, only + _EITHER) for kind in kinds]
    if sum(mine) < 2 or 2 * sum(mine) < len(words) - kinds.count(_SIGN):
        return kinds
    return [
        only if our or (not kind and (only == "fr" or word.istitle())) else kind
        for our, word, kind in zip(mine, words, kinds, strict=True)
    ]


def found_in(strings: Iterable[str]) -> dict[str, str]:
    """What the texts of one figure say about its words, for `known`: the language of each.

    A form that English has too is German if it stands beside German words and never in an English
    phrase, "de?" if it does both, and German if it is the one word of a text, such as a label.
    """
    found: dict[str, str] = {}
    seen: dict[str, Counter[str]] = {}
    whole: set[str] = set()
    for text in dict.fromkeys(strings):
        whole.update(_WORD.findall(text)[:1] * (len(_WORD.findall(text)) == 1))
        for phrase in _phrases(text):
            words = [word[0] for word in phrase]
            for word, spoken in zip(words, _decided(words, {}), strict=True):
                if language(word, {}).endswith(_EITHER):
                    seen.setdefault(word, Counter())[spoken] += 1
                elif spoken:
                    found[word] = spoken
    german = "de" in found.values()
    for word, times in seen.items():
        foreign = next((spoken for spoken in ("de", "fr") if times[spoken]), "")
        alone = language(word, {}) == "de?" and word not in _set(_WEAK) | _names()
        if german and alone and word in whole:
            found[word] = "de"
        elif foreign:
            found[word] = foreign + _EITHER if times[""] else foreign
    return found


def every_word() -> dict[str, str]:
    """The whole German lexicon, for a figure whose network may write any of it."""
    words = dict.fromkeys(sorted(_german()), "de")
    return {**words, **dict.fromkeys(sorted(_set(_BOTH)), "de?")}


def texts(page: str) -> list[str]:
    """The pieces of text in HTML, without code."""
    return [_plain(one.text).strip() for one in _taken_apart(page)[1]]


def marked(page: str) -> str:
    """HTML in which every foreign word is marked; code and scripts stay as they are."""
    pieces, found = _taken_apart(page)
    for _, together in groupby(sorted(found, key=lambda one: one.scope), lambda one: one.scope):
        _decide(list(together))
    for one in found:
        if one.spans and not one.own:
            pieces[one.place] = _with_marks(one, pieces)
    return "".join(pieces)


def _taken_apart(page: str) -> tuple[list[str], list[_Text]]:
    """The page in pieces, tags and texts in turn, and those texts."""
    pieces: list[str] = []
    found: list[_Text] = []
    stack = [_Open()]
    scope = scopes = 0
    end = 0

    def text(until: int) -> None:
        raw = page[end:until]
        inside = stack[-1]
        if _TOKEN.search(raw):
            found.append(_Text(len(pieces), raw, inside.tag, inside.kind, scope, *inside[2:]))
        pieces.append(raw)

    while sign := _TAG.search(page, end):
        text(sign.start())
        pieces.append(sign[0])
        end = sign.end()
        tag = (sign[2] or "").lower()
        if not tag or tag in _VOID or sign[0].endswith("/>"):
            continue
        if sign[1]:
            names = [one.tag for one in stack]
            if tag in names:
                del stack[len(names) - 1 - names[::-1].index(tag) :]
            if tag in _SCOPES and not _SCOPES.intersection(one.tag for one in stack):
                scope = 0
            continue
        if tag in _UNTOUCHED:
            close = page.find(f"</{sign[2]}", end)
            pieces.append(page[end : close if close >= 0 else len(page)])
            end = close if close >= 0 else len(page)
            continue
        if tag in _SCOPES and not scope:
            scope = scopes = scopes + 1
        _, _, own, authors = stack[-1]
        if said := _OWN.search(sign[3]):
            own = said[1]
        elif _SIGNATURE.search(sign[3]):
            own = "code"
        authors = authors or bool(_AUTHORS.search(sign[3]))
        stack.append(_Open(tag, tag + "".join(_KIND.findall(sign[3])), own, authors))
    text(len(page))
    return pieces, found


def _decide(texts: list[_Text]) -> None:
    """Find the spans of the texts of one figure, or of all that stands in none (scope 0)."""
    rows: list[list[_Text]] = []
    known: dict[str, str] = {}
    if texts[0].scope:
        rows = _rows(texts)
        sentences = (" ".join(one.text.strip() for one in row) for row in rows)
        known = found_in([*(_plain(one.text) for one in texts), *sentences])
        for one in texts:
            if one.own in ("de", "fr"):
                words = [word for word in _WORD.findall(one.text) if language(word, known)]
                known |= dict.fromkeys(words, one.own)
    for one in texts:
        one.spans = _of_authors(one) if one.authors else spans(_plain(one.text), known)
        one.spans = one.spans or _alone(one)
    for row in rows:
        decided = _decided([one.text.strip() for one in row], {})
        if "de" in decided or "fr" in decided:
            for one, spoken in zip(row, decided, strict=True):
                if spoken and not spoken.endswith(_EITHER):
                    one.spans = [_whole(one.text, spoken)]
        elif "" in decided:
            for one in row:
                one.spans = []


def _rows(texts: Iterable[_Text]) -> list[list[_Text]]:
    """Words that stand in cells, or are drawn, each of one kind: together they are a sentence."""
    rows: dict[str, list[_Text]] = {}
    for one in texts:
        if _TOKEN.fullmatch(one.text.strip()):
            rows.setdefault(one.kind, []).append(one)
    found = []
    for row in rows.values():
        words = {one.text.strip() for one in row}
        # With glosses among the words it is no sentence.
        if not (words & _english() and any(language(word, {}) in ("de", "fr") for word in words)):
            found.append(row)
    return found


def _of_authors(one: _Text) -> list[Span]:
    """Of a list of papers: not Wolf or Das, who wrote them, but a German title."""
    more = dict.fromkeys(_set(_MORE), "de")
    found = spans(one.text, more)
    return [span for span in found if one.text[span.start : span.end].split()[0] in more]


def _alone(one: _Text) -> list[Span]:
    """A form that English has too, alone in italics or before its gloss in brackets."""
    word = _WORD.match(one.text.strip())
    if not word or word[0] in _set(_WEAK) or word[0] in _names() or language(word[0], {}) != "de?":
        return []
    rest = one.text.strip()[word.end() :]
    if rest.startswith(" (") if rest else one.tag in _EMPHASIS:
        start = one.text.index(word[0])
        return [Span(start, start + len(word[0]), "de")]
    return []


def _whole(text: str, spoken: str) -> Span:
    start = len(text) - len(text.lstrip())
    return Span(start, start + len(text.strip()), spoken)


def _plain(raw: str) -> str:
    """The text with a sign that parts words in the place of each entity, as long as before."""
    return _ENTITY.sub(lambda entity: "|" * len(entity[0]), raw)


def _with_marks(one: _Text, pieces: list[str]) -> str:
    mark = MARK
    if one.tag == "annotation":  # the TeX of a formula, in which nothing can be marked
        pieces[one.place - 1] = f'{pieces[one.place - 1][:-1]} lang="{one.spans[0].language}">'
        return one.text
    if one.tag in ("text", "tspan"):
        mark = "tspan"
    if one.tag == "mtext":
        return _in_formula(one, pieces)
    return _between(one, f'<{mark} lang="%s" translate="no">', f"</{mark}>")


def _between(one: _Text, before: str, after: str) -> str:
    """The text with tags around each span; in the first of them `%s` is the language."""
    done, parts = 0, []
    for start, end, spoken in one.spans:
        parts += [one.text[done:start], before % spoken, one.text[start:end], after]
        done = end
    return "".join([*parts, one.text[done:]])


def _in_formula(one: _Text, pieces: list[str]) -> str:
    """Elements of a formula hold no marks: the whole one says it, or it is parted."""
    tag, around = pieces[one.place - 1], one.text.strip()
    if [one.text[span.start : span.end] for span in one.spans] == [around]:
        pieces[one.place - 1] = f'{tag[:-1]} lang="{one.spans[0].language}">'
        return one.text
    pieces[one.place - 1], pieces[one.place + 1] = f"<mrow>{tag}", "</mtext></mrow>"
    return _between(one, '</mtext><mtext lang="%s">', "</mtext><mtext>")
