"""Reading the tables of the open word classes: words are inflected, their classes looked up."""

from collections.abc import Iterator
from functools import cache

from course_lib.data.mini_world import german_forms as german
from course_lib.data.mini_world.english_forms import third_person
from course_lib.data.mini_world.lexicon.modifiers import ADJECTIVES, MANNER, PLACE_ADVERBS, TIMES
from course_lib.data.mini_world.lexicon.nouns import NAMES, NOUNS
from course_lib.data.mini_world.lexicon.verbs import VERBS
from course_lib.data.mini_world.lexicon.vocabulary import (
    DETERMINERS,
    PREPOSITIONS,
    SIZES,
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
    """Return the lexicon of a size: "full", "small" or "tiny".

    Raises:
        ValueError: another size.
    """
    if size not in SIZES:
        raise ValueError(f"vocabulary must be one of {', '.join(SIZES)}; got {size!r}")
    nouns = tuple(_noun(group, line) for group, line in _lines(NOUNS, size))
    places = _places(nouns)
    manners: dict[str, list[Adverb]] = {}
    for group, line in _lines(MANNER, size):
        manners.setdefault(group, []).append(_adverb(line))
    tiny = size == "tiny"
    kept = _TINY_DETERMINERS if tiny else DETERMINERS
    return Lexicon(
        determiners={name: DETERMINERS[name] for name in DETERMINERS if name in kept},
        # Its position within a German clause depends on the other words; in front it is simple.
        time_positions=("front",) if tiny else ("front", "middle", "end"),
        nouns=nouns,
        names=tuple(_name(line) for _, line in _lines(NAMES, size)),
        verbs=tuple(_verb(line, nouns, manners, places) for _, line in _lines(VERBS, size)),
        adjectives=tuple(_adjective(group, line) for group, line in _lines(ADJECTIVES, size)),
        manners=tuple(adverb for group in manners.values() for adverb in group),
        times=tuple(_time(line) for _, line in _lines(TIMES, size)),
        place_adverbs=tuple(_adverb(line) for _, line in _lines(PLACE_ADVERBS, size)),
        places=places,
    )


def _lines(table: str, size: str) -> Iterator[tuple[str, str]]:
    """Return (group, entry) for the entries of a table that belong to the size.

    An indented line continues the entry above it.
    """
    group = ""
    for line in table.strip().replace("\n    ", " | ").splitlines():
        if line.startswith("["):
            group = line.strip("[]")
        elif line:
            entry = line.lstrip("*")
            if len(line) - len(entry) >= SIZES.index(size):
                yield group, entry


def _noun(group: str, line: str) -> Noun:
    singular, plural, word, gender, words, *marks = line.split()
    classes = group.split() + [mark[1:] for mark in marks if mark.startswith("+")]
    valued = [mark.split(":") for mark in marks if ":" in mark]
    return Noun(
        english=(singular, "" if plural == "-" else plural),
        german=german.noun_forms(word, None if words == "-" else words, "weak" in marks),
        gender=german.GENDERS[gender],
        classes=frozenset(classes),
        unsuited=frozenset(x for key, value in valued if key == "no" for x in value.split(",")),
        settings=tuple(value for key, value in valued if key == "at"),
        places=tuple((key, value) for key, value in valued if key in PREPOSITIONS),
        takes_my="mine" in marks,
    )


def _name(line: str) -> Noun:
    name, gender = line.split()
    forms = ((name, ""),) * 3
    return Noun((name, ""), forms, german.GENDERS[gender], frozenset(), kind="name")


def _adjective(group: str, line: str) -> Adjective:
    ranks = [row.strip("[]") for row in ADJECTIVES.splitlines() if row.startswith("[")]
    forms, nouns = (part.split() for part in line.split("|"))
    return Adjective(*forms, group, ranks.index(group), frozenset(nouns))


def _adverb(line: str) -> Adverb:
    english, word = line.split()
    return Adverb((english,), (word,))


def _time(line: str) -> Adverb:
    english, words, links, marks = (part.split() for part in line.split("|"))
    pairs = tuple((int(link[0]), int(link[2])) for link in links)
    return Adverb(tuple(english), tuple(words), pairs, frozenset(marks))


def _places(nouns: tuple[Noun, ...]) -> dict[str, tuple[Place, ...]]:
    """Return places by kind; the name of a noun is a kind too, if one can be in it."""
    places: dict[str, list[Place]] = {}
    for noun in nouns:
        for preposition, kind in noun.places:
            places.setdefault(kind, []).append((PREPOSITIONS[preposition], noun))
        if any(preposition == "in" for preposition, _ in noun.places):
            places[noun.lemma] = [(PREPOSITIONS["in"], noun)]
    return {kind: tuple(entries) for kind, entries in places.items()}


def _select(terms: str, nouns: tuple[Noun, ...]) -> tuple[Noun, ...]:
    """Return the nouns that are in a list of terms, or whose class is."""
    names = set(terms.replace(",", " ").split())
    return tuple(noun for noun in nouns if noun.lemma in names or noun.classes & names)


def _verb(
    line: str,
    nouns: tuple[Noun, ...],
    manners: dict[str, list[Adverb]],
    places: dict[str, tuple[Place, ...]],
) -> Verb:
    english, forms, frame, marks = (part.strip() for part in f"{line} |".split("|")[:4])
    base, english_participle = english.split()
    infinitive, third, participle, auxiliary = forms.split()
    subject, objects, recipients = [*frame.split(">"), "", ""][:3]
    options = {key: value for key, _, value in (mark.partition(":") for mark in marks.split())}
    groups = options.get("manner", "").split(",")
    kinds = options.get("place", "").split(",")
    companions = ((p, _select(options.get(p, ""), nouns)) for p in ("with", "for", "from"))
    return Verb(
        english=(base, third_person(base), english_participle),
        german=(third, infinitive),
        participle=participle,
        auxiliary=auxiliary,
        subjects=_select(subject, nouns),
        objects=_select(objects, nouns),
        recipients=_select(recipients, nouns),
        case=german.DATIVE if "dative" in options else german.ACCUSATIVE,
        stative="stative" in options,
        needs_place="needs-place" in options,
        motion="motion" in options,
        particle=options.get("particle", ""),
        places=tuple(place for kind in kinds for place in places.get(kind, ())),
        manners=tuple(adverb for group in groups for adverb in manners.get(group, ())),
        companions=tuple((p, chosen) for p, chosen in companions if chosen),
    )
