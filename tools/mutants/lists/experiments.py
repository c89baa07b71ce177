"""Mistakes in what the experiments share."""

from tools.mutants.mutant import Mutant

_LAB = "tests/unit/experiments/lab/test_lab.py"

MUTANTS = [
    Mutant(
        "test pairs from the validation split",
        "course_lib/experiments/lab/world.py",
        'sample("test", held_out)',
        'sample("valid", held_out)',
        _LAB,
    ),
    Mutant(
        "validation pairs from the training split",
        "course_lib/experiments/lab/world.py",
        'sample("valid", held_out)',
        'sample("train", held_out)',
        _LAB,
    ),
    Mutant(
        "a vocabulary of both sides",
        "course_lib/experiments/lab/world.py",
        "WordVocabulary.from_sentences([pair.target for pair in pairs])",
        "WordVocabulary.from_sentences([pair.source for pair in pairs])",
        _LAB,
    ),
    Mutant(
        "vocabulary sizes swapped",
        "course_lib/experiments/lab/world.py",
        'names = ("source_vocabulary", "target_vocabulary")',
        'names = ("target_vocabulary", "source_vocabulary")',
        _LAB,
    ),
    Mutant(
        "bins by the length of the target",
        "course_lib/experiments/lab/world.py",
        "        [len(pair.source) for pair in pairs],\n        [translation",
        "        [len(pair.target) for pair in pairs],\n        [translation",
        _LAB,
    ),
    Mutant(
        "one thread is kept afterwards",
        "course_lib/experiments/lab/world.py",
        "        torch.set_num_threads(before)\n",
        "        pass\n",
        _LAB,
    ),
    Mutant(
        "weights arrive in training mode",
        "course_lib/experiments/lab/world.py",
        "    model.eval()\n",
        "",
        _LAB,
    ),
    Mutant(
        "a rate at the end of the ladder is taken",
        "course_lib/experiments/lab/rates.py",
        "if not 0 < place < len(ladder) - 1:",
        "if not 0 <= place < len(ladder):",
        _LAB,
    ),
    Mutant(
        "a rate without the one above",
        "course_lib/experiments/lab/rates.py",
        "ladder[place - 1 : place + 2]",
        "ladder[place - 1 : place + 1]",
        _LAB,
    ),
    Mutant(
        "records of other runs are lost",
        "course_lib/experiments/lab/records.py",
        "records = {tuple(entry[name] for name in key): entry for entry in old}",
        "records = {}",
        _LAB,
    ),
    Mutant(
        "records in the order of their ends",
        "course_lib/experiments/lab/records.py",
        "for name in sorted(records)",
        "for name in records",
        _LAB,
    ),
]
