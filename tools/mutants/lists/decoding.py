"""Mistakes in exact search, in what a search shows, and in what chapter 11 counts."""

from tools.mutants.mutant import Mutant

_EXACT = "course_lib/decoding/exact.py"
_EXACTLY = "tests/unit/decoding/test_exact.py"
_COST = "course_lab/experiments/decoding/cost.py"
_COUNTED = "tests/unit/experiments/decoding/test_cost.py"

_NUMBERS = "tests/unit/decoding/test_no_numbers.py"

MUTANTS = [
    *(
        Mutant(f"{name} writes on where logits are nan", file, call, "pass", _NUMBERS)
        for name, file, call in (
            (
                "greedy search",
                "course_lib/decoding/generate.py",
                "require_probabilities(step.logits, suppressed, end)",
            ),
            (
                "beam search",
                "course_lib/decoding/beam.py",
                "require_probabilities(step.logits, suppressed, end, live.exists.flatten())",
            ),
            ("exact search", _EXACT, "require_probabilities(after, suppressed, end)"),
        )
    ),
    Mutant(
        "exact search drops beginnings that could still win",
        _EXACT,
        "(total > best[i].log_probability)",
        "(total > best[i].log_probability / 2)",
        _EXACTLY,
    ),
    Mutant(
        "exact search takes the least probable beginning first and stops there",
        _EXACT,
        "heappush(waiting[i], (-float(total[token]), (*ids, token)))",
        "heappush(waiting[i], (float(total[token]), (*ids, token)))",
        _EXACTLY,
    ),
    Mutant(
        "exact search lets PAD and START be written",
        _EXACT,
        "after = after.index_fill(-1, suppressed, -torch.inf).double()",
        "after = after.double()",
        _EXACTLY,
    ),
    Mutant(
        "exact search reads the logits behind the padding",
        _EXACT,
        "newest = logits[torch.arange(len(lines), device=device), last]",
        "newest = logits[:, -1]",
        _EXACTLY,
    ),
    Mutant(
        "exact search forgets what the beginning cost",
        _EXACT,
        "total = more - against",
        "total = more",
        _EXACTLY,
    ),
    Mutant(
        "who watches a beam search is not told the parents",
        "course_lib/decoding/beam.py",
        "watch(BeamStep(list(live.sentence), parent, live.newest, live.log_p, ended))",
        "watch(BeamStep(list(live.sentence), 0 * parent, live.newest, live.log_p, ended))",
        "tests/unit/decoding/test_beam.py",
    ),
    Mutant(
        "the formula forgets the source's positions",
        _COST,
        "looks * (t + source) for t in",
        "looks * t for t in",
        _COUNTED,
    ),
    Mutant(
        "a counter that forgets the values",
        _COST,
        "(key.shape[-1] + value.shape[-1])",
        "key.shape[-1]",
        _COUNTED,
    ),
    Mutant(
        "the tree of a search lets an ended beam be continued",
        "course_lab/figures/touch/beams.py",
        "or before[node.parent].ended",
        "or False",
        "tests/unit/figures/touch/test_beams.py",
    ),
]
