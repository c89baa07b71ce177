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
from course_lib.evaluation.length import exact_match_by_length
from course_lib.evaluation.teacher_forcing import teacher_forced
from course_lib.files import atomic_write
from course_lib.models.pair_classifier import parameters_of
from course_lib.training.checkpoint import Run, load_run, read_history

_LONGEST = 10_000
"""Tokens of a reference."""
_EDGES = (1, 6, 11, 16, 21, 31, 41, 61, _LONGEST + 1)

log = logging.getLogger(__name__)


def evaluate(options: Namespace) -> None:
    """Translate or classify a test split and print its scores."""
    run = load_run(options.run, build=build_model)
    task = task_of(run.config)
    score = _score_classifier if isinstance(task, ClassifierTask) else _score_translator
    history = read_history(options.run)
    scores = {
        "model": run.config["model"],
        **score(run, task, options),
        "updates": history.steps,
        "training_minutes": round(history.seconds / 60, 1),
    }
    if isinstance(task, ClassifierTask) and history.best_metric is not None:
        scores["validation_accuracy"] = round(history.best_metric, 4)
    if options.json:
        atomic_write(options.json, json.dumps(scores, indent=2, ensure_ascii=False) + "\n")


def _score_translator(run: Run, task: TranslationTask, options: Namespace) -> dict[str, Any]:
    search = search_of(options)
    if options.data is not None:
        task = replace(task, file=os.path.abspath(options.data))
        task = task if task.name == OWN else replace(task, name=OWN, sha256="")
    split = options.split or task.SPLITS[task.name][2]
    pairs = _short_enough(task.load(split), run, task)
    sources, references = ([_text(side) for side in sides] for sides in zip(*pairs, strict=True))
    translations = translated(run, task, sources, search=search, progress=True)
    bleu = corpus_bleu(
        [translation.text for translation in translations],
        references,
        lowercase=run.tokenizers[1].lowercase,
        tokenize=tokenizer_for(references),
    )
    batches = replace(task, max_tokens=_LONGEST).batches(pairs, run.tokenizers, 2000)
    perplexity = teacher_forced(run.model, batches).perplexity
    bins = exact_match_by_length(
        [len(translation.source.words) for translation in translations],
        [" ".join(translation.target.words) for translation in translations],
        [" ".join(run.tokenizers[1].encode(text).words) for text in references],
        _EDGES,
    )
    bins = [each for each in bins if each.count]
    print(f"{one_line(task.label)} {split}: {bleu}")
    print(f"perplexity {perplexity:.2f} (teacher-forced, per token)")
    for each in bins:
        print(f"{each.label:>8} words: exact match {each.exact:.3f} of {each.count} sentences")
    return {
        "data": task.label,
        "direction": task.direction,
        "split": split,
        "search": {"name": search.func.__name__, **search.keywords},
        "sentences": len(pairs),
        "bleu": round(bleu.value, 2),
        "signature": bleu.signature,
        "perplexity": round(perplexity, 3),
        "parameters": sum(parameter.numel() for parameter in run.model.parameters()),
        "exact_match": {each.label: round(each.exact, 4) for each in bins},
        "unfinished": sum(not translation.finished for translation in translations),
    }


def _short_enough(pairs: list[Any], run: Run, task: TranslationTask) -> list[Any]:
    """The pairs whose source is no longer than in training."""
    encode = run.tokenizers[0].encode
    kept = [pair for pair in pairs if len(encode(pair[0]).ids) <= task.max_tokens]
    if not kept:
        raise CourseError(f"no pair to score: all sources are longer than {task.max_tokens} tokens")
    if left_out := len(pairs) - len(kept):
        said = "left out %d of %d pairs: source longer than %d tokens"
        log.warning(said, left_out, len(pairs), task.max_tokens)
    return kept


def _text(side: Any) -> str:
    return side if isinstance(side, str) else " ".join(side)


def _score_classifier(run: Run, task: ClassifierTask, options: Namespace) -> dict[str, Any]:
    for name in ("data", "beam", "length_penalty"):
        if getattr(options, name) is not None:
            raise CourseError(f"--{name.replace('_', '-')} is for translators")
    split, device = options.split or task.SPLITS[task.name][2], get_device()
    pairs = task.load(split)
    batches = task.batches(pairs, run.tokenizers, 64)
    predicted, true = classified(run.model.to(device), batches.sequential(), device)
    right = (predicted == true).double()
    by_label = {
        label: (round(right[true == number].mean().item(), 4), int((true == number).sum()))
        for number, label in enumerate(LABELS)
        if (true == number).any()
    }
    accuracy = right.mean().item()
    print(f"{task.name} {split}: accuracy {accuracy:.3f} of {len(pairs):,} pairs")
    for label, (share, number) in by_label.items():
        print(f"{label:>13}: {share:.3f} of {number:,}")
    return {
        "data": task.name,
        "split": split,
        "pairs": len(pairs),
        "accuracy": round(accuracy, 4),
        "by_label": {label: share for label, (share, _) in by_label.items()},
        "parameters": parameters_of(run.model),
    }
