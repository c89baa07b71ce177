"""Mistakes at the borders of what a docstring promises; none was noticed before it stood here."""

from tools.mutants.mutant import Mutant

_BEAM, _EXACT = "course_lib/decoding/beam.py", "course_lib/decoding/exact.py"
_SAMPLE = "course_lib/decoding/sample.py"
_MASKS = "course_lib/attention/masks.py"
_CACHE, _POSITION = "course_lib/attention/cache.py", "course_lib/attention/position.py"
_TRANSFORMER, _BLOCKS = "course_lib/models/transformer.py", "course_lib/models/blocks.py"
_LSTMN = "course_lib/recurrent/lstmn.py"
_SEARCHES = "tests/unit/decoding/test_small_print.py"
_ATTENTION = "tests/unit/attention/test_small_print.py"
_MODELS = "tests/unit/models/test_small_print.py"
_TAPES = "tests/unit/recurrent/test_small_print.py"
_TRAINING = "tests/unit/training/test_objective.py tests/unit/training/test_config.py"

_OF = {
    _SEARCHES: (
        ("beam search begins with the usual START", _BEAM, "        start=start,\n", ""),
        ("beam search ends at the usual END", _BEAM, "        end=end,\n", ""),
        (
            "a beam leaves by the penalty of one token too few",
            _BEAM,
            "length_penalty(max_length + 1, alpha)",
            "length_penalty(max_length, alpha)",
        ),
        (
            "a beam leaves by the penalty of the next step",
            _BEAM,
            "length_penalty(max_length + 1, alpha)",
            "length_penalty(length + 1, alpha)",
        ),
        (
            "beam search sums in half precision",
            _BEAM,
            "logits.to(single).log_softmax",
            "logits.log_softmax",
        ),
        ("beam search takes an alpha of nan", _BEAM, "not 0 <= alpha < math.inf", "alpha < 0"),
        ("exact search begins as usual", _EXACT, "alpha=0.0, start=start, end=end", "alpha=0.0"),
        (
            "exact search writes a token too many",
            _EXACT,
            "if len(ids) < max_length",
            "if len(ids) <= max_length",
        ),
        (
            "exact search has patience for one more",
            _EXACT,
            "opened[i] >= patience",
            "opened[i] > patience",
        ),
        ("sampling begins with the usual START", _SAMPLE, "        start=start,\n", ""),
        ("sampling draws what was cut", _SAMPLE, "(reached <= (point", "(reached < (point"),
        (
            "sampling draws a token that there is not",
            _SAMPLE,
            "(point * reached[:, -1])[:, None]",
            "point[:, None]",
        ),
        (
            "a nucleus that is full takes another",
            _SAMPLE,
            "before >= top_p",
            "before > top_p",
        ),
        (
            "a nucleus of everything loses words",
            _SAMPLE,
            "top_p is not None and top_p < 1:",
            "top_p is not None:",
        ),
        ("sampling sums in half precision", _SAMPLE, "logits.float() /", "logits /"),
        (
            "an infinite temperature writes padding",
            _SAMPLE,
            "if not 0 < temperature < math.inf:",
            "if not temperature > 0:",
        ),
        ("logits of nan are drawn from", _SAMPLE, "if share.isnan().any():", "if False:"),
        (
            "a sentence may end by a token that is never written",
            "course_lib/decoding/generate.py",
            "if end in (PAD, start):",
            "if end == PAD:",
        ),
    ),
    _ATTENTION: (
        (
            "half precision forgets the dimension",
            "course_lib/attention/attend.py",
            "masked_softmax(scores.float(), mask, dim)",
            "masked_softmax(scores.float(), mask)",
        ),
        (
            "sines are of single precision",
            _POSITION,
            "sinusoidal(positions, self.width, dtype)",
            "sinusoidal(positions, self.width)",
        ),
        (
            "learned positions are of single precision",
            _POSITION,
            "self.table(positions).to(dtype)",
            "self.table(positions)",
        ),
        (
            "no size is taken for a missing one",
            _MASKS,
            "size = longest if size is None else size",
            "size = size or longest",
        ),
        (
            "a mask of near places stands on the CPU",
            _MASKS,
            "_distance(queries, keys, offset, device).abs() <= radius",
            "_distance(queries, keys, offset, None).abs() <= radius",
        ),
        (
            "a mask of keys hides queries",
            _MASKS,
            "if len({mask.dim() for mask in there}) > 1:",
            "if False:",
        ),
        (
            "a position before the first is PyTorch's affair",
            _POSITION,
            "known_all((positions >= 0) & (positions < most))",
            "known_all(positions < most)",
        ),
        (
            "a window reads values that have no key",
            "course_lib/attention/selection.py",
            "if value.shape[-2] != keys:",
            "if False:",
        ),
        (
            "one row of a cache stands for two",
            _CACHE,
            "old.shape[:2] != new.shape[:2] or ",
            "",
        ),
    ),
    _MODELS: (
        (
            "several tokens behind a cache look ahead",
            _TRANSFORMER,
            "device=tokens.device) if count > 1 else None",
            "device=tokens.device) if count > 1 and not first else None",
        ),
        (
            "several tokens behind a cache stand at its beginning",
            _TRANSFORMER,
            "causal_mask(count, first + count, device=tokens.device)",
            "causal_mask(count, first + count, offset=0, device=tokens.device)",
        ),
        (
            "learned positions end where they always do",
            _BLOCKS,
            "LearnedPosition(config.width, config.max_length)",
            "LearnedPosition(config.width, 512)",
        ),
        ("a stack cannot leave the scale out", _BLOCKS, "        scaled=config.scaled,\n", ""),
        (
            "a stack without norms has one at its end",
            _BLOCKS,
            'if config.norm == "pre" else nn.Identity()',
            'if config.norm != "post" else nn.Identity()',
        ),
        (
            "every model is on the CPU",
            "course_lib/models/protocol.py",
            'next((p.device for p in model.parameters()), torch.device("cpu"))',
            'torch.device("cpu")',
        ),
    ),
    _TAPES: (
        (
            "deep fusion's second score has another width",
            _LSTMN,
            "score_size = self.intra.keys.out_features",
            "score_size = hidden_size",
        ),
        (
            "an LSTMN without a source reads its own tape as one",
            _LSTMN,
            "leave, cell, state.source)",
            "leave, cell, summary)",
        ),
    ),
    _TRAINING: (
        (
            "a classifier's loss is of half precision",
            "course_lib/training/objective.py",
            "logits = logits_of(model(*batch.inputs)).float()",
            "logits = logits_of(model(*batch.inputs))",
        ),
        (
            "half a mask halves a mean",
            "course_lib/training/objective.py",
            "if not logits.shape[:-1] == target.shape == mask.shape:",
            "if False:",
        ),
        (
            "a warm-up below zero turns the rate round",
            "course_lib/training/config.py",
            "if warmup < 0:",
            "if False:",
        ),
    ),
}

MUTANTS = [
    Mutant(why, file, old, new, tests)
    for tests, entries in _OF.items()
    for why, file, old, new in entries
]
