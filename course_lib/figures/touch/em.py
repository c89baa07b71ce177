"""EM for a word alignment model, iteration by iteration: which source word wrote which word?"""

from collections.abc import Sequence

import numpy as np

from course_lib.figures.style import as_array
from course_lib.figures.text import counted
from course_lib.figures.touch.core import Interactive, caption, heads, scrolling, shaded

NULL = "NULL"
SAID_WORDS = 8
"""So many target words are read out with the source word that most probably wrote them."""
Pair = tuple[Sequence[str], Sequence[str]]


def em_steps(
    pairs: Sequence[Pair],
    posteriors: Sequence[Sequence[object]],
    log_likelihoods: Sequence[float],
    *,
    null: bool | str = False,
) -> Interactive:
    """Draws sentence pairs whose words are joined by lines as thick as the posterior.

    The reader moves through the iterations with a slider. Entry 0 is the start, before any update;
    entry k is the model after k iterations.

        pairs = [(["the", "house"], ["das", "Haus"]), (["the", "book"], ["das", "Buch"])]
        steps = range(11)
        models = [IBMModel1.fit(pairs, iterations=n, null=False) for n in steps]
        em_steps(
            pairs,
            [[model.posterior(*pair) for pair in pairs] for model in models],
            [model.log_likelihoods[-1] for model in models],
        )

    Args:
        pairs: source and target words of each pair, without NULL (unless it is written among the
            source words and `null` is False).
        posteriors: for each iteration, for each pair, a (T, S) array: the probability that source
            word s wrote target word t. With `null` it has one column more.
        log_likelihoods: natural logarithm of the probability of all target sentences, one for
            each entry of `posteriors`.
        null: True if the first column is the word NULL; "last" if the last column is, as
            `IBMModel1.posterior` returns it.

    Raises:
        ValueError: no pair or no iteration, numbers of entries or shapes that do not fit, or
            posteriors outside 0..1.
    """
    if null not in (False, True, "first", "last"):
        raise ValueError(f"null must be False, True, 'first' or 'last', got {null!r}")
    if not pairs or not all(source and target for source, target in pairs):
        raise ValueError("EM needs at least one pair, and words on both sides of each")
    if not len(posteriors) or len(posteriors) != len(log_likelihoods):
        raise ValueError(
            f"wanted a log-likelihood for each entry of posteriors, got {len(posteriors)} entries "
            f"and {len(log_likelihoods)} log-likelihoods"
        )
    likelihoods = as_array(log_likelihoods, "log-likelihoods")
    if likelihoods.ndim != 1 or np.isnan(likelihoods).any():
        raise ValueError("log-likelihoods must be one row of numbers")
    named = [(_with_null(source, null), list(target)) for source, target in pairs]
    steps = [_checked(entry, named, null, number) for number, entry in enumerate(posteriors)]
    words = [_words(named, step, likelihoods, number) for number, step in enumerate(steps)]
    headline = (
        f"EM step by step, {counted(len(pairs), 'sentence pair')}, "
        f"{counted(len(steps) - 1, 'iteration')}"
    )
    return Interactive(
        "em",
        headline,
        f"{words[0]} {words[-1]}" if len(words) > 1 else words[0],
        tables=[_table(named, steps, likelihoods)],
        parts=["chart"],
        data={
            "pairs": [{"source": source, "target": target} for source, target in named],
            "steps": [[matrix.round(4).tolist() for matrix in step] for step in steps],
            "likelihoods": [round(float(value), 4) for value in likelihoods],
            "words": words,
        },
    )


def _with_null(source: Sequence[str], null: bool | str) -> list[str]:
    return [NULL, *source] if null else list(source)


def _checked(
    entry: Sequence[object], pairs: Sequence[Pair], null: bool | str, number: int
) -> list[np.ndarray]:
    if len(entry) != len(pairs):
        raise ValueError(
            f"posteriors[{number}]: wanted an array for each of {counted(len(pairs), 'pair')}, "
            f"got {len(entry)}"
        )
    matrices = []
    for i, (values, (source, target)) in enumerate(zip(entry, pairs, strict=True)):
        name = f"posteriors[{number}][{i}]"
        matrix = as_array(values, name)
        if matrix.shape != (len(target), len(source)):
            raise ValueError(
                f"{name}: wanted target by source{' with NULL' if null else ''}, {len(target)} by "
                f"{len(source)}, got {' by '.join(map(str, matrix.shape))}"
            )
        if not ((matrix > -1e-6) & (matrix < 1 + 1e-6)).all():
            raise ValueError(f"{name}: posteriors must lie in 0..1")
        matrices.append(np.roll(matrix, 1, axis=1) if null == "last" else matrix)
    return [matrix.clip(0, 1) for matrix in matrices]


def _words(
    pairs: Sequence[Pair], step: Sequence[np.ndarray], likelihoods: np.ndarray, number: int
) -> str:
    when = f"After {counted(number, 'iteration')}" if number else "At the start"
    told = f"{when}: log-likelihood {_signed(likelihoods[number])}"
    if number:
        told += f", {_signed(likelihoods[number] - likelihoods[number - 1], '+')} by this iteration"
    best = [
        _best(word, source, row)
        for (source, target), matrix in zip(pairs, step, strict=True)
        for word, row in zip(target, matrix, strict=True)
    ]
    rest = ", and so on" if len(best) > SAID_WORDS else ""
    return f"{told}. Most probable: {', '.join(best[:SAID_WORDS])}{rest}."


def _best(word: str, source: Sequence[str], row: np.ndarray) -> str:
    best = np.flatnonzero(row >= row.max() - 1e-6)
    if not row.any():
        return f"{word} from no word"
    if len(best) > 1:
        return f"{word} undecided"
    return f"{word} from {source[best[0]]} {row.max():.2f}"


def _signed(value: float, plus: str = "") -> str:
    """A number with a true minus sign, and a plus sign where one is wanted."""
    text = f"{abs(value):.3f}"
    return f"−{text}" if value < 0 and float(text) else f"{plus}{text}"


def _table(
    pairs: Sequence[Pair], steps: Sequence[Sequence[np.ndarray]], likelihoods: np.ndarray
) -> str:
    rows = []
    for i, (source, target) in enumerate(pairs):
        for t, word in enumerate(target):
            for s, writer in enumerate(source):
                values = [float(step[i][t, s]) for step in steps]
                numbers = "".join(shaded(value, f"{value:.2f}") for value in values)
                rows.append(f"<tr>{heads([i + 1, word, writer], 'row')}{numbers}</tr>")
    last = "".join(f"<td>{_signed(value)}</td>" for value in likelihoods)
    rows.append(f'<tr><th scope="row" colspan="3">log-likelihood</th>{last}</tr>')
    name = "Probability that the source word wrote the target word, by number of iterations"
    columns = heads(["pair", "target", "source", *range(len(steps))])
    return scrolling(
        f"<table>{caption(name)}<thead><tr>{columns}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>",
        name,
    )
