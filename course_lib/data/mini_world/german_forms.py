"""German inflection: articles, adjective endings, relative pronouns, noun cases.

Tables are indexed [case][column]; the columns are masculine, feminine, neuter and plural, because
German keeps genders apart in the singular only. The genitive is not used in the mini-world.
Reference: Duden, Die Grammatik, chapters on article words, adjectives and pronouns.
"""

NOMINATIVE, ACCUSATIVE, DATIVE = range(3)
MASCULINE, FEMININE, NEUTER, PLURAL = range(4)
GENDERS = {"m": MASCULINE, "f": FEMININE, "n": NEUTER}

Paradigm = tuple[tuple[str, ...], ...]
"""Forms by case, then by column."""


def _table(text: str) -> Paradigm:
    """Read three lines of four forms; `-` stands for the empty string."""
    rows = [line.split() for line in text.strip().splitlines()]
    return tuple(tuple("" if form == "-" else form for form in row) for row in rows)


DEFINITE_ARTICLE = _table("""
der die das die
den die das die
dem der dem den
""")

RELATIVE_PRONOUN = _table("""
der die das die
den die das die
dem der dem denen
""")

_DER_WORD = _table("""
er e es e
en e es e
em er em en
""")

_EIN_WORD = _table("""
- e - e
en e - e
em er em en
""")

WEAK = _table("""
e e e en
en e e en
en en en en
""")
"""Adjective endings after der, dieser, jeder, alle: the article word shows the case."""

MIXED = _table("""
er e es en
en e es en
en en en en
""")
"""Adjective endings after ein, kein, mein, unser."""

STRONG = _DER_WORD
"""Adjective endings with no article word, or after one without an ending of its own (zwei) or with
the same endings (viele, einige): the adjective shows the case."""

INVARIABLE = _table("""
- - - -
- - - -
- - - -
""")

_ENDINGS = {"der": _DER_WORD, "ein": _EIN_WORD, "number": INVARIABLE}


def inflect(stem: str, endings: Paradigm) -> Paradigm:
    """Joins a stem to every ending of a table."""
    return tuple(tuple(stem + ending for ending in row) for row in endings)


def article_word(stem: str, kind: str) -> Paradigm:
    """The forms of an article word of kind "der" (dieser), "ein" (mein) or "number" (zwei)."""
    return inflect(stem, _ENDINGS[kind])


def noun_forms(singular: str, plural: str | None, weak: bool) -> Paradigm:
    """The forms of a noun by case, then singular and plural.

    The dative plural takes -n unless it ends in -n or -s already (den Hunden, den Autos). A weak
    masculine (n-declension) has its plural form in every singular case but the nominative
    (der Junge, den Jungen).
    """
    if plural is None:
        return tuple((singular, "") for _ in range(3))
    oblique = plural if weak else singular
    dative = plural if plural[-1] in "ns" else plural + "n"
    return ((singular, plural), (oblique, plural), (oblique, dative))


CONTRACTIONS = {
    ("in", "dem"): "im",
    ("an", "dem"): "am",
    ("bei", "dem"): "beim",
    ("von", "dem"): "vom",
}
"""Preposition and unstressed article melt into one word."""

AUXILIARIES = {"haben": ("hat", "haben"), "sein": ("ist", "sind")}
"""Third person singular and plural of the two auxiliaries of the perfect."""
