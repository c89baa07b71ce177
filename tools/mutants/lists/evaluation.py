"""Mistakes in greedy search and in the measures."""

from tools.mutants.mutant import Mutant

_GREEDY = "tests/unit/decoding/test_greedy.py"
_GREEDY_PROPERTIES = "tests/property/test_greedy_properties.py"
_FORCED = "tests/unit/evaluation/test_teacher_forcing.py"
_TRANSLATE = "tests/unit/evaluation/test_translate.py"
_ALIGNMENT = "tests/unit/evaluation/test_alignment.py"
_LENGTH = "tests/unit/evaluation/test_length.py"
_BLEU = "tests/unit/evaluation/test_bleu.py"
_P_BLEU = "tests/parity/test_bleu_parity.py"

MUTANTS = [
    Mutant(
        "the padding token may be written",
        "course_lib/decoding/generate.py",
        "torch.tensor(sorted({PAD, start})",
        "torch.tensor(sorted({start})",
        _GREEDY,
    ),
    Mutant(
        "the start token may be written",
        "course_lib/decoding/generate.py",
        "torch.tensor(sorted({PAD, start})",
        "torch.tensor(sorted({PAD})",
        _GREEDY,
    ),
    Mutant(
        "greedy search takes the least probable",
        "course_lib/decoding/greedy.py",
        "logits.argmax(-1)",
        "logits.argmin(-1)",
        _GREEDY,
    ),
    Mutant(
        "greedy search keeps the first state",
        "course_lib/decoding/generate.py",
        "choose(logits, rows), step.state",
        "choose(logits, rows), state",
        _GREEDY_PROPERTIES,
    ),
    Mutant(
        "greedy search stops at the first sentence that ends",
        "course_lib/decoding/generate.py",
        "if not len(kept):",
        "if not going.all():",
        _GREEDY,
    ),
    Mutant(
        "the end mark needs room within max_length",
        "course_lib/decoding/generate.py",
        "for _ in range(max_length + 1):",
        "for _ in range(max_length):",
        _GREEDY,
    ),
    Mutant(
        "a sentence that was cut off counts as finished",
        "course_lib/decoding/generate.py",
        "finished = [end in line for line in lines]",
        "finished = [True for line in lines]",
        _GREEDY,
    ),
    Mutant(
        "the weights of padding are handed out",
        "course_lib/decoding/generate.py",
        "[:, mask[i]]",
        "",
        _GREEDY,
    ),
    Mutant(
        "the gold map one row late",
        "course_lib/evaluation/teacher_forcing.py",
        "matrix[: len(target.ids), : len(source.ids) + 1]",
        "matrix[1 : len(target.ids) + 1, : len(source.ids) + 1]",
        _FORCED,
    ),
    Mutant(
        "the gold maps in the order of the lengths",
        "course_lib/evaluation/teacher_forcing.py",
        "return [maps[i] for i in range(len(encoded))]",
        "return list(maps.values())",
        _FORCED,
    ),
    Mutant(
        "sentences are counted for tokens",
        "course_lib/evaluation/teacher_forcing.py",
        "int(right.sum()), batch.tokens",
        "int(right.sum()), len(batch)",
        _FORCED,
    ),
    Mutant(
        "padding that is foreseen is right",
        "course_lib/evaluation/teacher_forcing.py",
        "(output.logits.argmax(-1) == batch.target_out) & batch.target_mask",
        "output.logits.argmax(-1) == batch.target_out",
        _FORCED,
    ),
    Mutant(
        "perplexity over batches, not tokens",
        "course_lib/evaluation/teacher_forcing.py",
        "batch.target_out, batch.target_mask).item()",
        "batch.target_out, batch.target_mask).item() / batch.tokens",
        _FORCED,
    ),
    Mutant(
        "dropout while measuring",
        "course_lib/models/protocol.py",
        "        model.eval()\n        yield",
        "        yield",
        f"{_FORCED} {_TRANSLATE}",
    ),
    Mutant(
        "all parts of a measured model are left in training mode",
        "course_lib/models/protocol.py",
        "module.training = training",
        "module.training = True",
        _TRANSLATE,
    ),
    Mutant(
        "translations in the order of the lengths",
        "course_lib/evaluation/translate.py",
        "return [translations[i] for i in range(len(sources))]",
        "return list(translations.values())",
        _TRANSLATE,
    ),
    Mutant(
        "a sentence is translated without its end mark",
        "course_lib/evaluation/translate.py",
        "EncodedPair([*sources[i].ids, END], [])",
        "EncodedPair([*sources[i].ids], [])",
        _TRANSLATE,
    ),
    Mutant(
        "a word too many is let through",
        "course_lib/evaluation/translate.py",
        "len(source.ids) > longest",
        "len(source.ids) > longest + 1",
        _TRANSLATE,
    ),
    Mutant(
        "the end mark belongs to the last word",
        "course_lib/evaluation/translate.py",
        "[*source.word_of_token, len(source.words)]",
        "[*source.word_of_token, len(source.words) - 1]",
        _TRANSLATE,
    ),
    Mutant(
        "a shift the other way round",
        "course_lib/evaluation/alignment.py",
        "return {(s, t - shift) for t, s in cells",
        "return {(s, t + shift) for t, s in cells",
        _ALIGNMENT,
    ),
    Mutant(
        "the end mark of the source is linked",
        "course_lib/evaluation/alignment.py",
        "if s < words and",
        "if",
        _ALIGNMENT,
    ),
    Mutant(
        "the last of several largest weights is linked",
        "course_lib/evaluation/alignment.py",
        "max(range(len(row)), key=row.__getitem__, default=0)",
        "max(reversed(range(len(row))), key=row.__getitem__, default=0)",
        _ALIGNMENT,
    ),
    Mutant(
        "a row of zeros is linked",
        "course_lib/evaluation/alignment.py",
        "and weights[t, s] > 0]",
        "]",
        _ALIGNMENT,
    ),
    Mutant(
        "a weight at the threshold makes no link",
        "course_lib/evaluation/alignment.py",
        "(weights >= threshold)",
        "(weights > threshold)",
        _ALIGNMENT,
    ),
    Mutant(
        "sure and possible links are swapped",
        "course_lib/evaluation/alignment.py",
        "[pair.sure for pair in pairs], [pair.possible for pair in pairs]",
        "[pair.possible for pair in pairs], [pair.possible for pair in pairs]",
        _ALIGNMENT,
    ),
    Mutant(
        "a bin holds its upper edge",
        "course_lib/evaluation/length.py",
        "if low <= n < high]",
        "if low < n <= high]",
        _LENGTH,
    ),
    Mutant(
        "words too many cost nothing",
        "course_lib/evaluation/length.py",
        "max(len(hypothesis), len(reference))",
        "len(reference)",
        _LENGTH,
    ),
    Mutant(
        "Wilson's centre without its correction",
        "course_lib/evaluation/length.py",
        "centre = share + z * z / (2 * count)",
        "centre = share",
        _LENGTH,
    ),
    Mutant(
        "Wilson's spread without its correction",
        "course_lib/evaluation/length.py",
        " + (z / (2 * count)) ** 2)",
        ")",
        _LENGTH,
    ),
    Mutant(
        "BLEU always lower-cased",
        "course_lib/evaluation/bleu.py",
        "BLEU(lowercase=lowercase,",
        "BLEU(lowercase=True,",
        f"{_BLEU} {_P_BLEU}",
    ),
    Mutant(
        "BLEU of references against hypotheses",
        "course_lib/evaluation/bleu.py",
        "corpus_score(list(hypotheses), [list(references)])",
        "corpus_score(list(references), [list(hypotheses)])",
        f"{_BLEU} {_P_BLEU}",
    ),
    Mutant(
        "attention that was asked for is not kept",
        "course_lib/decoding/generate.py",
        "memory, weights=weights)",
        "memory)",
        _TRANSLATE,
    ),
]
