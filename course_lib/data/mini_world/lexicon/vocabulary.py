"""The kinds of words, and the closed classes: article words, prepositions, pronouns."""

from dataclasses import dataclass

from course_lib.data.mini_world import german_forms as german


@dataclass(eq=False, slots=True)
class Noun:
    """A noun, name or pronoun. English forms: (singular, plural); German: [case][plural].

    Attributes:
        classes: what kind of thing it is; verbs and adjectives select by them.
        unsuited: adjectives, and groups of them, that do not go with it.
        places: (preposition, kind of place) for each way in which it can be a place.
        settings: the kinds of place that it may itself stand at, as a place.
        takes_my: whether it goes well with my and our.
        kind: noun, name or pronoun.
    """

    english: tuple[str, str]
    german: german.Paradigm
    gender: int
    classes: frozenset[str] = frozenset()
    unsuited: frozenset[str] = frozenset()
    places: tuple[tuple[str, str], ...] = ()
    settings: tuple[str, ...] = ()
    takes_my: bool = False
    kind: str = "noun"

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
    """An adjective: its group, the classes or nouns that it suits, German [case][column]."""

    english: str
    group: str
    nouns: frozenset[str]
    weak: german.Paradigm
    mixed: german.Paradigm
    strong: german.Paradigm


@dataclass(eq=False, slots=True)
class Adverb:
    """An adverbial of one or more words; links are (English, German) positions within it.

    `marks` say to what tenses a time belongs and where it may stand in a clause: see the table.
    """

    english: tuple[str, ...]
    german: tuple[str, ...]
    links: tuple[tuple[int, int], ...] = ((0, 0),)
    marks: frozenset[str] = frozenset()


@dataclass(eq=False, slots=True)
class Preposition:
    """A preposition and the case it governs in German."""

    english: str
    german: str
    case: int


Place = tuple[Preposition, Noun]


@dataclass(eq=False, slots=True)
class Verb:
    """A verb. English: (plural, third person, participle); German: (third person, plural).

    `companions` are prepositions (with, for, from), each with the nouns that may follow it;
    `marks` may be stative, needs-place and motion, as the table explains them.
    """

    english: tuple[str, str, str]
    german: tuple[str, str]
    participle: str
    auxiliary: str
    subjects: tuple[Noun, ...]
    objects: tuple[Noun, ...]
    recipients: tuple[Noun, ...]
    case: int
    particle: str
    marks: frozenset[str]
    places: tuple[Place, ...]
    manners: tuple[Adverb, ...]
    companions: tuple[tuple[Preposition, tuple[Noun, ...]], ...]


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
class Lexicon:
    """All words of one size.

    Attributes:
        determiners: by their names, keys of `DETERMINERS`.
        adverbs: by their groups: "time", "place", "manner speed" and other manners.
        places: by their kinds; "water" may be in a lake.
    """

    determiners: dict[str, Determiner]
    nouns: tuple[Noun, ...]
    names: tuple[Noun, ...]
    verbs: tuple[Verb, ...]
    adjectives: tuple[Adjective, ...]
    adverbs: dict[str, tuple[Adverb, ...]]
    places: dict[str, tuple[Place, ...]]


def _determiner(singular: str, plural: str, stem: str, endings: tuple, *rest) -> Determiner:
    return Determiner((singular, plural), german.inflect(stem, endings), *rest)


DETERMINERS = {
    "the": Determiner(("the", "the"), german.DEFINITE_ARTICLE, "weak", True),
    "this": _determiner("this", "these", "dies", german.LIKE_DER, "weak", True),
    "my": _determiner("my", "my", "mein", german.LIKE_EIN, "mixed", True),
    "our": _determiner("our", "our", "unser", german.LIKE_EIN, "mixed", True),
    "a": _determiner("a", "", "ein", german.LIKE_EIN, "mixed"),
    "every": _determiner("every", "", "jed", german.LIKE_DER, "weak"),
    "all": _determiner("", "all", "all", german.LIKE_DER, "weak"),
    "many": _determiner("", "many", "viel", german.LIKE_DER, "strong"),
    "some": _determiner("", "some", "einig", german.LIKE_DER, "strong"),
    "two": _determiner("", "two", "zwei", german.INVARIABLE, "strong"),
    "three": _determiner("", "three", "drei", german.INVARIABLE, "strong"),
    "four": _determiner("", "four", "vier", german.INVARIABLE, "strong"),
}
NO = _determiner("no", "no", "kein", german.LIKE_EIN, "mixed")

_DATIVE = "in:in on:auf under:unter behind:hinter beside:neben near:bei by:an with:mit from:von"
PREPOSITIONS = {
    english: Preposition(english, word, german.DATIVE)
    for english, word in (pair.split(":") for pair in _DATIVE.split())
} | {"for": Preposition("for", "für", german.ACCUSATIVE)}

PRONOUNS = tuple(
    Noun(english, ((word, word),) * 3, 0, kind="pronoun")
    for english, word in ((("he", ""), "er"), (("she", ""), "sie"), (("", "they"), "sie"))
)
