"""EM for a word alignment model, iteration by iteration: which source word wrote which word?"""

from collections.abc import Mapping, Sequence

import numpy as np

from course_lab.figures.touch.core import Interactive, counted, plain, row, shared, sheet

SAID_WORDS = 8
"""So many target words are read out with the source word that most probably wrote them."""
Pair = tuple[Sequence[str], Sequence[str]]
Translations = Mapping[str, Mapping[str, float]]
"""t(f|e) as `table[e][f]`; what is missing is a pair of words that never met."""


def em_steps(
    pairs: Sequence[Pair],
    posteriors: Sequence[Sequence[object]],
    log_likelihoods: Sequence[float],
    *,
    tables: Sequence[Translations] = (),
    opened: int = 0,
) -> Interactive:
    """Draws sentence pairs whose words are joined by lines as thick as the posterior.

    Below each target word stands the posterior of its strongest link, and beside the pairs the
    table t(f|e), where it is given. Entry 0 is the start, before any update; entry k is the model
    after k iterations.

    Args:
        pairs: source and target words of each pair.
        posteriors: for each iteration, for each pair, a (T, S) array: the probability that source
            word s wrote target word t.
        log_likelihoods: natural logarithm of the probability of all target sentences, one for
            each entry of `posteriors`.
        tables: t(f|e) for each entry of `posteriors`, as `IBMModel1.table` has it; or none.
        opened: the entry that is shown first, and again after a reset.
    """
    likelihoods = np.asarray(log_likelihoods, dtype=np.float64)
    steps = [[np.clip(each, 0.0, 1.0) for each in entry] for entry in posteriors]
    grid = _grid(pairs, tables) if tables else {}
    return Interactive(
        "em",
        f"EM step by step, {counted(len(pairs), 'sentence pair')}, "
        f"{counted(len(steps) - 1, 'iteration')}",
        tables=[_table(pairs, steps, likelihoods), *([_grid_table(grid)] if grid else [])],
        parts=["chart", "table"],
        data={
            "pairs": [{"source": source, "target": target} for source, target in pairs],
            "steps": [[matrix.round(4).tolist() for matrix in step] for step in steps],
            "likelihoods": [round(float(value), 4) for value in likelihoods],
            "words": [_words(pairs, step, likelihoods, n) for n, step in enumerate(steps)],
            "grid": grid,
            "opened": opened,
        },
    )


def _words(
    pairs: Sequence[Pair], step: Sequence[np.ndarray], likelihoods: np.ndarray, number: int
) -> str:
    when = f"After {counted(number, 'iteration')}" if number else "At the start"
    told = f"{when}: log-likelihood {_signed(likelihoods[number])}"
    if number:
        told += f", {_signed(likelihoods[number] - likelihoods[number - 1], '+')} by this iteration"
    said, left = [], SAID_WORDS
    for i, ((source, target), matrix) in enumerate(zip(pairs, step, strict=True)):
        best = [_best(word, source, row) for word, row in zip(target, matrix, strict=True)]
        # The same words may stand in two pairs.
        name = f"Pair {i + 1}" if len(pairs) > 1 else "Most probable"
        said += [f"{name}: {', '.join(best[:left])}"] if left > 0 else []
        left -= len(best)
    rest = ", and so on" if left < 0 else ""
    return f"{told}. {'. '.join(said)}{rest}."


def _best(word: str, source: Sequence[str], row: np.ndarray) -> str:
    best = np.flatnonzero(row >= row.max() - 1e-6)
    if not row.any():
        return f"{word} from no word"
    if len(best) > 1:
        return f"{word} undecided"
    return f"{word} from {source[best[0]]} {row.max():.2f}"


def _grid(pairs: Sequence[Pair], tables: Sequence[Translations]) -> dict[str, list]:
    """The tables as rows of source words and columns of target words, both as they come up."""
    met = {(e, f) for source, target in pairs for e in source for f in target}
    rows = list(dict.fromkeys(word for source, _ in pairs for word in source))
    columns = list(dict.fromkeys(word for _, target in pairs for word in target))

    def value(table: Translations, e: str, f: str) -> float | None:
        return round(float(table.get(e, {}).get(f, 0.0)), 4) if (e, f) in met else None

    steps = [[[value(table, e, f) for f in columns] for e in rows] for table in tables]
    return {"source": rows, "target": columns, "steps": steps}


def _grid_table(grid: dict[str, list]) -> str:
    """The same in one table for those without a script: a row for each two words that meet."""
    rows = []
    for i, e in enumerate(grid["source"]):
        for k, f in enumerate(grid["target"]):
            values = [step[i][k] for step in grid["steps"]]
            if values[0] is not None:
                rows.append(row([e, f], shared(values)))
    name = "Probability t(f | e) that the source word e is written as f, by number of iterations"
    return sheet(name, ["e", "f", *range(len(grid["steps"]))], rows, corners=0)


def _signed(value: float, plus: str = "") -> str:
    """A number with a true minus sign, and a plus sign where one is wanted."""
    text = f"{abs(value):.3f}"
    return f"−{text}" if value < 0 and float(text) else f"{plus}{text}"


def _table(
    pairs: Sequence[Pair], steps: Sequence[Sequence[np.ndarray]], likelihoods: np.ndarray
) -> str:
    rows = [
        row([i + 1, word, writer], shared([float(step[i][t, s]) for step in steps]))
        for i, (source, target) in enumerate(pairs)
        for t, word in enumerate(target)
        for s, writer in enumerate(source)
    ]
    last = plain(map(_signed, likelihoods))
    rows.append(f'<tr><th scope="row" colspan="3">log-likelihood</th>{last}</tr>')
    name = "Probability that the source word wrote the target word, by number of iterations"
    return sheet(name, ["pair", "target", "source", *range(len(steps))], rows, corners=0)
