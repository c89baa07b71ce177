"""Mistakes in what looks at heads: relations, the gap filler, silent heads, what is counted."""

from tools.mutants.mutant import Mutant

_CLOZE = "course_lib/models/cloze.py"
_RELATIONS = "course_lib/data/mini_world/relations.py"
_GAPS = "course_lab/experiments/multi_head/gaps.py"
_HEADS = "course_lab/experiments/multi_head/heads.py"
_DIFFERENCE = "course_lab/experiments/multi_head/difference.py"

_FILLING = "tests/unit/models/test_cloze.py"
_GRAMMAR = "tests/unit/data/mini_world/test_relations.py"
_DRAWN = "tests/unit/experiments/multi_head/test_gaps.py"
_COUNTED = "tests/unit/experiments/multi_head/test_heads.py"
_SIGNS = "tests/unit/experiments/multi_head/test_difference.py"

MUTANTS = [
    Mutant(
        "padding is looked at when a gap is filled",
        _CLOZE,
        "at, mask = places(padding_mask), for_keys(padding_mask)",
        "at, mask = places(padding_mask), None",
        _FILLING,
    ),
    Mutant(
        "the answer is read at the first word instead of the gap",
        _CLOZE,
        "x.gather(1, gap[:, None, None].expand(-1, 1, x.shape[-1]))[:, 0]",
        "x[:, 0]",
        _FILLING,
    ),
    Mutant(
        "the last norm is forgotten",
        _CLOZE,
        "nn.functional.linear(self.norm(at_gap), self",
        "nn.functional.linear(at_gap, self",
        _FILLING,
    ),
    Mutant(
        "a head is silenced in the model itself",
        _CLOZE,
        "copy = deepcopy(model)",
        "copy = model",
        _FILLING,
    ),
    Mutant(
        "rows of W^O are silenced in the place of columns",
        _CLOZE,
        "attention.output.weight[:, attention.columns(head)] = 0.0",
        "attention.output.weight[attention.columns(head)] = 0.0",
        _FILLING,
    ),
    Mutant(
        "the participle is asked for the subject's number",
        _RELATIONS,
        'finite = places.get((clause, "auxiliary"), places.get((clause, "do"), verb))',
        "finite = verb",
        _GRAMMAR,
    ),
    Mutant(
        "the head of a relative clause is nobody's subject",
        _RELATIONS,
        "phrase = head if clause.gap == part else getattr(clause, part)",
        "phrase = getattr(clause, part)",
        _GRAMMAR,
    ),
    Mutant(
        "of two nouns joined by and only the first is the subject",
        _RELATIONS,
        "parts = (phrase.first, phrase.second) if isinstance(phrase, Pair) else (phrase,)",
        "parts = (phrase.first,) if isinstance(phrase, Pair) else (phrase,)",
        _GRAMMAR,
    ),
    Mutant(
        "the missing word stays in the sentence",
        _GAPS,
        "ids.scatter(1, places, GAP)",
        "ids",
        _DRAWN,
    ),
    Mutant(
        "the fixed distance is counted where it is chosen",
        _HEADS,
        "((d, _at(given, kind, d), _at(chosen_on, kind, d)) for d in _REACH)",
        "((d, _at(chosen_on, kind, d), _at(chosen_on, kind, d)) for d in _REACH)",
        _COUNTED,
    ),
    Mutant(
        "what a silent head gains counts as its cost",
        _HEADS,
        "nats(without_heads(model, [(n, h)])) - whole",
        "whole - nats(without_heads(model, [(n, h)]))",
        _COUNTED,
    ),
    Mutant(
        "the number of a verb is asked beside its subject too",
        _HEADS,
        "        if r.word - 1 not in r.partners\n",
        "",
        _COUNTED,
    ),
    Mutant(
        "the wanted difference is a sum",
        _DIFFERENCE,
        '"difference": (1.0, -1.0)',
        '"difference": (1.0, 1.0)',
        _SIGNS,
    ),
]
