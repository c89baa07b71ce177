"""The German side: the same sentence tree to words, each marked with what it expresses.

Word order follows the model of topological fields (Duden, Die Grammatik, "Der Satz"; Höhle 1986):
main clauses put the finite verb second, relative clauses and `während` put it last, a participle
closes the bracket that the auxiliary opens, and a relative clause on the object follows the
bracket (extraposition).
"""

from course_lib.data.mini_world import german_forms as german
from course_lib.data.mini_world.english import Mark
from course_lib.data.mini_world.lexicon.vocabulary import NEGATIVE, Adverb
from course_lib.data.mini_world.meaning import (
    Clause,
    NounPhrase,
    Pair,
    Phrase,
    PrepositionalPhrase,
    Sentence,
    is_definite,
    is_plural,
)

CONNECTIVES = {"and": "und", "but": "aber", "while": "während"}


class GermanLine:
    """German words in order; for each, the marks it surely and possibly answers to."""

    __slots__ = ("_comma", "possible", "sure", "words")

    def __init__(self) -> None:
        self.words: list[str] = []
        self.sure: list[tuple[Mark, ...]] = []
        self.possible: list[tuple[Mark, ...]] = []
        self._comma: tuple[Mark, ...] = ()

    def put(self, word: str, sure: tuple[Mark, ...], possible: tuple[Mark, ...] = ()) -> None:
        """Add a word, after the comma that is due, if any. A full stop swallows that comma."""
        if self._comma:
            marks, self._comma = self._comma, ()
            if word == ",":
                possible += marks
            elif word != ".":
                self.put(",", (), marks)
        self.words.append(word)
        self.sure.append(sure)
        self.possible.append(possible)

    def comma(self, *marks: Mark) -> None:
        """A comma is due before the next word; two that meet become one."""
        self._comma += marks

    def put_adverb(self, adverb: Adverb, clause: Clause, part: str) -> None:
        """Add an adverbial; its words link as the lexicon says, else possibly to all of it."""
        for j, word in enumerate(adverb.german):
            sure = tuple((clause, f"{part}{i}") for i, k in adverb.links if k == j)
            every = tuple((clause, f"{part}{i}") for i in range(len(adverb.english)))
            self.put(word, sure, every)


def noun_phrase(
    line: GermanLine, phrase: Phrase, case: int, negation: Clause | None = None, bare: bool = False
) -> None:
    """Add article word, adjectives, noun and attribute.

    Args:
        line: the line to add the words to.
        phrase: the noun phrase, or two.
        case: the case of the whole.
        negation: the clause whose `not` becomes `kein` in this phrase.
        bare: leave the article out, because a contracted preposition (im) contains it.
    """
    if isinstance(phrase, Pair):
        noun_phrase(line, phrase.first, case)
        line.put("und", ((phrase, "and"),))
        noun_phrase(line, phrase.second, case)
        return
    column = german.PLURAL if phrase.plural else phrase.noun.gender
    determiner = phrase.determiner
    if negation is not None:
        article = ((phrase, "determiner"),) if determiner is not None else ()
        line.put(NEGATIVE[case][column], ((negation, "not"),), article)
        declension = "mixed"
    elif determiner is not None:
        declension = determiner.declension
        if not bare:
            line.put(determiner.german[case][column], ((phrase, "determiner"),))
    else:
        declension = "strong"
    for adjective in phrase.adjectives:
        form = getattr(adjective, declension)[case][column]
        line.put(form, ((phrase, adjective.english),))
    line.put(phrase.noun.german[case][phrase.plural], ((phrase, "noun"),))
    if phrase.attribute is not None:
        prepositional_phrase(line, phrase.attribute)


def prepositional_phrase(line: GermanLine, phrase: PrepositionalPhrase) -> None:
    """Add a preposition and its noun phrase; in dem, an dem ... contract to im, am."""
    preposition, inner = phrase.preposition, phrase.phrase
    column = german.PLURAL if inner.plural else inner.noun.gender
    article = inner.determiner.german[preposition.case][column] if inner.determiner else ""
    contracted = german.CONTRACTIONS.get((preposition.german, article))
    possible = ((inner, "determiner"),) if contracted else ()
    line.put(contracted or preposition.german, ((phrase, "preposition"),), possible)
    noun_phrase(line, inner, preposition.case, bare=contracted is not None)


def relative_clause(line: GermanLine, head: Phrase | None) -> None:
    """Add the relative clause of a head, if it has one, between commas, its finite verb last.

    The pronoun agrees with the head in gender and number; its case is that of its role inside.
    """
    if not isinstance(head, NounPhrase) or head.relative is None:
        return
    clause = head.relative
    case = german.NOMINATIVE if clause.gap == "subject" else clause.verb.case
    column = german.PLURAL if head.plural else head.noun.gender
    line.comma((clause, "relative"))
    line.put(german.RELATIVE_PRONOUN[case][column], ((clause, "relative"),))
    _verb_final(line, clause, head.plural)
    line.comma((clause, "relative"), (clause, "last"))


def _finite(line: GermanLine, clause: Clause, plural: bool) -> None:
    """Add the finite verb: the auxiliary of the perfect, or the verb itself."""
    if clause.perfect:
        form = german.AUXILIARIES[clause.verb.auxiliary][plural]
        line.put(form, ((clause, "auxiliary"),))
    else:
        _lexical_verb(line, clause, clause.verb.german[plural])


def _lexical_verb(line: GermanLine, clause: Clause, form: str) -> None:
    extras = [(clause, "do")] if clause.negated and not clause.perfect else []
    if clause.verb.particle:
        extras.append((clause, "particle"))
    line.put(form, ((clause, "verb"),), tuple(extras))


def _middle_field(line: GermanLine, clause: Clause) -> None:
    """Add known objects, time, `nicht`, place adverb, manner, new object, companion, place.

    `nicht` stands after known objects and time, before manner and place; a new object takes the
    negation into its article instead: kein.
    """
    known = clause.object is not None and is_definite(clause.object)
    if clause.recipient is not None:
        noun_phrase(line, clause.recipient, german.DATIVE)
    if known:
        noun_phrase(line, clause.object, clause.verb.case)
    if clause.time is not None and clause.time_position != "front":
        line.put_adverb(clause.time, clause, "time")
    negates_object = clause.negated and clause.object is not None and not known
    if clause.negated and not negates_object:
        line.put("nicht", ((clause, "not"),))
    if isinstance(clause.place, Adverb):
        line.put_adverb(clause.place, clause, "place")
    if clause.manner is not None:
        line.put_adverb(clause.manner, clause, "manner")
    if clause.object is not None and not known:
        noun_phrase(line, clause.object, clause.verb.case, clause if negates_object else None)
    if clause.companion is not None:
        prepositional_phrase(line, clause.companion)
    if isinstance(clause.place, PrepositionalPhrase):
        prepositional_phrase(line, clause.place)


def _participle(line: GermanLine, clause: Clause) -> None:
    if clause.perfect:
        _lexical_verb(line, clause, clause.verb.participle)


def _verb_second(line: GermanLine, clause: Clause) -> None:
    """Add a main clause: one constituent, the finite verb, then all the rest."""
    plural = is_plural(clause.subject)
    if clause.time is not None and clause.time_position == "front":
        line.put_adverb(clause.time, clause, "time")
        _finite(line, clause, plural)
        _subject(line, clause)
    else:
        _subject(line, clause)
        _finite(line, clause, plural)
    _middle_field(line, clause)
    _participle(line, clause)
    relative_clause(line, clause.object)


def _verb_final(line: GermanLine, clause: Clause, head_plural: bool = False) -> None:
    """Add a subordinate clause: everything else, then the participle, then the finite verb."""
    if clause.subject is not None:
        _subject(line, clause)
    _middle_field(line, clause)
    _participle(line, clause)
    _finite(line, clause, head_plural if clause.subject is None else is_plural(clause.subject))
    relative_clause(line, clause.object)


def _subject(line: GermanLine, clause: Clause) -> None:
    noun_phrase(line, clause.subject, german.NOMINATIVE)
    relative_clause(line, clause.subject)


def realise(sentence: Sentence) -> GermanLine:
    """Return the line of a sentence. Every connective has a comma before it."""
    line = GermanLine()
    for connective, clause in zip(sentence.connectives, sentence.clauses, strict=True):
        if connective in ("and", "but"):
            line.put(",", ((clause, "comma"),))
        elif connective == "while":
            line.comma((clause, "connective"))
        if connective:
            line.put(CONNECTIVES[connective], ((clause, "connective"),))
        if connective == "while":
            _verb_final(line, clause)
        else:
            _verb_second(line, clause)
    line.put(".", ((sentence, "stop"),))
    return line
