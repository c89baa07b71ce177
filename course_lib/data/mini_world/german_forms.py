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
    """Read a row of four forms for each case; `-` stands for the empty string."""
    return tuple(tuple(form.strip("-") for form in row.split()) for row in text.split("/"))


DEFINITE_ARTICLE = _table("der die das die / den die das die / dem der dem den")
RELATIVE_PRONOUN = _table("der die das die / den die das die / dem der dem denen")
LIKE_DER = _table("er e es e / en e es e / em er em en")
LIKE_EIN = _table("- e - e / en e - e / em er em en")
INVARIABLE = _table("- - - - / - - - - / - - - -")

WEAK = _table("e e e en / en e e en / en en en en")
"""Adjective endings after der, dieser, jeder, alle: the article word shows the case."""
MIXED = _table("er e es en / en e es en / en en en en")
"""Adjective endings after ein, kein, mein, unser."""
STRONG = LIKE_DER
"""Adjective endings with no article word, or after one without an ending of its own (zwei) or with
the same endings (viele, einige): the adjective shows the case."""

CONTRACTIONS = {
    ("in", "dem"): "im",
    ("an", "dem"): "am",
    ("bei", "dem"): "beim",
    ("von", "dem"): "vom",
}
"""Preposition and unstressed article melt into one word."""

AUXILIARIES = {"haben": ("hat", "haben"), "sein": ("ist", "sind")}
"""Third person singular and plural of the two auxiliaries of the perfect."""


def inflect(stem: str, endings: Paradigm) -> Paradigm:
    """Add every ending of a table to a stem."""
    return tuple(tuple(stem + ending for ending in row) for row in endings)


def noun_forms(singular: str, plural: str | None, weak: bool) -> Paradigm:
    """Return the forms of a noun by case, then singular and plural.

    The dative plural takes -n unless it ends in -n or -s already (den Hunden, den Autos). A weak
    masculine (n-declension) has its plural form in every singular case but the nominative
    (der Junge, den Jungen).
    """
    if plural is None:
        return ((singular, ""),) * 3
    oblique = plural if weak else singular
    dative = plural if plural[-1] in "ns" else plural + "n"
    return ((singular, plural), (oblique, plural), (oblique, dative))
