"""Chapter 11's language: the grammar's own sentences are in it; what is drawn is counted."""

from course_lab.experiments.decoding.language import as_set
from course_lib.data.mini_world.grammar import sample
from course_lib.data.mini_world.lexicon.reader import load


def test_sentences_of_the_grammar_are_in_the_language():
    """Those of the same shape: a phrase of two or three words on both sides of the verb."""
    verbs = {form for verb in load("tiny").verbs if verb.objects for form in verb.german}
    articles = {form for d in load("tiny").determiners.values() for row in d.german for form in row}
    found = 0
    for pair in sample("train", 800, seed=5, min_words=6, max_words=8, vocabulary="tiny"):
        line = pair.target
        places = [i for i, word in enumerate(line) if word in verbs]
        if len(places) == 1 and places[0] in (2, 3) and len(line) - places[0] - 2 in (2, 3):
            begun = line[0] in articles and line[places[0] + 1] in articles
            if begun and "nicht" not in line:
                found += 1
                assert line in as_set(), line
    assert found > 40


def test_endings_count():
    right = ("der", "alte", "Mann", "sieht", "einen", "kleinen", "Hund", ".")
    assert right in as_set()
    slips = {"der": "den", "einen": "ein", "kleinen": "kleine", "sieht": "sehen"}
    for word, other in slips.items():
        assert tuple(other if w == word else w for w in right) not in as_set()
    assert ("der", "Mann", "liest", "den", "Hund", ".") not in as_set()
