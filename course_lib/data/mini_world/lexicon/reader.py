"""Reading the tables of the open word classes: words are inflected, their classes looked up."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

from course_lib.data.mini_world import german_forms as german
from course_lib.data.mini_world.lexicon.vocabulary import (
    DETERMINERS,
    PREPOSITIONS,
    Adjective,
    Adverb,
    Lexicon,
    Noun,
    Place,
    Verb,
)

# One for each kind of adjective ending (weak, mixed, strong), in singular and plural.
_TINY_DETERMINERS = ("the", "this", "a", "two")


@cache
def load(size: str) -> Lexicon:
    """Return the lexicon of a size: "full", or "tiny", the entries with a star."""
    if size not in ("full", "tiny"):
        raise ValueError(f"vocabulary must be full or tiny; got {size!r}")
    nouns = [_noun(group, line) for group, line in _entries("nouns", size)]
    common = tuple(noun for noun in nouns if noun.kind == "noun")
    places = _places(common)
    adverbs: dict[str, tuple[Adverb, ...]] = defaultdict(tuple)
    tiny = size == "tiny"
    for group, line in _entries("adverbs", size):
        adverb = _adverb(line)
        # Its position within a German clause depends on the other words; in front it is simple.
        adverb.marks -= {"middle", "end"} if tiny else set()
        adverbs[group] += (adverb,)
    return Lexicon(
        determiners={n: d for n, d in DETERMINERS.items() if not tiny or n in _TINY_DETERMINERS},
        nouns=common,
        names=tuple(noun for noun in nouns if noun.kind == "name"),
        verbs=tuple(_verb(line, common, adverbs, places) for _, line in _entries("verbs", size)),
        adjectives=tuple(_adjective(group, line) for group, line in _entries("adjectives", size)),
        adverbs=adverbs,
        places=places,
    )


def _entries(table: str, size: str) -> Iterator[tuple[str, str]]:
    """Return (group, entry) for the entries of a table that belong to the size."""
    group = ""
    for line in Path(__file__).with_name(f"{table}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            group = line.strip("[]")
        elif line.startswith("*") or not (line.startswith("#") or size == "tiny"):
            yield group, line.lstrip("*")


def s_form(word: str) -> str:
    """Return a regular plural or third person: dogs, sees, catches, carries, plays."""
    if word.endswith(("s", "x", "z", "ch", "sh", "o")):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def _noun(group: str, line: str) -> Noun:
    english, word, gender, words, *marks = line.split()
    singular, _, plural = english.partition("/")
    valued = [mark.split(":") for mark in marks if ":" in mark]
    return Noun(
        english=(singular, "" if words == "-" else plural or s_form(singular)),
        german=german.noun_forms(word, None if words == "-" else words, "weak" in marks),
        gender=german.GENDERS[gender],
        classes=frozenset(group.split() + [mark[1:] for mark in marks if mark.startswith("+")]),
        unsuited=frozenset(x for key, value in valued if key == "no" for x in value.split(",")),
        settings=tuple(value for key, value in valued if key == "at"),
        places=tuple((key, value) for key, value in valued if key in PREPOSITIONS),
        takes_my="mine" in marks,
        kind="name" if group == "name" else "noun",
    )


def _adjective(group: str, line: str) -> Adjective:
    (english, stem), nouns = (part.split() for part in line.split("|"))
    declensions = (german.inflect(stem, e) for e in (german.WEAK, german.MIXED, german.STRONG))
    return Adjective(english, group, frozenset(nouns), *declensions)


def _adverb(line: str) -> Adverb:
    english, words, links, marks = (part.split() for part in line.split("|"))
    pairs = tuple((int(link[0]), int(link[2])) for link in links)
    return Adverb(tuple(english), tuple(words), pairs, frozenset(marks))


def _places(nouns: Sequence[Noun]) -> dict[str, tuple[Place, ...]]:
    """Return places by kind; the name of a noun is a kind too, if one can be in it."""
    places: dict[str, tuple[Place, ...]] = defaultdict(tuple)
    for noun in nouns:
        for preposition, kind in noun.places:
            places[kind] += ((PREPOSITIONS[preposition], noun),)
            if preposition == "in":
                places[noun.lemma] = ((PREPOSITIONS["in"], noun),)
    return places


def _verb(
    line: str,
    nouns: Sequence[Noun],
    adverbs: dict[str, tuple[Adverb, ...]],
    places: dict[str, tuple[Place, ...]],
) -> Verb:
    def select(terms: str) -> tuple[Noun, ...]:
        """Return the nouns that are in a list of terms, or whose class is."""
        chosen = set(terms.replace(",", " ").split())
        return tuple(noun for noun in nouns if noun.lemma in chosen or noun.classes & chosen)

    english, forms, frame, marks = (part.strip() for part in f"{line} |".split("|")[:4])
    base, english_participle = english.split()
    infinitive, third, participle, auxiliary = forms.split()
    subjects, objects, recipients = map(select, [*frame.split(">"), "", ""][:3])
    options = {key: value for key, _, value in (mark.partition(":") for mark in marks.split())}
    manners = (adverbs[f"manner {group}"] for group in options.get("manner", "").split(","))
    kinds = options.get("place", "").split(",")
    companions = ((PREPOSITIONS[p], select(options.get(p, ""))) for p in ("with", "for", "from"))
    return Verb(
        english=(base, s_form(base), english_participle),
        german=(third, infinitive),
        participle=participle,
        auxiliary=auxiliary,
        subjects=subjects,
        objects=objects,
        recipients=recipients,
        case=german.DATIVE if "dative" in options else german.ACCUSATIVE,
        particle=options.get("particle", ""),
        marks=frozenset(options),
        places=tuple(chain(*(places[kind] for kind in kinds))),
        manners=tuple(chain(*manners)),
        companions=tuple((preposition, chosen) for preposition, chosen in companions if chosen),
    )
