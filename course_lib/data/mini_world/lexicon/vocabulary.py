"""The vocabulary of the mini-world: what words exist, how they inflect and what goes with what.

Here are the kinds of words, and the closed classes: article words, prepositions, pronouns. The
open classes stand in the tables of `nouns`, `verbs` and `modifiers`; `reader` reads and inflects
them once.
"""

from dataclasses import dataclass

from course_lib.data.mini_world import german_forms as german

SIZES = ("full", "small", "tiny")
"""Vocabularies, each with one star more before its entries in the tables."""


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
    classes: frozenset[str]
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
    """An adjective. `rank` is its group's place in the order of adjectives before a noun."""

    english: str
    stem: str
    group: str
    rank: int
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
    motion: bool = False
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
    """All words of one size, and what its grammar permits.

    Attributes:
        determiners: by name; the other closed classes are the same in every size.
        time_positions: where an adverb of time may stand: "front", "middle", "end".
    """

    determiners: dict[str, Determiner]
    time_positions: tuple[str, ...]
    nouns: tuple[Noun, ...]
    names: tuple[Noun, ...]
    verbs: tuple[Verb, ...]
    adjectives: tuple[Adjective, ...]
    manners: tuple[Adverb, ...]
    times: tuple[Adverb, ...]
    place_adverbs: tuple[Adverb, ...]
    places: dict[str, tuple[Place, ...]]
    """Kind of place -> prepositions with nouns: "water" -> (in, lake), ..."""
