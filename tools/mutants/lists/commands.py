"""Mistakes in what the command line does with its options."""

from tools.mutants.mutant import Mutant

_MEANING = "tests/unit/cli/test_meaning.py"
_SEARCH = "tests/unit/cli/test_search.py"
_COMMANDS = "tests/unit/cli/test_commands.py"
_STREAMS = "tests/unit/cli/test_streams.py"

MUTANTS = [
    Mutant(
        "the direction of the mini-world turned round",
        "course_lib/cli/task.py",
        'pair if config.source == "en" else',
        'pair if config.source == "de" else',
        f"{_MEANING}::test_the_direction_is_the_one_that_was_asked_for",
    ),
    Mutant(
        "the seed has no say in the first weights",
        "course_lib/cli/settings.py",
        "build(name, settings, cpu_generator(seed))",
        "build(name, settings, cpu_generator(0))",
        f"{_MEANING}::test_the_seed_decides_weights_order_and_dropout",
    ),
    Mutant(
        "the seed has no say in the batches of a run",
        "course_lib/cli/commands.py",
        "chosen.tokens_per_batch, options.seed)",
        "chosen.tokens_per_batch)",
        f"{_MEANING}::test_the_seed_decides_weights_order_and_dropout",
    ),
    Mutant(
        "the seed has no say in the dropout of a run",
        "course_lib/cli/settings.py",
        "replace(chosen.fit, seed=options.seed, **changes)",
        "replace(chosen.fit, **changes)",
        f"{_MEANING}::test_the_seed_decides_weights_order_and_dropout",
    ),
    Mutant(
        "the seed has no say in the batches of a classifier",
        "course_lib/cli/classify.py",
        "batched(pairs, seed=options.seed)",
        "batched(pairs, seed=0)",
        f"{_MEANING}::test_the_seed_decides_weights_order_and_dropout",
    ),
    Mutant(
        "the seed has no say in the first weights of a classifier",
        "course_lib/cli/classify.py",
        "new_model(build, options.model, settings, options.seed)",
        "new_model(build, options.model, settings, 0)",
        f"{_MEANING}::test_the_seed_decides_weights_order_and_dropout",
    ),
    Mutant(
        "long sentences are left out of the scores",
        "course_lib/cli/commands.py",
        "make_batches(replace(task, max_tokens=10_000), pairs",
        "make_batches(task, pairs",
        f"{_MEANING}::test_no_sentence_is_left_out_of_the_scores",
    ),
    Mutant(
        "scores against references as they stand in the file",
        "course_lib/cli/commands.py",
        "        normal,\n        _EDGES,",
        "        references,\n        _EDGES,",
        f"{_MEANING}::test_references_are_compared_as_the_model_would_write_them",
    ),
    Mutant(
        "blank lines of standard input are dropped",
        "course_lib/cli/commands.py",
        "    for line in lines:\n        print(next(found).text if",
        "    for line in filter(str.strip, lines):\n        print(next(found).text if",
        f"{_COMMANDS}::test_a_blank_line_stays_a_blank_line",
    ),
    Mutant(
        "the axes of the map named the wrong way round",
        "course_lib/cli/commands.py",
        'source_name=f"source ({names[task.source]})"',
        'source_name=f"source ({names[task.target]})"',
        f"{_MEANING}::test_the_axes_of_the_map_are_named_by_their_languages",
    ),
    Mutant(
        "another split is scored than the one asked for",
        "course_lib/cli/commands.py",
        "split = options.split or split_names(task)[2]",
        "split = split_names(task)[1]",
        f"{_COMMANDS}::test_a_wrong_split",
    ),
    Mutant(
        "each side gets the other side's vocabulary",
        "course_lib/cli/task.py",
        "WordVocabulary.from_sentences(sources), WordVocabulary.from_sentences(targets)",
        "WordVocabulary.from_sentences(targets), WordVocabulary.from_sentences(sources)",
        f"{_MEANING}::test_the_direction_is_the_one_that_was_asked_for",
    ),
    Mutant(
        "standard input in another code is read all the same",
        "course_lib/cli/streams.py",
        'sys.stdin.reconfigure(errors="strict")',
        'sys.stdin.reconfigure(errors="replace")',
        f"{_STREAMS}::test_latin_1_on_standard_input",
    ),
    Mutant(
        "a Transformer is told of a hidden width that it does not know",
        "course_lib/cli/settings.py",
        'width = "width" if "width" in chosen.settings else "hidden"',
        'width = "hidden"',
        f"{_SEARCH}::test_every_model_is_searched_with_beams",
    ),
    Mutant(
        "a short run has no warm-up, from which its schedule would fall",
        "course_lib/cli/settings.py",
        "max(total // 10, least)",
        "total // 10",
        f"{_SEARCH}::test_every_model_is_searched_with_beams",
    ),
    Mutant(
        "the length penalty that was asked for is forgotten",
        "course_lib/cli/settings.py",
        "alpha=ALPHA if alpha is None else alpha",
        "alpha=ALPHA",
        f"{_SEARCH}::test_the_search_is_the_one_that_was_asked_for",
    ),
    Mutant(
        "a length penalty of 0 is taken for none",
        "course_lib/cli/settings.py",
        "ALPHA if alpha is None else alpha",
        "alpha or ALPHA",
        f"{_SEARCH}::test_the_search_is_the_one_that_was_asked_for",
    ),
    Mutant(
        "a length penalty without beams says nothing",
        "course_lib/cli/settings.py",
        "if alpha is not None:\n",
        "if False:\n",
        f"{_SEARCH}::test_a_search_that_cannot_be_is_one_line",
    ),
    Mutant(
        "scores come from greedy search whatever was asked for",
        "course_lib/cli/commands.py",
        "progress=True, search=search)",
        "progress=True)",
        f"{_SEARCH}::test_the_search_is_the_one_that_was_asked_for",
    ),
    Mutant(
        "an option before a sentence ends the sentences",
        "course_lib/cli/parser.py",
        "parser.mixed = True",
        "parser.mixed = False",
        f"{_SEARCH}::test_options_may_stand_anywhere_among_sentences",
    ),
]
