"""All word forms that a lexicon can produce, for vocabularies and for checks."""

from collections.abc import Iterator

from course_lib.data.mini_world import german_forms as german
from course_lib.data.mini_world.lexicon.vocabulary import (
    NO,
    PREPOSITIONS,
    PRONOUNS,
    Lexicon,
    Preposition,
)

_ENGLISH = ". , and but while then who that an has have do does not"
_GERMAN = ". , und aber während dann nicht"


def english_forms(lexicon: Lexicon) -> set[str]:
    """Return every English word of the lexicon in every form, punctuation included."""
    words = set(_ENGLISH.split())
    open_classes = [
        [(verb.english, verb.particle) for verb in lexicon.verbs],
        *([word.english for word in words] for words in _uniform(lexicon)),
        [determiner.english for determiner in lexicon.determiners.values()],
        [preposition.english for preposition in _prepositions(lexicon)],
        [adjective.english for adjective in lexicon.adjectives],
    ]
    return {*words, *_flat(open_classes)} - {""}


def german_forms(lexicon: Lexicon) -> set[str]:
    """Return every German word of the lexicon in every form, punctuation included."""
    words = set(_GERMAN.split())
    prepositions = {preposition.german for preposition in _prepositions(lexicon)}
    tables = [
        [*german.AUXILIARIES.values(), german.RELATIVE_PRONOUN, NO.german, list(prepositions)],
        [form for (word, _), form in german.CONTRACTIONS.items() if word in prepositions],
        [(verb.german, verb.participle) for verb in lexicon.verbs],
        *([word.german for word in words] for words in _uniform(lexicon)),
        [(a.weak, a.mixed, a.strong) for a in lexicon.adjectives],
    ]
    for determiner in lexicon.determiners.values():
        singular, plural = determiner.english
        tables += [row[: german.PLURAL] for row in determiner.german if singular]
        tables += [row[german.PLURAL] for row in determiner.german if plural]
    return {*words, *_flat(tables)} - {""}


def _uniform(lexicon: Lexicon) -> tuple:
    """Return the words with nothing but their forms in `english` and `german`."""
    nouns = (*lexicon.nouns, *lexicon.names, *PRONOUNS)
    return nouns, lexicon.times, lexicon.manners, lexicon.place_adverbs


def _prepositions(lexicon: Lexicon) -> set[Preposition]:
    used = {PREPOSITIONS[name] for verb in lexicon.verbs for name, _ in verb.companions}
    used |= {preposition for places in lexicon.places.values() for preposition, _ in places}
    return used | {PREPOSITIONS["with"]}


def _flat(tree: str | list | tuple) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    else:
        for branch in tree:
            yield from _flat(branch)
