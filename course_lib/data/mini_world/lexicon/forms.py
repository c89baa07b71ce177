"""All word forms that a lexicon can produce, for vocabularies and for checks."""

from course_lib.data.mini_world.german_forms import (
    AUXILIARIES,
    CONTRACTIONS,
    PLURAL,
    RELATIVE_PRONOUN,
)
from course_lib.data.mini_world.lexicon.vocabulary import (
    NEGATIVE,
    PREPOSITIONS,
    PRONOUNS,
    Lexicon,
    Preposition,
)


def _prepositions(lexicon: Lexicon) -> set[Preposition]:
    used = {PREPOSITIONS[name] for verb in lexicon.verbs for name, _ in verb.companions}
    used |= {preposition for places in lexicon.places.values() for preposition, _ in places}
    return used | {PREPOSITIONS["with"]}


def english_forms(lexicon: Lexicon) -> set[str]:
    """Return every English word of the lexicon in every form, punctuation included."""
    forms = {".", ",", "and", "but", "while", "then", "who", "that", "an"}
    forms |= {"has", "have", "do", "does", "not"}
    for determiner in lexicon.determiners.values():
        forms |= set(determiner.english)
    for noun in (*lexicon.nouns, *lexicon.names, *PRONOUNS):
        forms |= set(noun.english)
    for verb in lexicon.verbs:
        forms |= {*verb.english, verb.particle}
    for adverb in (*lexicon.times, *lexicon.manners, *lexicon.place_adverbs):
        forms |= set(adverb.english)
    forms |= {adjective.english for adjective in lexicon.adjectives}
    forms |= {preposition.english for preposition in _prepositions(lexicon)}
    return forms - {""}


def german_forms(lexicon: Lexicon) -> set[str]:
    """Return every German word of the lexicon in every form, punctuation included."""
    forms = {".", ",", "und", "aber", "während", "dann", "nicht"}
    forms |= {form for pair in AUXILIARIES.values() for form in pair}
    for table in (RELATIVE_PRONOUN, NEGATIVE):
        forms |= {form for row in table for form in row}
    for determiner in lexicon.determiners.values():
        for row in determiner.german:
            forms |= set(row[:PLURAL]) if determiner.english[0] else set()
            forms |= {row[PLURAL]} if determiner.english[1] else set()
    for noun in (*lexicon.nouns, *lexicon.names, *PRONOUNS):
        forms |= {form for row in noun.german for form in row}
    for verb in lexicon.verbs:
        forms |= {*verb.german, verb.participle}
    for adverb in (*lexicon.times, *lexicon.manners, *lexicon.place_adverbs):
        forms |= set(adverb.german)
    for adjective in lexicon.adjectives:
        for table in (adjective.weak, adjective.mixed, adjective.strong):
            forms |= {form for row in table for form in row}
    prepositions = {preposition.german for preposition in _prepositions(lexicon)}
    forms |= prepositions
    forms |= {contracted for (word, _), contracted in CONTRACTIONS.items() if word in prepositions}
    return forms - {""}
