"""`python -m course_lib align`: translate one sentence and show where each word looked."""

from argparse import Namespace
from pathlib import Path

from matplotlib.figure import Figure

from course_lib.cli.translate import load_translator, translated
from course_lib.errors import CourseError, one_line
from course_lib.evaluation.translate import Translation


def align(options: Namespace) -> None:
    """Translate one sentence, print where each word looked, and draw the map if asked to."""
    run, task = load_translator(options.run)
    (translation,) = translated(run, task, [options.sentence], return_attention=True)
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
    if options.figure is not None:
        _draw(translation, (task.source, task.target), options.figure)
        print(f"the map is in {one_line(str(options.figure))}")


def _draw(translation: Translation, languages: tuple[str, str], file: Path) -> None:
    """Draw attention as a table of grey cells: the darker, the more weight."""
    source, target = translation.source_labels, translation.target.words
    size = (2 + 0.45 * len(source), 1.5 + 0.4 * len(target))
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots()
    axes.imshow(translation.word_weights.numpy(), cmap="Greys", vmin=0, vmax=1)
    axes.set_xticks(range(len(source)), source, rotation=45, ha="left")
    axes.set_yticks(range(len(target)), target)
    axes.xaxis.tick_top()
    axes.set(xlabel=f"source ({languages[0]})", ylabel=f"translation ({languages[1]})")
    axes.xaxis.set_label_position("top")
    try:
        figure.savefig(file)
    except ValueError as error:
        raise CourseError(f"cannot draw {file}: {error}") from error
