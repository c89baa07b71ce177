"""Mistakes in what the experiments share."""

from tools.mutants.mutant import Mutant

_LAB = "tests/unit/experiments/lab/test_lab.py"
_BOTTLENECK = "tests/unit/experiments/bahdanau/test_bottleneck.py"
_IN_PAGE = "tests/unit/experiments/bahdanau/test_in_page.py"

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
    Mutant(
        "a control is trained no longer than the model",
        "course_lib/experiments/bahdanau/bottleneck.py",
        "        steps *= TIMES.get(run.model, 1)\n",
        "",
        f"{_BOTTLENECK}::TestBottleneck::test_a_control_is_trained_for_as_long_as_it_says",
    ),
    Mutant(
        "equal weights choose all the same",
        "course_lib/experiments/bahdanau/equal.py",
        "        self.score = EqualScore()\n",
        "        pass\n",
        f"{_BOTTLENECK}::TestBottleneck::test_equal_weights_are_bahdanaus_model_without_a_choice",
    ),
    Mutant(
        "one scale for the whole matrix",
        "course_lib/experiments/bahdanau/in_page.py",
        "weight.abs().amax(1) / _LEVELS",
        "weight.abs().amax().expand(len(weight)) / _LEVELS",
        f"{_IN_PAGE}::test_rounding_moves_a_weight_by_half_a_step_of_its_row_at_most",
    ),
    Mutant(
        "weights are cut off and not rounded",
        "course_lib/experiments/bahdanau/in_page.py",
        ".round().clamp(",
        ".clamp(",
        f"{_IN_PAGE}::test_rounding_moves_a_weight_by_half_a_step_of_its_row_at_most",
    ),
    Mutant(
        "a long sentence of a family may have been trained on",
        "course_lib/experiments/bahdanau/in_page.py",
        "if family and not known &",
        "if family or not known &",
        f"{_IN_PAGE}::test_sentences_grow_by_a_clause_and_keep_every_word",
    ),
    Mutant(
        "a gloss is the last partner and not the commonest",
        "course_lib/experiments/bahdanau/in_page.py",
        "key=lambda partner: (-partners[partner], partner)",
        "key=lambda partner: (partners[partner], partner)",
        f"{_IN_PAGE}::test_a_gloss_is_the_commonest_partner_and_a_second_one_if_it_is_common_too",
    ),
]
