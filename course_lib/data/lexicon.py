"""The vocabulary of the mini-world: what words exist, how they inflect and what goes with what.

The words themselves stand in the tables of `lexicon_nouns`, `lexicon_verbs` and
`lexicon_modifiers`; here they are read, inflected once and joined to the classes they select.
"""

from dataclasses import dataclass, field
from functools import cache

from course_lib.data import german
from course_lib.data.english import third_person
from course_lib.data.lexicon_modifiers import ADJECTIVES, MANNER, PLACE_ADVERBS, TIME
from course_lib.data.lexicon_nouns import NAMES, NOUNS
from course_lib.data.lexicon_verbs import VERBS

SIZES = ("full", "small")


@dataclass(eq=False, slots=True)
class Noun:
    """A noun, name or pronoun. English forms: (singular, plural); German: [case][plural]."""

    english: tuple[str, str]
    german: german.Paradigm
    gender: int
    classes: frozenset[str]
    marks: frozenset[str] = frozenset()
    kind: str = "noun"
    """noun, name or pronoun."""

    @property
    def lemma(self) -> str:
        """The English dictionary form."""
        return self.english[0] or self.english[1]

    @property
    def is_mass(self) -> bool:
        """True for a noun without a plural (milk)."""
        return self.kind == "noun" and not self.english[1]


@dataclass(eq=False, slots=True)
class Adjective:
    """An adjective. `group` is its rank in the order of adjectives before a noun."""

    english: str
    stem: str
    group: int
    nouns: frozenset[str]
    weak: german.Paradigm = ()
    mixed: german.Paradigm = ()
    strong: german.Paradigm = ()

    def __post_init__(self) -> None:
        self.weak = german.inflect(self.stem, german.WEAK)
        self.mixed = german.inflect(self.stem, german.MIXED)
        self.strong = german.inflect(self.stem, german.STRONG)


@dataclass(eq=False, slots=True)
class Verb:
    """A verb. English: (plural, third person, participle); German: (third person, plural)."""

    english: tuple[str, str, str]
    german: tuple[str, str]
    participle: str
    auxiliary: str
    subjects: tuple[Noun, ...] = ()
    objects: tuple[Noun, ...] = ()
    recipients: tuple[Noun, ...] = ()
    case: int = german.ACCUSATIVE
    stative: bool = False
    needs_place: bool = False
    particle: str = ""
    places: tuple[tuple["Preposition", Noun], ...] = ()
    manners: tuple["Adverb", ...] = ()
    companions: tuple[tuple[str, tuple[Noun, ...]], ...] = ()
    """Prepositions with the nouns that may follow them: ("with", (...))."""


@dataclass(eq=False, slots=True)
class Adverb:
    """An adverbial of one or more words; links are (English, German) positions within it."""

    english: tuple[str, ...]
    german: tuple[str, ...]
    links: tuple[tuple[int, int], ...] = ((0, 0),)
    marks: frozenset[str] = frozenset()


@dataclass(eq=False, slots=True)
class Determiner:
    """An article word. English: (singular, plural), "" where it lacks the form.

    Attributes:
        german: forms by case and column.
        declension: which endings an adjective takes after it: weak, mixed or strong.
        definite: True if a German object with it stands before adverbs and `nicht`.
    """

    english: tuple[str, str]
    german: german.Paradigm
    declension: str
    definite: bool = False


@dataclass(eq=False, slots=True)
class Preposition:
    """A preposition and the case it governs in German."""

    english: str
    german: str
    case: int = german.DATIVE


def _determiners() -> dict[str, Determiner]:
    word = german.article_word
    number = {
        english: Determiner(("", english), word(stem, "number"), "strong")
        for english, stem in (("two", "zwei"), ("three", "drei"), ("four", "vier"))
    }
    return {
        "the": Determiner(("the", "the"), german.DEFINITE_ARTICLE, "weak", definite=True),
        "this": Determiner(("this", "these"), word("dies", "der"), "weak", definite=True),
        "my": Determiner(("my", "my"), word("mein", "ein"), "mixed", definite=True),
        "our": Determiner(("our", "our"), word("unser", "ein"), "mixed", definite=True),
        "a": Determiner(("a", ""), word("ein", "ein"), "mixed"),
        "every": Determiner(("every", ""), word("jed", "der"), "weak"),
        "all": Determiner(("", "all"), word("all", "der"), "weak"),
        "many": Determiner(("", "many"), word("viel", "der"), "strong"),
        "some": Determiner(("", "some"), word("einig", "der"), "strong"),
        **number,
    }


Place = tuple[Preposition, Noun]

DETERMINERS = _determiners()
NEGATIVE = german.article_word("kein", "ein")

PREPOSITIONS = {
    english: Preposition(english, word, case)
    for english, word, case in (
        ("in", "in", german.DATIVE),
        ("on", "auf", german.DATIVE),
        ("under", "unter", german.DATIVE),
        ("behind", "hinter", german.DATIVE),
        ("beside", "neben", german.DATIVE),
        ("near", "bei", german.DATIVE),
        ("by", "an", german.DATIVE),
        ("with", "mit", german.DATIVE),
        ("from", "von", german.DATIVE),
        ("for", "für", german.ACCUSATIVE),
    )
}

PRONOUNS = tuple(
    Noun((singular, plural), tuple((word, word) for _ in range(3)), 0, frozenset(), kind="pronoun")
    for singular, plural, word in (("he", "", "er"), ("she", "", "sie"), ("", "they", "sie"))
)


@dataclass(eq=False, slots=True)
class Lexicon:
    """All words of one size."""

    nouns: tuple[Noun, ...]
    names: tuple[Noun, ...]
    verbs: tuple[Verb, ...]
    adjectives: tuple[Adjective, ...]
    manners: tuple[Adverb, ...]
    times: tuple[Adverb, ...]
    place_adverbs: tuple[Adverb, ...]
    places: dict[str, tuple[tuple[Preposition, Noun], ...]] = field(default_factory=dict)
    """Kind of place -> prepositions with nouns: "water" -> (in, lake), ..."""


def _lines(table: str, size: str):
    """Yields (group, line) for the lines of a table that belong to the size."""
    group = ""
    for line in table.strip().splitlines():
        if line.startswith("["):
            group = line.strip("[]")
        elif line and (size == "full" or line.startswith("*")):
            yield group, line.lstrip("*")


def _nouns(size: str) -> tuple[Noun, ...]:
    nouns = []
    for group, line in _lines(NOUNS, size):
        singular, plural, word, gender, words, *marks = line.split()
        extra = {mark[1:] for mark in marks if mark.startswith("+")}
        forms = german.noun_forms(word, None if words == "-" else words, "weak" in marks)
        nouns.append(
            Noun(
                (singular, "" if plural == "-" else plural),
                forms,
                german.GENDERS[gender],
                frozenset(group.split()) | extra,
                frozenset(mark for mark in marks if not mark.startswith("+")),
            )
        )
    return tuple(nouns)


def _names(size: str) -> tuple[Noun, ...]:
    rows = [line.split() for _, line in _lines(NAMES, size)]
    return tuple(
        Noun((name, ""), ((name, ""),) * 3, german.GENDERS[gender], frozenset(), kind="name")
        for name, gender in rows
    )


def _adjectives(size: str) -> tuple[Adjective, ...]:
    groups = [line.strip("[]") for line in ADJECTIVES.splitlines() if line.startswith("[")]
    adjectives = []
    for group, line in _lines(ADJECTIVES, size):
        forms, nouns = line.split("|")
        adjectives.append(Adjective(*forms.split(), groups.index(group), frozenset(nouns.split())))
    return tuple(adjectives)


def _manners(size: str) -> dict[str, tuple[Adverb, ...]]:
    groups: dict[str, tuple[Adverb, ...]] = {}
    for group, line in _lines(MANNER, size):
        english, word = line.split()
        groups[group] = (*groups.get(group, ()), Adverb((english,), (word,)))
    return groups


def _times(size: str) -> tuple[Adverb, ...]:
    adverbs = []
    for _, line in _lines(TIME, size):
        english, words, links, marks = (part.split() for part in line.split("|"))
        pairs = tuple((int(link[0]), int(link[2])) for link in links)
        adverbs.append(Adverb(tuple(english), tuple(words), pairs, frozenset(marks)))
    return tuple(adverbs)


def _select(terms: str, nouns: tuple[Noun, ...]) -> tuple[Noun, ...]:
    """The nouns that are named, or of a class that is named, in a list of terms."""
    wanted = set(terms.split())
    return tuple(n for n in nouns if n.lemma in wanted or n.classes & wanted)


def _verb(
    line: str,
    nouns: tuple[Noun, ...],
    manners: dict[str, tuple[Adverb, ...]],
    places: dict[str, tuple[Place, ...]],
) -> Verb:
    english, forms, frame, marks = (part.split() for part in f"{line} |".split("|")[:4])
    subject, *others = (part.strip() for part in " ".join(frame).split(">"))
    infinitive, third, participle, auxiliary = forms
    options = dict(mark.split(":") if ":" in mark else (mark, "") for mark in marks)
    groups = options.get("manner", "").split(",")
    return Verb(
        (english[0], third_person(english[0]), english[1]),
        (third, infinitive),
        participle,
        auxiliary,
        _select(subject, nouns),
        _select(others[0], nouns) if others else (),
        _select(others[1], nouns) if len(others) > 1 else (),
        german.DATIVE if "dative" in options else german.ACCUSATIVE,
        "stative" in options,
        "needs-place" in options,
        options.get("particle", ""),
        tuple(
            place for kind in options.get("place", "").split(",") for place in places.get(kind, ())
        ),
        tuple(adverb for group in groups for adverb in manners.get(group, ())),
        tuple(
            (preposition, chosen)
            for preposition in ("with", "for", "from")
            if (chosen := _select(options.get(preposition, "").replace(",", " "), nouns))
        ),
    )


def _places(nouns: tuple[Noun, ...]) -> dict[str, tuple[Place, ...]]:
    """Places by kind; the name of a noun is a kind too, if one can be in it."""
    places: dict[str, tuple[Place, ...]] = {}
    for noun in nouns:
        for mark in sorted(noun.marks):
            preposition, _, kind = mark.partition(":")
            if preposition in PREPOSITIONS:
                entry = (PREPOSITIONS[preposition], noun)
                places[kind] = (*places.get(kind, ()), entry)
                if preposition == "in":
                    places[noun.lemma] = (entry,)
    return places


@cache
def load(size: str) -> Lexicon:
    """Reads the lexicon of a size, "full" or "small"."""
    if size not in SIZES:
        raise ValueError(f"vocabulary must be one of {', '.join(SIZES)}; got {size!r}")
    nouns = _nouns(size)
    manners = _manners(size)
    places = _places(nouns)
    verbs = tuple(_verb(line, nouns, manners, places) for _, line in _lines(VERBS, size))
    adverbs = tuple(
        Adverb((e,), (g,)) for e, g in (r.split() for _, r in _lines(PLACE_ADVERBS, size))
    )
    return Lexicon(
        nouns,
        _names(size),
        verbs,
        _adjectives(size),
        tuple(adverb for group in manners.values() for adverb in group),
        _times(size),
        adverbs,
        places,
    )
