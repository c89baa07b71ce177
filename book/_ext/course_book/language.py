"""Mark the German words of the mini-world's lexicon in HTML: `<bdi lang="de" translate="no">`.

So a screen reader pronounces them, and a browser that translates leaves them alone. A form that
English has too ("die", "Ball") is German beside one that only German has.
"""

import re
from functools import cache
from itertools import chain

from course_lib.data.mini_world import german_forms as german
from course_lib.data.mini_world.lexicon.reader import load
from course_lib.data.mini_world.lexicon.vocabulary import DETERMINERS, NO, PREPOSITIONS, PRONOUNS

_PIECE = re.compile(
    r"<!--.*?-->|<(/?)([A-Za-z][\w:-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>|[^<]+|<", re.S
)
_RUN = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")
_CODE = re.compile("script|style|pre|code|textarea|template|option|math|title|desc")
_ENGLISH = ". , and but while then who that an has have do does not"
_GERMAN = ". , und aber während dann nicht"
_BOTH = {"am", "an", "in", "die", "hat", "see", "student", "tag"}


def english_words() -> set[str]:
    """Return every form of every English word of the full lexicon, punctuation included."""
    lexicon = load("full")
    words = [*lexicon.nouns, *lexicon.names, *PRONOUNS, *lexicon.verbs, *DETERMINERS.values()]
    forms = {form for word in chain(words, *lexicon.adverbs.values()) for form in word.english}
    forms |= {adjective.english for adjective in lexicon.adjectives}
    forms |= {verb.particle for verb in lexicon.verbs}
    return forms.union(PREPOSITIONS, _ENGLISH.split()) - {""}


def german_words() -> set[str]:
    """Return every form of every German word of the full lexicon, punctuation included."""
    lexicon = load("full")
    rows = [row for n in (*lexicon.nouns, *lexicon.names, *PRONOUNS) for row in n.german]
    rows += [row for a in lexicon.adjectives for row in (*a.weak, *a.mixed, *a.strong)]
    rows += [(*verb.german, verb.participle) for verb in lexicon.verbs]
    rows += [adverb.german for adverb in chain(*lexicon.adverbs.values())]
    for determiner in DETERMINERS.values():
        first, last = (0 if determiner.english[0] else 3), (4 if determiner.english[1] else 3)
        rows += [row[first:last] for row in determiner.german]
    rows += [*NO.german, *german.RELATIVE_PRONOUN, *german.AUXILIARIES.values()]
    rows += [german.CONTRACTIONS.values(), [each.german for each in PREPOSITIONS.values()]]
    return set(chain(*rows, _GERMAN.split())) - {""}


@cache
def every_word() -> dict[str, str]:
    """Return the language of each German word: "de", or "de?" for a form that English has too."""
    english = {form.lower() for form in english_words()} | _BOTH
    names = {word for name in load("full").names for row in name.german for word in row}
    words = sorted(form for form in german_words() if form.isalpha() and form not in names)
    return {form: "de?" if form.lower() in english else "de" for form in words}


def marked(page: str) -> str:
    """Return the HTML with each run of German words marked; code and formulas stay as they are."""
    written, skipped, depth, mark = [], "", 0, "bdi"
    for piece in _PIECE.finditer(page):
        close, tag, attributes = piece[1], (piece[2] or "").lower(), piece[3] or ""
        if skipped:
            depth += (-1 if close else 1) if tag == skipped else 0
            skipped = skipped if depth else ""
        elif tag:
            own = _CODE.fullmatch(tag) or re.search(r"\slang=(?!\"?en)", attributes)
            skipped, depth = ("" if close or not own else tag), 1
            mark = "tspan" if tag in ("text", "tspan") and not close else "bdi"
        elif not piece[0].startswith("<"):
            written.append(_RUN.sub(lambda run, mark=mark: _run(run[0].split(" "), mark), piece[0]))
            continue
        written.append(piece[0])
    return "".join(written)


def _run(words: list[str], mark: str) -> str:
    """Mark the German words in a run of words with single spaces between them."""
    known = every_word()
    kinds = [known.get(word, known.get(word[:1].lower() + word[1:], "-")) for word in words]
    signs = "".join(kind[-1] for kind in kinds)  # "e" German, "?" either, "-" English
    for run in reversed([*re.finditer(r"[e?]*e[e?]*", signs)]):
        first, last = run.span()
        words[first:last] = [
            f'<{mark} lang="de" translate="no">{" ".join(words[first:last])}</{mark}>'
        ]
    return " ".join(words)
