"""`python -m course_lib evaluate`: score a run on a test split."""

import json
import logging
from argparse import Namespace
from typing import Any

from course_lib.cli.tasks import ClassifierTask, TranslationTask, build_model, task_of
from course_lib.cli.translate import translated
from course_lib.data.batch import Batches, encode_pairs
from course_lib.device import get_device
from course_lib.errors import CourseError, one_line
from course_lib.evaluation.accuracy import classified
from course_lib.evaluation.bleu import corpus_bleu, tokenizer_for
from course_lib.evaluation.teacher_forcing import teacher_forced
from course_lib.files import atomic_write
from course_lib.models.parts import parameters_of
from course_lib.training.checkpoint import Run, load_run, read_history

log = logging.getLogger(__name__)


def evaluate(options: Namespace) -> None:
    """Translate or classify a test split and print its scores."""
    run = load_run(options.run, build=build_model)
    task, history = task_of(run.config), read_history(options.run)
    classifies = isinstance(task, ClassifierTask)
    if classifies and (options.data or options.beam):
        raise CourseError("--data and --beam are for translators")
    if options.data:
        task = task.with_file(options.data)
    split = options.split or task.SPLITS[task.name][2]
    pairs = task.load(split)
    if classifies:
        text, found = _score_classifier(run, task, pairs)
        if history.best_metric is not None:
            found["validation_accuracy"] = round(history.best_metric, 4)
    else:
        text, found = _score_translator(run, task, pairs, options.beam)
    print(f"{one_line(task.label)} {split}: {text}")
    if options.json:
        scores = {
            "model": run.config["model"],
            "data": task.label,
            "split": split,
            **found,
            "updates": history.steps,
            "training_minutes": round(history.seconds / 60, 1),
        }
        atomic_write(options.json, json.dumps(scores, indent=2, ensure_ascii=False) + "\n")


def _score_translator(
    run: Run, task: TranslationTask, pairs: list[Any], beams: int | None
) -> tuple[str, dict[str, Any]]:
    short = [p for p in pairs if len(run.tokenizers[0].encode(p[0]).ids) <= task.max_tokens]
    if left_out := len(pairs) - len(short):
        said = "left out %d of %d pairs: source longer than %d tokens"
        log.warning(said, left_out, len(pairs), task.max_tokens)
    sources, references = (
        [side if isinstance(side, str) else " ".join(side) for side in sides]
        for sides in zip(*short, strict=True)
    )
    translations = translated(run, task, sources, beams=beams, progress=True)
    bleu = corpus_bleu(
        [translation.text for translation in translations],
        references,
        lowercase=run.tokenizers[1].lowercase,
        tokenize=tokenizer_for(references),
    )
    batches = Batches(encode_pairs(short, *run.tokenizers), tokens_per_batch=2000)
    perplexity = teacher_forced(run.model, batches).perplexity
    return f"{bleu}\nperplexity {perplexity:.2f} (teacher-forced, per token)", {
        "direction": task.direction,
        "beams": beams or 1,
        "sentences": len(short),
        "bleu": round(bleu.value, 2),
        "signature": bleu.signature,
        "perplexity": round(perplexity, 3),
        "parameters": parameters_of(run.model, embeddings=True),
        "unfinished": sum(not translation.finished for translation in translations),
    }


def _score_classifier(
    run: Run, task: ClassifierTask, pairs: list[Any]
) -> tuple[str, dict[str, Any]]:
    batches, device = task.batches(pairs, run.tokenizers, 64), get_device()
    predicted, true = classified(run.model.to(device), batches.sequential(), device)
    accuracy = (predicted == true).double().mean().item()
    return f"accuracy {accuracy:.3f} of {len(pairs):,} pairs", {
        "pairs": len(pairs),
        "accuracy": round(accuracy, 4),
        "parameters": parameters_of(run.model),
    }
