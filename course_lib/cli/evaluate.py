"""`python -m course_lib evaluate`: score a run on a test split."""

import json
import logging
import os
from argparse import Namespace
from dataclasses import replace
from typing import Any

from course_lib.cli.tasks import OWN, ClassifierTask, TranslationTask, task_of
from course_lib.cli.train import build_model
from course_lib.cli.translate import search_of, translated
from course_lib.data.inference_pairs import LABELS
from course_lib.device import get_device
from course_lib.errors import CourseError, one_line
from course_lib.evaluation.accuracy import classified
from course_lib.evaluation.bleu import corpus_bleu, tokenizer_for
from course_lib.evaluation.teacher_forcing import teacher_forced
from course_lib.files import atomic_write
from course_lib.models.pair_classifier import parameters_of
from course_lib.training.checkpoint import Run, load_run, read_history

_LONGEST = 10_000
"""Tokens of a reference."""

log = logging.getLogger(__name__)


def evaluate(options: Namespace) -> None:
    """Translate or classify a test split and print its scores."""
    run = load_run(options.run, build=build_model)
    task, history = task_of(run.config), read_history(options.run)
    classifies = isinstance(task, ClassifierTask)
    if options.data is not None:
        if classifies:
            raise CourseError("--data is for translators")
        task = replace(task, file=os.path.abspath(options.data))
        task = task if task.name == OWN else replace(task, name=OWN, sha256="")
    split = options.split or task.SPLITS[task.name][2]
    pairs, score = task.load(split), _score_classifier if classifies else _score_translator
    scores = {
        "model": run.config["model"],
        "data": task.label,
        "split": split,
        **score(run, task, pairs, options),
        "updates": history.steps,
        "training_minutes": round(history.seconds / 60, 1),
    }
    if classifies and history.best_metric is not None:
        scores["validation_accuracy"] = round(history.best_metric, 4)
    print(f"{one_line(task.label)} {split}: {scores.pop('text')}")
    if options.json:
        atomic_write(options.json, json.dumps(scores, indent=2, ensure_ascii=False) + "\n")


def _score_translator(
    run: Run, task: TranslationTask, pairs: list[Any], options: Namespace
) -> dict[str, Any]:
    search = search_of(options)
    short = [p for p in pairs if len(run.tokenizers[0].encode(p[0]).ids) <= task.max_tokens]
    if not short:
        raise CourseError(f"no pair to score: all sources are longer than {task.max_tokens} tokens")
    if left_out := len(pairs) - len(short):
        said = "left out %d of %d pairs: source longer than %d tokens"
        log.warning(said, left_out, len(pairs), task.max_tokens)
    sources, references = ([_text(side) for side in sides] for sides in zip(*short, strict=True))
    translations = translated(run, task, sources, search=search, progress=True)
    bleu = corpus_bleu(
        [translation.text for translation in translations],
        references,
        lowercase=run.tokenizers[1].lowercase,
        tokenize=tokenizer_for(references),
    )
    batches = replace(task, max_tokens=_LONGEST).batches(short, run.tokenizers, 2000)
    perplexity = teacher_forced(run.model, batches).perplexity
    lines = [str(bleu), f"perplexity {perplexity:.2f} (teacher-forced, per token)"]
    return {
        "direction": task.direction,
        "search": {"name": search.func.__name__, **search.keywords},
        "sentences": len(short),
        "bleu": round(bleu.value, 2),
        "signature": bleu.signature,
        "perplexity": round(perplexity, 3),
        "parameters": parameters_of(run.model, embeddings=True),
        "unfinished": sum(not translation.finished for translation in translations),
        "text": "\n".join(lines),
    }


def _text(side: Any) -> str:
    return side if isinstance(side, str) else " ".join(side)


def _score_classifier(
    run: Run, task: ClassifierTask, pairs: list[Any], options: Namespace
) -> dict[str, Any]:
    batches, device = task.batches(pairs, run.tokenizers, 64), get_device()
    predicted, true = classified(run.model.to(device), batches.sequential(), device)
    right = (predicted == true).double()
    accuracy, by_label = right.mean().item(), {}
    lines = [f"accuracy {accuracy:.3f} of {len(pairs):,} pairs"]
    for number, label in enumerate(LABELS):
        if (true == number).any():
            by_label[label] = round(right[true == number].mean().item(), 4)
            lines.append(f"{label:>13}: {by_label[label]:.3f} of {int((true == number).sum()):,}")
    return {
        "pairs": len(pairs),
        "accuracy": round(accuracy, 4),
        "by_label": by_label,
        "parameters": parameters_of(run.model),
        "text": "\n".join(lines),
    }
