"""`python -m course_lib translate`, and what all commands share that use a trained run."""

import logging
import sys
from argparse import Namespace
from functools import partial
from pathlib import Path

from course_lib.cli.recipes import translators
from course_lib.cli.tasks import TranslationTask, task_of
from course_lib.cli.train import build_model
from course_lib.data.tokens.words import UNKNOWN, normalise
from course_lib.decoding.beam import ALPHA, beam
from course_lib.decoding.greedy import greedy
from course_lib.device import get_device
from course_lib.errors import CourseError
from course_lib.evaluation.translate import Translation
from course_lib.evaluation.translate import translate as translate_all
from course_lib.training.checkpoint import Run, load_run

_MOST_NAMED = 10
"""Unknown words that are named."""

log = logging.getLogger(__name__)


def translate(options: Namespace) -> None:
    """Print one translation a line; a blank line of standard input stays a blank line."""
    run, task = load_translator(options.run)
    lines = options.sentence or [line.rstrip("\n") for line in sys.stdin]
    # Characters that cannot be seen, such as a byte-order mark, make no sentence.
    filled = [bool(options.sentence or normalise(line, lowercase=False)) for line in lines]
    sentences = [line for line, full in zip(lines, filled, strict=True) if full]
    if not sentences:
        raise CourseError("no sentence came; give one in quotes, or lines on standard input")
    translations = translated(run, task, sentences, search=search_of(options))
    warn_of_unknown_words(translations)
    texts = iter(translation.text for translation in translations)
    for full in filled:
        print(next(texts) if full else "")


def load_translator(folder: Path) -> tuple[Run, TranslationTask]:
    """A trained translator and what it was trained on; CourseError for any other folder."""
    run = load_run(folder, build=build_model)
    task = task_of(run.config)
    if not isinstance(task, TranslationTask):
        raise CourseError(
            f"{run.config['model']} is a classifier and translates nothing; choose a run of "
            f"{', '.join(translators())}"
        )
    return run, task


def search_of(options: Namespace) -> partial:
    """Greedy search, or beam search where the command line asks for it."""
    alpha = options.length_penalty
    if options.beam is not None:
        return partial(beam, beams=options.beam, alpha=ALPHA if alpha is None else alpha)
    if alpha is not None:
        raise CourseError("--length-penalty divides the scores of several beams; add --beam")
    return partial(greedy)


def translated(
    run: Run, task: TranslationTask, sentences: list[str], *, search: partial, **options: bool
) -> list[Translation]:
    """The translations of these sentences, within the lengths that the run was trained on."""
    return translate_all(
        run.model.to(get_device()),
        sentences,
        *run.tokenizers,
        max_source=task.max_tokens,
        max_length=2 * task.max_tokens,
        search=search,
        **options,
    )


def warn_of_unknown_words(translations: list[Translation]) -> None:
    """Name the source words that the run has never seen."""
    unknown = {
        source.words[word]: None
        for source in (translation.source for translation in translations)
        for i, word in zip(source.ids, source.word_of_token, strict=True)
        if i == UNKNOWN
    }
    if unknown:
        more = "" if len(unknown) <= _MOST_NAMED else ", ..."
        names = ", ".join([*unknown][:_MOST_NAMED])
        log.warning("read as <unk>, since training never had it: %s%s", names, more)
