"""`python -m course_lib translate`, and what all commands share that use a trained run."""

import logging
import sys
from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from course_lib.cli.tasks import TranslationTask, build_model, task_of
from course_lib.data.tokens.words import UNKNOWN
from course_lib.decoding.beam import beam
from course_lib.device import get_device
from course_lib.errors import CourseError
from course_lib.evaluation.translate import Translation
from course_lib.evaluation.translate import translate as translate_all
from course_lib.training.checkpoint import Run, load_run

log = logging.getLogger(__name__)


def translate(options: Namespace) -> None:
    """Print one translation a line."""
    run, task = load_translator(options.run)
    sentences = options.sentence or [line.rstrip("\n") for line in sys.stdin]
    if not sentences:
        raise CourseError("no sentence came; give one in quotes, or lines on standard input")
    for translation in translated(run, task, sentences, beams=options.beam):
        print(translation.text)


def load_translator(folder: Path) -> tuple[Run, TranslationTask]:
    """A trained translator and what it was trained on; CourseError for any other folder."""
    run = load_run(folder, build=build_model)
    task = task_of(run.config)
    if not isinstance(task, TranslationTask):
        raise CourseError(f"want a translator; got {run.config['model']}, a classifier")
    return run, task


def translated(
    run: Run,
    task: TranslationTask,
    sentences: Sequence[str],
    *,
    beams: int | None = None,
    **options: bool,
) -> list[Translation]:
    """The translations of these sentences, within the lengths that the run was trained on.

    Greedily without `beams`. Source words that training never had are named in the log.
    """
    translations = translate_all(
        run.model.to(get_device()),
        sentences,
        *run.tokenizers,
        max_source=task.max_tokens,
        max_length=2 * task.max_tokens,
        search=beams and partial(beam, beams=beams),
        **options,
    )
    sources = [translation.source for translation in translations]
    unknown = {
        source.words[word]: None
        for source in sources
        for i, word in zip(source.ids, source.word_of_token, strict=True)
        if i == UNKNOWN
    }
    if unknown:
        more = ", ..." if len(unknown) > 10 else ""
        names = ", ".join([*unknown][:10])
        log.warning("read as <unk>, since training never had it: %s%s", names, more)
    return translations
