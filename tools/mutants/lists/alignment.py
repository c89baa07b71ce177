"""Mistakes in IBM Model 1 and in the alignment error rate."""

from tools.mutants.mutant import Mutant

_IBM1 = "tests/unit/alignment/test_ibm1.py"
_ERROR_RATE = "tests/unit/alignment/test_error_rate.py"

MUTANTS = [
    Mutant(
        "Model 1's ties at a thousandth",
        "course_lib/alignment/ibm1.py",
        "row[i] * (1 + 1e-9)",
        "row[i] * (1 + 1e-3)",
        _IBM1,
    ),
    Mutant(
        "Model 1's ties only where equal to the last bit",
        "course_lib/alignment/ibm1.py",
        "row[i] * (1 + 1e-9)",
        "row[i]",
        _IBM1,
    ),
    Mutant(
        "NULL wins ties",
        "course_lib/alignment/ibm1.py",
        "best = row.max(initial=0.0)",
        "best = row.max(initial=0.0) * (1 + 1e-6 * (row[-1] == row.max()))",
        _IBM1,
    ),
    Mutant(
        "NULL makes links",
        "course_lib/alignment/ibm1.py",
        "words = posterior.shape[1] - self.null",
        "words = posterior.shape[1]",
        _IBM1,
    ),
    Mutant(
        "the diagonal is measured from the words' left ends",
        "course_lib/alignment/ibm1.py",
        "(j + 0.5) / len(posterior)",
        "j / len(posterior)",
        _IBM1,
    ),
    Mutant(
        "the first tie is the last",
        "course_lib/alignment/ibm1.py",
        'return tied[0] if ties == "first" else tied[-1]',
        'return tied[-1] if ties == "first" else tied[0]',
        _IBM1,
    ),
    Mutant(
        "NULL in the first column of the posterior",
        "course_lib/alignment/ibm1.py",
        "writers = [*source, None] if self.null else source\n        rows",
        "writers = [None, *source] if self.null else source\n        rows",
        _IBM1,
    ),
    Mutant(
        "counts normalised over the source words",
        "course_lib/alignment/ibm1.py",
        "probability = counts / totals[corpus.pair_source]",
        "probability = counts / np.bincount(corpus.pair_target, counts)[corpus.pair_target]",
        _IBM1,
    ),
    Mutant(
        "the log-likelihood forgets the choice of the source word",
        "course_lib/alignment/ibm1.py",
        "np.log(total / self.row_length[rows])",
        "np.log(total)",
        _IBM1,
    ),
    Mutant(
        "NULL is always there",
        "course_lib/alignment/ibm1.py",
        "source_id: dict[str | None, int] = {None: 0} if null else {}",
        "source_id: dict[str | None, int] = {None: 0}",
        _IBM1,
    ),
    Mutant(
        "the last log-likelihood is left out",
        "course_lib/alignment/ibm1.py",
        "        log_likelihoods.append(corpus.expect(probability)[1])\n",
        "",
        _IBM1,
    ),
    Mutant(
        "precision against sure links",
        "course_lib/alignment/error_rate.py",
        "in_possible += len(a & p)",
        "in_possible += len(a & s)",
        _ERROR_RATE,
    ),
    Mutant(
        "recall against possible links",
        "course_lib/alignment/error_rate.py",
        "sures += len(s)",
        "sures += len(p)",
        _ERROR_RATE,
    ),
    Mutant(
        "the error rate is one sentence's mean",
        "course_lib/alignment/error_rate.py",
        "error_rate=1 - (in_sure + in_possible) / (links + sures)",
        "error_rate=1 - 2 * in_possible / (links + sures)",
        _ERROR_RATE,
    ),
    Mutant(
        "sure links need not be possible",
        "course_lib/alignment/error_rate.py",
        "if not s <= p:",
        "if False:",
        _ERROR_RATE,
    ),
]
