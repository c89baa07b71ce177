"""`python -m course_lib align`: translate one sentence and draw where each word looked."""

from argparse import Namespace
from itertools import count
from pathlib import Path

from matplotlib.figure import Figure
from torch import Tensor

from course_lib.cli.translate import load_translator, search_of, translated, warn_of_unknown_words
from course_lib.errors import CourseError, one_line


def align(options: Namespace) -> None:
    """Translate one sentence, print where each word looked and draw the map."""
    run, task = load_translator(options.run)
    (translation,) = translated(
        run, task, [options.sentence], search=search_of(options), return_attention=True
    )
    warn_of_unknown_words([translation])
    weights, words = translation.word_weights, translation.target.words
    if weights is None:
        raise CourseError(
            f"{run.config['model']} has no attention to draw; choose a run of a model that "
            "attends, such as bahdanau or transformer"
        )
    if not words:
        raise CourseError("the translation has no words; train the model for longer")
    width = max(len(word) for word in words)
    for word, row in zip(words, weights, strict=True):
        best = int(row.argmax())
        print(f"{word:>{width}} <- {translation.source_labels[best]} ({row[best]:.2f})")
    file = options.figure or _free_name(Path("alignment.png"))
    _draw(weights, translation.source_labels, words, (task.source, task.target), file)
    print(f"the map is in {one_line(str(file))}")


def _free_name(file: Path) -> Path:
    """The file's name, with a number where it is taken."""
    names = (file.with_stem(f"{file.stem}-{number}") for number in count(2))
    return file if not file.exists() else next(name for name in names if not name.exists())


def _draw(
    weights: Tensor, source: list[str], target: list[str], languages: tuple[str, str], file: Path
) -> None:
    """Draw attention as a table of grey cells: the darker, the more weight."""
    size = (2 + 0.45 * len(source), 1.5 + 0.4 * len(target))
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots()
    axes.imshow(weights.numpy(), cmap="Greys", vmin=0, vmax=1)
    axes.set_xticks(range(len(source)), source, rotation=45, ha="left")
    axes.set_yticks(range(len(target)), target)
    axes.xaxis.tick_top()
    axes.set(xlabel=f"source ({languages[0]})", ylabel=f"translation ({languages[1]})")
    axes.xaxis.set_label_position("top")
    try:
        figure.savefig(file)
    except ValueError as error:
        raise CourseError(f"cannot draw {file}: {error}") from error
