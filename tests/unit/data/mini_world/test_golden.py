"""Hand-written translations: every construction, gender, case, number and ending class once.

The German was written by hand, not taken from the grammar's output.
"""

from itertools import chain

import pytest

from course_lib.data.mini_world.grammar import aligned_pair
from course_lib.data.mini_world.lexicon.reader import load
from course_lib.data.mini_world.lexicon.vocabulary import DETERMINERS, PREPOSITIONS, PRONOUNS
from course_lib.data.mini_world.meaning import (
    Clause,
    NounPhrase,
    Pair,
    PrepositionalPhrase,
    Sentence,
)
from course_lib.data.mini_world.plan import THEN

LEXICON = load("full")
NOUNS = {
    form: (noun, plural)
    for noun in (*PRONOUNS, *LEXICON.names, *LEXICON.nouns)
    for plural, form in enumerate(noun.english)
    if form
}
ADJECTIVES = {adjective.english: adjective for adjective in LEXICON.adjectives}
ADVERBS = {" ".join(adverb.english): adverb for adverb in (*chain(*LEXICON.adverbs.values()), THEN)}
VERBS = {verb.english[0]: verb for verb in LEXICON.verbs}
ARTICLES = {form: d for d in DETERMINERS.values() for form in d.english if form} | {
    "an": DETERMINERS["a"]
}


def np(text, **parts):
    """`the small dogs`, or two of them with `and`."""
    if " and " in text:
        return Pair(*(np(part) for part in text.split(" and ")))
    *before, last = text.split()
    noun, plural = NOUNS[last]
    article = ARTICLES[before.pop(0)] if before and before[0] in ARTICLES else None
    return NounPhrase(noun, article, bool(plural), tuple(ADJECTIVES[w] for w in before), **parts)


def pp(text, within=None):
    word, _, rest = text.partition(" ")
    return PrepositionalPhrase(PREPOSITIONS[word], np(rest, attribute=within and pp(within)))


def say(subject, verb, thing=None, **parts):
    """A clause; phrases and adverbs may be given as English text."""
    for key in ("time", "manner"):
        if key in parts:
            parts[key] = ADVERBS[parts[key]]
    for key in ("companion", "place"):
        if isinstance(parts.get(key), str):
            text = parts[key]
            parts[key] = ADVERBS[text] if text in ADVERBS else pp(text)
    subject, thing, recipient = (
        np(phrase) if isinstance(phrase, str) else phrase
        for phrase in (subject, thing, parts.pop("to", None))
    )
    return Clause(VERBS[verb], subject, thing, recipient, **parts)


def who(head, verb, thing=None, **parts):
    """A noun phrase with a subject relative: the dog that sleeps."""
    return np(head, relative=say(None, verb, thing, gap="subject", **parts))


def whom(head, subject, verb, **parts):
    """A noun phrase with an object relative: the dog that the man sees."""
    return np(head, relative=say(subject, verb, gap="object", **parts))


def sentence(*clauses):
    first, *rest = clauses
    return Sentence((first, *(c for _, c in rest)), ("", *(word for word, _ in rest)))


FRONT = {"time_position": "front"}
MIDDLE = {"time_position": "middle"}
PERFECT = {"perfect": True}
NOT = {"negated": True}

# fmt: off
SIMPLE = [
    # Genders, numbers and ending classes in the nominative.
    (say("they", "sleep"), "they sleep", "sie schlafen"),
    (say("the old dog", "sleep"), "the old dog sleeps", "der alte Hund schläft"),
    (say("an old cat", "sleep"), "an old cat sleeps", "eine alte Katze schläft"),
    (say("the small child", "laugh"), "the small child laughs", "das kleine Kind lacht"),
    (say("a small dog", "wait"), "a small dog waits", "ein kleiner Hund wartet"),
    (say("a small child", "cry"), "a small child cries", "ein kleines Kind weint"),
    (say("this strong lion", "run"), "this strong lion runs", "dieser starke Löwe läuft"),
    (say("every brave girl", "dance"), "every brave girl dances", "jedes mutige Mädchen tanzt"),
    (say("our poor aunt", "sneeze"), "our poor aunt sneezes", "unsere arme Tante niest"),
    (say("the big dogs", "sleep"), "the big dogs sleep", "die großen Hunde schlafen"),
    (say("hungry wolves", "wait"), "hungry wolves wait", "hungrige Wölfe warten"),
    (say("two old men", "work"), "two old men work", "zwei alte Männer arbeiten"),
    (say("many clever women", "sing"), "many clever women sing", "viele kluge Frauen singen"),
    (say("all young mice", "sleep"), "all young mice sleep", "alle jungen Mäuse schlafen"),
    (say("my old friends", "travel"), "my old friends travel", "meine alten Freunde reisen"),
    (say("Anna and the boy", "run"), "Anna and the boy run", "Anna und der Junge laufen"),
    # Accusative.
    (say("the woman", "see", "the small dog"),
     "the woman sees the small dog", "die Frau sieht den kleinen Hund"),
    (say("the boy", "need", "an old umbrella"),
     "the boy needs an old umbrella", "der Junge braucht einen alten Regenschirm"),
    (say("he", "read", "my new book"), "he reads my new book", "er liest mein neues Buch"),
    (say("she", "buy", "a beautiful red dress"),
     "she buys a beautiful red dress", "sie kauft ein schönes rotes Kleid"),
    (say("Paul", "love", "the white cat"),
     "Paul loves the white cat", "Paul liebt die weiße Katze"),
    (say("Paul", "drink", "cold water"), "Paul drinks cold water", "Paul trinkt kaltes Wasser"),
    (say("Max", "drink", "hot tea"), "Max drinks hot tea", "Max trinkt heißen Tee"),
    (say("Emma", "drink", "warm milk"), "Emma drinks warm milk", "Emma trinkt warme Milch"),
    (say("the girl", "call", "the boy"), "the girl calls the boy", "das Mädchen ruft den Jungen"),
    (say("he", "draw", "every bear"), "he draws every bear", "er zeichnet jeden Bären"),
    (say("she", "see", "a high tower"), "she sees a high tower", "sie sieht einen hohen Turm"),
    (say("they", "paint", "an expensive car"),
     "they paint an expensive car", "sie malen ein teures Auto"),
    (say("the cat", "look", "some black birds"),
     "the cat looks for some black birds", "die Katze sucht einige schwarze Vögel"),
    # Dative: verbs, recipients, prepositions and contractions.
    (say("the man", "help", "the old woman"),
     "the man helps the old woman", "der Mann hilft der alten Frau"),
    (say("Anna", "thank", "the children"), "Anna thanks the children", "Anna dankt den Kindern"),
    (say("the doctor", "answer", "a clever student"),
     "the doctor answers a clever student", "der Arzt antwortet einem klugen Studenten"),
    (say("the woman", "give", "an apple", to="the child"),
     "the woman gives the child an apple", "die Frau gibt dem Kind einen Apfel"),
    (say("she", "show", "the garden", to="my young friend"),
     "she shows my young friend the garden", "sie zeigt meinem jungen Freund den Garten"),
    (say("the frog", "jump", place="in the small garden"),
     "the frog jumps in the small garden", "der Frosch springt im kleinen Garten"),
    (say("he", "sit", place="by the river"), "he sits by the river", "er sitzt am Fluss"),
    (say("he", "wait", place="near the station"),
     "he waits near the station", "er wartet beim Bahnhof"),
    (say("she", "get", "a letter", companion="from the uncle"),
     "she gets a letter from the uncle", "sie bekommt einen Brief vom Onkel"),
    (say("bears", "sleep", place="under the big trees"),
     "bears sleep under the big trees", "Bären schlafen unter den großen Bäumen"),
    (say("Lena", "laugh", place="in this dark forest"),
     "Lena laughs in this dark forest", "Lena lacht in diesem dunklen Wald"),
    (say("Tim", "sit", place=pp("under a table", within="in the kitchen")),
     "Tim sits under a table in the kitchen", "Tim sitzt unter einem Tisch in der Küche"),
    (say("she", "bake", "a cake", companion="for the king"),
     "she bakes a cake for the king", "sie backt einen Kuchen für den König"),
    (
        say(np("the witch", attribute=pp("with a green hat")), "wait", place="on the bridge"),
        "the witch with a green hat waits on the bridge",
        "die Hexe mit einem grünen Hut wartet auf der Brücke",
    ),
    # Relative clauses: gender, number and case of the pronoun, the verb at the end.
    (say(who("the man", "sleep"), "laugh"),
     "the man who sleeps laughs", "der Mann , der schläft , lacht"),
    (say(who("the women", "sing"), "dance"),
     "the women who sing dance", "die Frauen , die singen , tanzen"),
    (say(whom("the dog", "a cat", "see"), "run"),
     "the dog that a cat sees runs", "der Hund , den eine Katze sieht , läuft"),
    (say("he", "read", whom("the book", "Anna", "write", **PERFECT)),
     "he reads the book that Anna has written", "er liest das Buch , das Anna geschrieben hat"),
    (say(whom("the man", "the child", "help"), "smile"),
     "the man that the child helps smiles", "der Mann , dem das Kind hilft , lächelt"),
    (say(whom("the boys", "she", "thank"), "wait"),
     "the boys that she thanks wait", "die Jungen , denen sie dankt , warten"),
    (
        say("the man", "see", who("the dog", "follow", "the cat", **PERFECT), **PERFECT),
        "the man has seen the dog that has followed the cat",
        "der Mann hat den Hund gesehen , der der Katze gefolgt ist",
    ),
    (
        say("she", "see", who("a fox", "steal", whom("an egg", "he", "need"))),
        "she sees a fox that steals an egg that he needs",
        "sie sieht einen Fuchs , der ein Ei stiehlt , das er braucht",
    ),
    # Negation.
    (say("the child", "sleep", **NOT), "the child does not sleep", "das Kind schläft nicht"),
    (say("they", "see", "the lions", time="today", **NOT),
     "they do not see the lions today", "sie sehen die Löwen heute nicht"),
    (say("he", "see", "a lion", **NOT), "he does not see a lion", "er sieht keinen Löwen"),
    (say("she", "eat", "sweet apples", **NOT),
     "she does not eat sweet apples", "sie isst keine süßen Äpfel"),
    # After kein the adjective ends as after ein, not as after das.
    (say("he", "see", "a small child", **NOT),
     "he does not see a small child", "er sieht kein kleines Kind"),
    (say("the queen", "drink", "cold milk", perfect=True, negated=True),
     "the queen has not drunk cold milk", "die Königin hat keine kalte Milch getrunken"),
    (say("Jonas", "work", place="in the shop", **NOT),
     "Jonas does not work in the shop", "Jonas arbeitet nicht im Laden"),
    (say("they", "trust", "the pirate", **NOT),
     "they do not trust the pirate", "sie vertrauen dem Piraten nicht"),
    # Perfect, with haben and sein.
    (say("the geese", "fly", **PERFECT), "the geese have flown", "die Gänse sind geflogen"),
    (say("the queen", "open", "the door", manner="carefully", **PERFECT),
     "the queen has opened the door carefully", "die Königin hat die Tür vorsichtig geöffnet"),
    (say("a giant", "repair", "a chair", manner="carefully", **PERFECT),
     "a giant has repaired a chair carefully", "ein Riese hat vorsichtig einen Stuhl repariert"),
    # Adverbs, inversion.
    (say("the prince", "eat", "a pear", time="today", **FRONT),
     "today the prince eats a pear", "heute isst der Prinz eine Birne"),
    (say("the tall knight", "help", "Anna", time="on Monday", **FRONT),
     "on Monday the tall knight helps Anna", "am Montag hilft der große Ritter Anna"),
    (say("the dwarfs", "read", "a story", time="tonight", **FRONT),
     "tonight the dwarfs read a story", "heute Abend lesen die Zwerge eine Geschichte"),
    (say("owls", "fly", time="at night"), "owls fly at night", "Eulen fliegen nachts"),
    (say("Clara", "feed", "the pig", time="every day"),
     "Clara feeds the pig every day", "Clara füttert das Schwein jeden Tag"),
    (say("Clara", "visit", "the museum", time="often", **MIDDLE, **PERFECT),
     "Clara has often visited the museum", "Clara hat das Museum oft besucht"),
    (say("the baker", "eat", "a nut", time="never", **MIDDLE),
     "the baker never eats a nut", "der Bäcker isst nie eine Nuss"),
    (say("the students", "read", "books", place="here", manner="quietly"),
     "the students read books quietly here", "die Studenten lesen hier leise Bücher"),
]
# fmt: on

COMPOUND = [
    (
        sentence(say("the dog", "sleep"), ("and", say("the cat", "drink", "milk"))),
        "the dog sleeps , and the cat drinks milk .",
        "der Hund schläft , und die Katze trinkt Milch .",
    ),
    (
        sentence(
            say("Anna", "know", who("the man", "wait")),
            ("and", say("she", "greet", "the baker", time="then", **FRONT)),
        ),
        "Anna knows the man who waits , and then she greets the baker .",
        "Anna kennt den Mann , der wartet , und dann grüßt sie den Bäcker .",
    ),
    (
        sentence(
            say("he", "like", "the cheese and the bread"),
            ("but", say("she", "like", "the soup", **NOT)),
        ),
        "he likes the cheese and the bread , but she does not like the soup .",
        "er mag den Käse und das Brot , aber sie mag die Suppe nicht .",
    ),
    (
        sentence(
            say("the girl", "play", companion="with the ball"),
            ("while", say(who("the boy", "wait"), "read", "a letter")),
            ("and", say("they", "laugh")),
        ),
        "the girl plays with the ball while the boy who waits reads a letter , and they laugh .",
        "das Mädchen spielt mit dem Ball , während der Junge , der wartet , einen Brief liest ,"
        " und sie lachen .",
    ),
]

GOLDEN = [(sentence(c), f"{e} .", f"{g} .") for c, e, g in SIMPLE] + COMPOUND


@pytest.mark.parametrize(("meaning", "english", "german"), GOLDEN, ids=[g[1] for g in GOLDEN])
def test_both_sides_read_as_written_by_hand(meaning, english, german):
    pair = aligned_pair(meaning)
    assert " ".join(pair.source) == english
    assert " ".join(pair.target) == german


def links(text):
    return frozenset(tuple(int(n) for n in link.split("-")) for link in text.split())


ALIGNED = [
    # the man has seen the dog that sleeps . / der Mann hat den Hund gesehen , der schläft .
    (
        sentence(say("the man", "see", who("the dog", "sleep"), **PERFECT)),
        "0-0 1-1 2-2 3-5 4-3 5-4 6-7 7-8 8-9",
        "6-6",
    ),
    # the cat that he sees does not sleep . / die Katze , die er sieht , schläft nicht .
    (
        sentence(say(whom("the cat", "he", "see"), "sleep", **NOT)),
        "0-0 1-1 2-3 3-4 4-5 7-7 6-8 8-9",
        "2-2 2-6 4-6 5-7",
    ),
    # she does not look for a key in the garden . / sie sucht keinen Schlüssel im Garten .
    (
        sentence(say("she", "look", "a key", place="in the garden", **NOT)),
        "0-0 3-1 2-2 6-3 7-4 9-5 10-6",
        "1-1 4-1 5-2 8-4",
    ),
    # he sleeps , but at night she laughs . / er schläft , aber nachts lacht sie .
    (
        sentence(say("he", "sleep"), ("but", say("she", "laugh", time="at night", **FRONT))),
        "0-0 1-1 2-2 3-3 5-4 7-5 6-6 8-7",
        "4-4",
    ),
    # tonight he sings while the bird sleeps . / heute Abend singt er , während der Vogel schläft .
    (
        sentence(say("he", "sing", time="tonight", **FRONT), ("while", say("the bird", "sleep"))),
        "0-0 0-1 2-2 1-3 3-5 4-6 5-7 6-8 7-9",
        "3-4",
    ),
]


@pytest.mark.parametrize(("meaning", "sure", "possible"), ALIGNED)
def test_links_are_those_an_annotator_would_draw(meaning, sure, possible):
    pair = aligned_pair(meaning)
    assert pair.sure == links(sure)
    assert pair.possible == links(sure) | links(possible)
