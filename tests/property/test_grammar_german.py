"""A checker of German written apart from the grammar, over hundreds of its sentences.

It sees the words of a sentence, which of them are relative pronouns, and a list of verb forms. Its
tables (gender, plural, articles, endings, cases after prepositions and verbs) are written here by
hand from school grammar.
"""

import re
from itertools import product

import pytest

from course_lib.data.mini_world.grammar import sample
from course_lib.data.mini_world.lexicon.reader import load

NOUNS = """
der Mann Männer, die Frau Frauen, das Kind Kinder, *der Junge Jungen, das Mädchen Mädchen,
der Lehrer Lehrer, der Freund Freunde, der König Könige, die Großmutter Großmütter,
*der Student Studenten, die Tante Tanten, der Arzt Ärzte, der Bäcker Bäcker, *der Bauer Bauern,
die Königin Königinnen, *der Prinz Prinzen, die Prinzessin Prinzessinnen, die Mutter Mütter,
der Vater Väter, der Bruder Brüder, die Schwester Schwestern, der Großvater Großväter,
der Onkel Onkel, *der Nachbar Nachbarn, der Gast Gäste, der Maler Maler, die Sängerin Sängerinnen,
die Tänzerin Tänzerinnen, *der Pirat Piraten, der Ritter Ritter, die Hexe Hexen,
der Zauberer Zauberer, der Zwerg Zwerge, *der Riese Riesen, der Clown Clowns, das Baby Babys,
der Hund Hunde, die Katze Katzen, das Pferd Pferde, der Vogel Vögel, *der Bär Bären,
die Ente Enten, die Maus Mäuse, die Kuh Kühe, das Schwein Schweine, die Ziege Ziegen,
der Esel Esel, das Huhn Hühner, die Gans Gänse, das Lamm Lämmer, das Kaninchen Kaninchen,
der Wolf Wölfe, der Fuchs Füchse, *der Löwe Löwen, der Tiger Tiger, *der Affe Affen,
*der Elefant Elefanten, das Eichhörnchen Eichhörnchen, der Frosch Frösche, die Eule Eulen,
der Pinguin Pinguine, *der Drache Drachen, der Apfel Äpfel, der Kuchen Kuchen, das Ei Eier,
die Suppe -, das Brot -, die Birne Birnen, die Kirsche Kirschen, die Tomate Tomaten,
die Karotte Karotten, die Kartoffel Kartoffeln, die Nuss Nüsse, der Pfannkuchen Pfannkuchen,
der Käse -, der Salat -, die Milch -, das Wasser -, der Tee -, der Saft -, der Kaffee -,
das Buch Bücher, der Brief Briefe, die Zeitung Zeitungen, die Geschichte Geschichten,
das Gedicht Gedichte, der Witz Witze, der Ball Bälle, die Puppe Puppen, der Roboter Roboter,
der Schlüssel Schlüssel, die Blume Blumen, der Hut Hüte, die Tasche Taschen,
der Regenschirm Regenschirme, der Mantel Mäntel, der Schal Schals, das Kleid Kleider,
das Hemd Hemden, der Schuh Schuhe, die Kiste Kisten, die Lampe Lampen, die Uhr Uhren,
die Tasse Tassen, das Bild Bilder, das Geschenk Geschenke, die Rose Rosen, der Ring Ringe,
die Krone Kronen, der Löffel Löffel, der Pinsel Pinsel, der Bleistift Bleistifte,
die Gabel Gabeln, das Messer Messer, der Hammer Hämmer, das Auto Autos, das Fahrrad Fahrräder,
das Boot Boote, der Tisch Tische, der Stuhl Stühle, das Bett Betten, das Sofa Sofas,
der Schrank Schränke, die Bank Bänke, die Tür Türen, das Fenster Fenster, der Garten Gärten,
das Haus Häuser, die Küche Küchen, der Baum Bäume, der Fluss Flüsse, die Schule Schulen,
der Park Parks, der Wald Wälder, die Kirche Kirchen, das Schloss Schlösser, der Turm Türme,
die Brücke Brücken, der See Seen, das Meer Meere, der Berg Berge, der Hügel Hügel,
das Dorf Dörfer, die Stadt Städte, die Straße Straßen, der Bahnhof Bahnhöfe, das Museum Museen,
der Laden Läden, das Zelt Zelte, das Zimmer Zimmer
"""
CASES, COLUMNS = "NAD", "mfnp"
EVERYTHING = set(product(CASES, COLUMNS))


def cells(text):
    """`Nm Df` to {("N", "m"), ("D", "f")}."""
    return {tuple(cell) for cell in text.split()}


def listed(text):
    """The words of a text."""
    return set(text.split())


FORMS: dict[str, set] = {}
MASS = set()
for entry in NOUNS.replace("\n", " ").strip().split(","):
    article, singular, plural = entry.split()
    gender = {"r": "m", "e": "f", "s": "n"}[article[-1]]
    oblique = plural if article[0] == "*" else singular
    forms = [(singular, f"N{gender}"), (oblique, f"A{gender} D{gender}")]
    if plural != "-":
        forms += [(plural, "Np Ap"), (plural + ("" if plural[-1] in "ns" else "n"), "Dp")]
    else:
        MASS.add(singular)
    for form, where in forms:
        FORMS.setdefault(form, set()).update(cells(where))
NAMES = listed("Anna Paul Emma Max Lena Tim Clara Jonas")

DER = {"er": "Nm Df", "e": "Nf Af Np Ap", "es": "Nn An", "en": "Am Dp", "em": "Dm Dn"}
EIN = {"": "Nm Nn An", "e": "Nf Af Np Ap", "en": "Am Dp", "em": "Dm Dn", "er": "Df"}
ARTICLES = {
    "der": ("weak", cells("Nm Df")), "die": ("weak", cells("Nf Af Np Ap")),
    "das": ("weak", cells("Nn An")), "den": ("weak", cells("Am Dp")),
    "dem": ("weak", cells("Dm Dn")), "im": ("weak", cells("Dm Dn")),
    "am": ("weak", cells("Dm Dn")), "beim": ("weak", cells("Dm Dn")),
    "vom": ("weak", cells("Dm Dn")),
}  # fmt: skip
for ending, where in DER.items():
    ARTICLES |= {stem + ending: ("weak", cells(where)) for stem in ("dies", "jed", "all")}
    ARTICLES |= {stem + ending: ("strong", cells(where)) for stem in ("viel", "einig")}
for ending, where in EIN.items():
    kind = "mixed" if ending else "strong"
    ARTICLES |= {stem + ending: (kind, cells(where)) for stem in ("ein", "kein", "mein", "unser")}
ARTICLES |= {number: ("strong", {(c, "p") for c in CASES}) for number in ("zwei", "drei", "vier")}
RELATIVES = {word: ARTICLES[word][1] for word in ("der", "die", "das", "dem")}
RELATIVES |= {"den": cells("Am"), "denen": cells("Dp")}
WEAK = {"e": cells("Nm Nf Nn Af An")}
WEAK["en"] = EVERYTHING - WEAK["e"]
STRONG = {ending: cells(where) for ending, where in DER.items()}

PREPOSITIONS = dict.fromkeys(listed("mit in auf unter neben hinter bei an von im am beim vom"), "D")
PREPOSITIONS["für"] = "A"
DATIVE = listed("""
hilft helfen geholfen dankt danken gedankt folgt folgen gefolgt antwortet antworten geantwortet
vertraut vertrauen gratuliert gratulieren
""")
MOVING = listed("gelaufen geschwommen gesprungen geflogen gereist gefolgt")
GIVING = listed("""
gibt geben gegeben zeigt zeigen gezeigt bringt bringen gebracht schickt schicken geschickt
erzählt erzählen
""")
ADVERBS = listed("""
heute jetzt oft manchmal selten nie schon neulich nachts dann hier draußen nicht
schnell langsam laut leise fröhlich gern vorsichtig geduldig friedlich höflich heimlich
""") | {
    "heute Abend", "jeden Tag", "jeden Morgen", "jeden Abend",
    "am Montag", "am Freitag", "am Sonntag",
}  # fmt: skip
PRONOUNS = {"er": "s", "sie": "sp"}
AUXILIARIES = {"hat": "s", "ist": "s", "haben": "p", "sind": "p"}


class WrongGerman(Exception):
    """What a teacher would mark in red."""


def chunks(words):
    """Splits a field into adverbs, noun phrases and prepositional phrases.

    A noun phrase becomes (kind, the cells that all its words agree on, plural or not by "sp").
    """
    found, i = [], 0
    while i < len(words):
        two = " ".join(words[i : i + 2])
        if two in ADVERBS or words[i] in ADVERBS:
            found.append(("adverb", two if two in ADVERBS else words[i]))
            i += 2 if two in ADVERBS else 1
        elif words[i] in PRONOUNS:
            found.append(("np", {("N", x) for x in PRONOUNS[words[i]]}))
            i += 1
        elif words[i] == "und":
            phrases = chunks(words[i + 1 :])
            if not found or not phrases or found[-1][0] != "np" or phrases[0][0] != "np":
                raise WrongGerman("und joins no two noun phrases")
            cases = {c for c, _ in found.pop()[1]} & {c for c, _ in phrases[0][1]}
            return [*found, ("np", {(c, "p") for c in cases}), *phrases[1:]]
        else:
            preposition = PREPOSITIONS.get(words[i])
            i += preposition is not None and words[i] not in ARTICLES
            start = i
            agreed, i = noun_phrase(words, i)
            if preposition:
                agreed = {cell for cell in agreed if cell[0] == preposition}
            if not agreed:
                raise WrongGerman(f"no agreement in {words[start:i]}")
            found.append(("pp" if preposition else "np", agreed))
    return found


def noun_phrase(words, i):
    """The cells on which article, adjectives and noun agree, and the position after them."""
    if i < len(words) and words[i] in NAMES:
        return {(c, "s") for c in CASES}, i + 1
    kind, agreed = "strong", EVERYTHING
    bare = words[i] not in ARTICLES
    if not bare:
        kind, agreed = ARTICLES[words[i]]
        i += 1
    while i < len(words) and words[i].islower() and words[i] not in ADVERBS:
        ending = re.search(r"(e|er|es|en|em)$", words[i])
        table = STRONG if kind == "strong" else WEAK
        if ending is None or ending[1] not in table:
            raise WrongGerman(f"{words[i]} has no ending that fits")
        agreed = agreed & table[ending[1]]
        i += 1
    if i >= len(words) or words[i] not in FORMS:
        raise WrongGerman(f"a noun was due at {words[i : i + 1]}")
    agreed = agreed & FORMS[words[i]]
    if bare and words[i] not in MASS:
        agreed = {cell for cell in agreed if cell[1] == "p"}
    return agreed, i + 1


def number(agreed):
    """The numbers, "s" and "p", that a phrase can have in the nominative."""
    return {"p" if x == "p" else "s" for c, x in agreed if c == "N"}


def check_cases(verb, phrases, numbers, gap):
    """Subject first, then the objects in the cases that the verb governs.

    Args:
        verb: the form of the full verb.
        phrases: noun phrases in order, without the one that became a relative pronoun.
        numbers: the numbers that the finite verb allows.
        gap: the cells of the relative pronoun, None in other clauses.
    """
    objects = "D" if verb in DATIVE else "A"
    orders = [("N",), ("N", objects)] if verb not in GIVING else [("N", "D", "A")]
    for order in orders:
        for missing in range(len(order)) if gap else [None]:
            cases = [case for k, case in enumerate(order) if k != missing]
            roles = list(zip(cases, phrases, strict=False))
            if gap:
                roles.append((order[missing], gap))
            fits = len(cases) == len(phrases) and all(
                any(cell[0] == case for cell in agreed) for case, agreed in roles
            )
            if fits and any(c == "N" and number(agreed) & numbers for c, agreed in roles):
                return
    raise WrongGerman(f"cases or number do not fit {verb}")


def finite_verb(words, verbs, final):
    """Where the finite verb and the participle (or None) stand, and the numbers it allows."""
    for i, word in enumerate(words):
        if word in AUXILIARIES:
            participle = i - 1 if final else len(words) - 1
            if words[participle] not in verbs:
                raise WrongGerman(f"no participle at the end of {words}")
            if (word in ("ist", "sind")) != (words[participle] in MOVING):
                raise WrongGerman(f"the wrong auxiliary in {words}")
            return i, participle, AUXILIARIES[word]
    spots = [i for i, word in enumerate(words) if word in verbs]
    if len(spots) != 1:
        raise WrongGerman(f"{len(spots)} verbs in {words}")
    form = words[spots[0]]
    return spots[0], None, "s" if form.endswith("t") or form == "mag" else "p"


def check_clause(words, verbs, final, gap=None):
    """A clause without its relative clauses: verb second, or last; then agreement and cases."""
    i, participle, numbers = finite_verb(words, verbs, final)
    verb = words[i if participle is None else participle]
    if final and i != len(words) - 1:
        raise WrongGerman(f"the finite verb is not last in {words}")
    rest = [w for k, w in enumerate(words) if k not in (i, participle)]
    if final:
        parts = chunks(rest)
    else:
        first, parts = chunks(words[:i]), chunks(rest[i:])
        if sum(kind != "pp" for kind, _ in first) != 1:
            raise WrongGerman(f"{words[:i]} is not one constituent before the finite verb")
        if first[0][0] == "pp":
            raise WrongGerman(f"{words[:i]} begins with a prepositional phrase")
        if first[0][0] == "adverb" and (not parts or parts[0][0] != "np"):
            raise WrongGerman("no subject after the finite verb")
        parts = first + parts
    check_cases(verb, [agreed for kind, agreed in parts if kind == "np"], set(numbers), gap)
    if ("adverb", "nicht") in parts:
        after = parts[parts.index(("adverb", "nicht")) :]
        if any(kind == "np" for kind, _ in after):
            raise WrongGerman("an object after nicht")


def antecedent(words, start, relatives):
    """The cells of the noun phrase that ends in the last noun before a position."""
    last = max(k for k in range(start) if words[k] in FORMS)
    for first in range(max(0, last - 3), last):
        if words[first] in ARTICLES and first not in relatives:
            agreed, end = noun_phrase(words, first)
            if end == last + 1:
                return agreed
    return FORMS[words[last]]


def check(words, relatives, verbs):
    """Checks a sentence.

    Args:
        words: the German words.
        relatives: positions of the relative pronouns.
        verbs: every form of every full verb.
    """
    words, masked = list(words), list(words)
    if words[-1] != ".":
        raise WrongGerman("no full stop")
    for start in sorted(relatives):
        end = next(k for k in range(start, len(words)) if words[k] in (",", "."))
        if words[start - 1] != ",":
            raise WrongGerman("no comma before a relative clause")
        columns = {column for _, column in antecedent(words, start, relatives)}
        gap = {cell for cell in RELATIVES.get(words[start], ()) if cell[1] in columns}
        if not gap:
            raise WrongGerman(f"{words[start]} does not agree with what it refers to")
        check_clause(words[start + 1 : end], verbs, True, gap)
        for k in range(start - 1, end):
            masked[k] = ""
        following = words[end + 1] if end + 1 < len(words) else ""
        if words[end] == "," and following not in ("und", "aber", "während"):
            masked[end] = "" if end + 1 not in relatives else ","
    clauses = re.split(r" ?, ", " ".join(word for word in masked[:-1] if word))
    for k, clause in enumerate(clauses):
        body = clause.split()
        if k and body[0] not in ("und", "aber", "während"):
            raise WrongGerman(f"a comma that opens nothing before {body[0]}")
        check_clause(body[k > 0 :], verbs, k > 0 and body[0] == "während")


VERBS = {form for verb in load("full").verbs for form in (*verb.german, verb.participle)}


def relatives(pair):
    """Where the German relative pronouns stand, by the gold links of who and that."""
    return {j for i, j in pair.sure if pair.source[i] in ("who", "that")}


@pytest.mark.parametrize("split", ["train", "compositional"])
@pytest.mark.parametrize(
    ("size", "low", "high"), [("full", 4, 60), ("full", 4, 14), ("tiny", 4, 20)]
)
def test_the_german_is_correct(split, size, low, high):
    pairs = sample(split, 200, seed=11, min_words=low, max_words=high, vocabulary=size)
    for pair in pairs:
        try:
            check(pair.target, relatives(pair), VERBS)
        except WrongGerman as error:
            pytest.fail(f"{' '.join(pair.target)}: {error}")
