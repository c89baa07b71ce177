"""The German side: the same sentence tree to words, each marked with what it expresses.

Word order follows the model of topological fields (Duden, Die Grammatik, "Der Satz"; Höhle 1986):
main clauses put the finite verb second, relative clauses and `während` put it last, a participle
closes the bracket that the auxiliary opens, and a relative clause on the object follows the
bracket (extraposition).
"""

from collections.abc import Iterator
from typing import NamedTuple

from course_lib.data.mini_world import german_forms as german
from course_lib.data.mini_world.lexicon.vocabulary import NO, Adverb
from course_lib.data.mini_world.meaning import (
    Clause,
    Mark,
    NounPhrase,
    Pair,
    Phrase,
    PrepositionalPhrase,
    Sentence,
    is_definite,
    is_plural,
)

CONNECTIVES = {"and": "und", "but": "aber", "while": "während"}


class Word(NamedTuple):
    """A German word and the marks that it surely and possibly answers to.

    Text None: a comma is due before the next word. Two that meet become one, a full stop needs
    none.
    """

    text: str | None
    sure: tuple[Mark, ...] = ()
    possible: tuple[Mark, ...] = ()


Words = Iterator[Word]


def realise(sentence: Sentence) -> list[Word]:
    """Return the words of a sentence. Every connective has a comma before it."""
    words: list[Word] = []
    due: tuple[Mark, ...] = ()
    for word in _sentence(sentence):
        if word.text is None:
            due += word.possible
            continue
        if due and word.text == ",":
            word = word._replace(possible=word.possible + due)
        elif due and word.text != ".":
            words.append(Word(",", (), due))
        words.append(word)
        due = ()
    return words


def _sentence(sentence: Sentence) -> Words:
    for connective, clause in zip(sentence.connectives, sentence.clauses, strict=True):
        mark = (clause, "connective")
        if connective in ("and", "but"):
            yield Word(",", ((clause, "comma"),))
        elif connective == "while":
            yield Word(None, possible=(mark,))
        if connective:
            yield Word(CONNECTIVES[connective], (mark,))
        yield from _clause(clause, clause.subject, verb_last=connective == "while")
    yield Word(".", ((sentence, "stop"),))


def _clause(clause: Clause, agrees_with: Phrase, verb_last: bool) -> Words:
    """Return the fields of a clause in order, from the first to the relative clause at the end."""
    plural = is_plural(agrees_with)
    do = [(clause, "do")] if clause.negated and not clause.perfect else []
    particle = [(clause, "particle")] if clause.verb.particle else []
    form = clause.verb.participle if clause.perfect else clause.verb.german[plural]
    verbs = [Word(form, ((clause, "verb"),), (*do, *particle))]
    if clause.perfect:
        auxiliary = german.AUXILIARIES[clause.verb.auxiliary][plural]
        verbs.append(Word(auxiliary, ((clause, "auxiliary"),)))
    *bracket, finite = verbs
    subject = [*_phrase(clause.subject, german.NOMINATIVE), *_relative_clause(clause.subject)]
    front = [*_adverb(clause, "time", clause.time_at("front"))]
    if verb_last:
        yield from (*subject, *_middle_field(clause), *verbs)
    elif front:
        yield from (*front, finite, *subject, *_middle_field(clause), *bracket)
    else:
        yield from (*subject, finite, *_middle_field(clause), *bracket)
    yield from _relative_clause(clause.object)


def _middle_field(clause: Clause) -> Words:
    """Return known objects, time, `nicht`, place adverb, manner, new object, companion, place.

    A new object takes the negation into its article: kein instead of `nicht`.
    """
    known = clause.object is not None and is_definite(clause.object)
    new = clause.object is not None and not known
    yield from _phrase(clause.recipient, german.DATIVE)
    if known:
        yield from _phrase(clause.object, clause.verb.case)
    yield from _adverb(clause, "time", clause.time_at("middle") or clause.time_at("end"))
    if clause.negated and not new:
        yield Word("nicht", ((clause, "not"),))
    if isinstance(clause.place, Adverb):
        yield from _adverb(clause, "place", clause.place)
    yield from _adverb(clause, "manner", clause.manner)
    if new:
        yield from _phrase(clause.object, clause.verb.case, clause if clause.negated else None)
    for phrase in (clause.companion, clause.place):
        if isinstance(phrase, PrepositionalPhrase):
            yield from _prepositional_phrase(phrase)


def _adverb(clause: Clause, part: str, adverb: Adverb | None) -> Words:
    """Return an adverbial; its words link as the lexicon says, else possibly to all of it."""
    if adverb is not None:
        marks = [(clause, f"{part}{i}") for i in range(len(adverb.english))]
        for j, word in enumerate(adverb.german):
            yield Word(word, tuple(marks[i] for i, k in adverb.links if k == j), tuple(marks))


def _phrase(phrase: Phrase | None, case: int, negation: Clause | None = None) -> Words:
    """Return a noun phrase, or two, if there is one; `not` of a clause becomes `kein` in it."""
    if isinstance(phrase, Pair):
        yield from _noun_phrase(phrase.first, case)
        yield Word("und", ((phrase, "and"),))
        yield from _noun_phrase(phrase.second, case)
    elif phrase is not None:
        yield from _noun_phrase(phrase, case, negation)


def _noun_phrase(
    phrase: NounPhrase, case: int, negation: Clause | None = None, contracted: bool = False
) -> Words:
    """Return article word, adjectives, noun and attribute; a contraction (im) has the article."""
    column, declension = _column(phrase), "strong"
    article = ((phrase, "determiner"),) if phrase.determiner else ()
    if negation is not None:
        declension = NO.declension
        yield Word(NO.german[case][column], ((negation, "not"),), article)
    elif phrase.determiner is not None:
        declension = phrase.determiner.declension
        if not contracted:
            yield Word(phrase.determiner.german[case][column], article)
    for adjective in phrase.adjectives:
        yield Word(getattr(adjective, declension)[case][column], ((phrase, adjective.english),))
    yield Word(phrase.noun.german[case][phrase.plural], ((phrase, "noun"),))
    if phrase.attribute is not None:
        yield from _prepositional_phrase(phrase.attribute)


def _prepositional_phrase(phrase: PrepositionalPhrase) -> Words:
    """Return a preposition and its noun phrase; in dem, an dem ... contract to im, am."""
    preposition, inner = phrase.preposition, phrase.phrase
    case, word = preposition.case, preposition.german
    article = inner.determiner.german[case][_column(inner)] if inner.determiner else ""
    contraction = german.CONTRACTIONS.get((word, article))
    possible = ((inner, "determiner"),) if contraction else ()
    yield Word(contraction or word, ((phrase, "preposition"),), possible)
    yield from _noun_phrase(inner, case, contracted=contraction is not None)


def _relative_clause(head: Phrase | None) -> Words:
    """Return the relative clause of a head, if it has one, between commas.

    The pronoun agrees with the head in gender and number; its case is that of its role inside.
    """
    if not isinstance(head, NounPhrase) or head.relative is None:
        return
    clause = head.relative
    case = german.NOMINATIVE if clause.gap == "subject" else clause.verb.case
    mark = (clause, "relative")
    yield Word(None, possible=(mark,))
    yield Word(german.RELATIVE_PRONOUN[case][_column(head)], (mark,))
    yield from _clause(clause, clause.subject or head, verb_last=True)
    yield Word(None, possible=(mark, (clause, "last")))


def _column(phrase: NounPhrase) -> int:
    return german.PLURAL if phrase.plural else phrase.noun.gender
