"""Mistakes in what chapter 10 measures and shows."""

from tools.mutants.mutant import Mutant

_PEERS = "course_lab/experiments/transformer/peers.py"
_ABLATIONS = "course_lab/experiments/transformer/ablations.py"
_WAY = "course_lab/experiments/transformer/way.py"
_STACK = "course_lab/figures/touch/stack.py"

_RUNS = "tests/unit/experiments/transformer/test_peers.py"
_STATIONS = "tests/unit/experiments/transformer/test_way.py"
_SHOWN = "tests/unit/figures/touch/test_stack.py"

MUTANTS = [
    Mutant(
        "sentences beyond the trained lengths begin at the longest trained one",
        _PEERS,
        'sample("test", LONGEST + 1, BEYOND)',
        'sample("test", LONGEST, BEYOND)',
        f"{_RUNS}::test_no_sentence_stands_in_two_lists_and_lengths_are_kept",
    ),
    Mutant(
        "the test sentences are those of training",
        _PEERS,
        "        plain.test,\n",
        "        plain.train,\n",
        f"{_RUNS}::test_no_sentence_stands_in_two_lists_and_lengths_are_kept",
    ),
    Mutant(
        "a twin is trained no longer",
        _PEERS,
        "steps=STEPS * (variant.times if times is None else times)",
        "steps=STEPS * (1 if times is None else times)",
        f"{_RUNS}::test_a_twin_is_the_same_but_for_its_time",
    ),
    Mutant(
        "every variant warms up alike",
        _PEERS,
        "warmup=variant.warmup",
        "warmup=WARMUP",
        f"{_RUNS}::test_a_variant_has_its_own_rate_time_and_warm_up",
    ),
    Mutant(
        "the first head is taken for the best",
        _PEERS,
        "best = min(valid, key=valid.get)",
        "best = next(iter(valid))",
        f"{_RUNS}::test_the_head_is_the_best_on_validation_pairs",
    ),
    Mutant(
        "of two rates the worse one counts",
        _ABLATIONS,
        "return min(by_rate.values()",
        "return max(by_rate.values()",
        f"{_RUNS}::test_of_two_rates_the_better_one_counts",
    ),
    Mutant(
        "a longer ablation is trained no longer",
        _ABLATIONS,
        "variant = replace(VARIANTS[run.variant], times=times)",
        "variant = VARIANTS[run.variant]",
        f"{_RUNS}::test_a_longer_ablation_is_trained_for_longer",
    ),
    Mutant(
        "of two longer ablations the worse one counts",
        _ABLATIONS,
        'return min(by_rate.values(), key=lambda records: records[0]["nats"])',
        'return min(by_rate.values(), key=lambda records: records[-1]["nats"])',
        f"{_RUNS}::test_of_two_longer_runs_the_better_one_counts",
    ),
    Mutant(
        "what leaves a self-attention is what came in",
        _STACK,
        "return self.entering + last if self.adds else last",
        "return self.entering if self.adds else last",
        f"{_STATIONS}::test_what_leaves_a_station_comes_in_at_the_next",
    ),
    Mutant(
        "cross-attention is shown over the German words",
        _WAY,
        'way.looks["cross"][n], "source")',
        'way.looks["cross"][n], "target")',
        f"{_STATIONS}::test_stations_hold_what_the_model_computes",
    ),
    Mutant(
        "the embedding is shown without its scale",
        _WAY,
        "row = (math.sqrt(table.shape[1]) * table.detach()[ids]).numpy()",
        "row = table.detach()[ids].numpy()",
        f"{_STATIONS}::test_stations_hold_what_the_model_computes",
    ),
    Mutant(
        "hooks stay behind",
        _WAY,
        "            handle.remove()",
        "            pass",
        f"{_STATIONS}::test_the_streams_grow_by_what_each_sub_layer_finds",
    ),
    Mutant(
        "the mean of the heads is taken over the words",
        _STACK,
        "station.heads.weights[:, place].mean(0)",
        "station.heads.weights[0, place]",
        f"{_SHOWN}::test_what_is_read_most_is_said_without_a_script",
    ),
    Mutant(
        "a head has every fourth number of a query",
        _WAY,
        "vectors.reshape(len(vectors), len(weights), -1).transpose(1, 0, 2)",
        "vectors.reshape(len(vectors), -1, len(weights)).transpose(2, 0, 1)",
        f"{_STATIONS}::test_the_heads_of_a_station_attend_as_the_formula_says",
    ),
    Mutant(
        "a sum is drawn in a scale of its own",
        _STACK,
        'told["leaving"] = _rows(station.leaving, stream)',
        'told["leaving"] = _rows(station.leaving, None)',
        f"{_SHOWN}::test_a_stream_has_one_scale_all_the_way",
    ),
]
