"""Mistakes in the mini-world: its German, its gold links and its splits."""

from tools.mutants.mutant import Mutant

_GOLDEN = "tests/unit/data/mini_world/test_golden.py"
_SAMPLE = "tests/unit/data/mini_world/test_sample.py"

MUTANTS = [
    Mutant(
        "a subordinate clause with its verb in second place",
        "course_lib/data/mini_world/german.py",
        '        if connective == "while":\n            _verb_final(line, clause)\n',
        '        if connective == "while":\n            _verb_second(line, clause)\n',
        _GOLDEN,
    ),
    Mutant(
        "no inversion after a fronted adverb",
        "course_lib/data/mini_world/german.py",
        "        _finite(line, clause, plural)\n        _subject(line, clause)\n    else",
        "        _subject(line, clause)\n        _finite(line, clause, plural)\n    else",
        _GOLDEN,
    ),
    Mutant(
        "the participle before the middle field",
        "course_lib/data/mini_world/german.py",
        "    _middle_field(line, clause)\n    _participle(line, clause)\n    relative",
        "    _participle(line, clause)\n    _middle_field(line, clause)\n    relative",
        _GOLDEN,
    ),
    Mutant(
        "the auxiliary before the participle at the end of a clause",
        "course_lib/data/mini_world/german.py",
        "    _participle(line, clause)\n    _finite(line",
        "    _finite(line, clause, False)\n    _participle(line, clause)\n    _finite(line",
        _GOLDEN,
    ),
    Mutant(
        "a recipient in the accusative",
        "course_lib/data/mini_world/german.py",
        "clause.recipient, german.DATIVE",
        "clause.recipient, german.ACCUSATIVE",
        _GOLDEN,
    ),
    Mutant(
        "a relative pronoun always in the nominative",
        "course_lib/data/mini_world/german.py",
        'german.NOMINATIVE if clause.gap == "subject" else clause.verb.case',
        "german.NOMINATIVE",
        _GOLDEN,
    ),
    Mutant(
        "adjectives with the endings of another declension",
        "course_lib/data/mini_world/german.py",
        '        declension = "mixed"\n',
        '        declension = "weak"\n',
        _GOLDEN,
    ),
    Mutant(
        "an article before a contracted preposition",
        "course_lib/data/mini_world/german.py",
        "bare=melted is not None)",
        "bare=False)",
        _GOLDEN,
    ),
    Mutant(
        "no comma before a relative clause",
        "course_lib/data/mini_world/german.py",
        '    line.comma((clause, "relative"))\n    line.put',
        "    line.put",
        _GOLDEN,
    ),
    Mutant(
        "kein has no link to not",
        "course_lib/data/mini_world/german.py",
        '((negation, "not"),), article)',
        "article)",
        _GOLDEN,
    ),
    Mutant(
        "sure links are not possible ones",
        "course_lib/data/mini_world/grammar.py",
        "frozenset(sure | possible)",
        "frozenset(possible)",
        _GOLDEN,
    ),
    Mutant(
        "links turned round",
        "course_lib/data/mini_world/grammar.py",
        "sure = {(positions[mark], j) for",
        "sure = {(j, positions[mark]) for",
        _GOLDEN,
    ),
    Mutant(
        "a sentence in several splits",
        "course_lib/data/mini_world/grammar.py",
        "else split_of(text) == split",
        "else True",
        _SAMPLE,
    ),
    Mutant(
        "the same sentence twice in a sample",
        "course_lib/data/mini_world/grammar.py",
        "        if text in seen:\n            continue\n",
        "",
        _SAMPLE,
    ),
    Mutant(
        "the seed has no say in a sample",
        "course_lib/data/mini_world/grammar.py",
        'Random(f"{seed} {split}")',
        "Random(split)",
        _SAMPLE,
    ),
    Mutant(
        "every split draws the same meanings first",
        "course_lib/data/mini_world/grammar.py",
        'Random(f"{seed} {split}")',
        'Random(f"{seed}")',
        _SAMPLE,
    ),
]
