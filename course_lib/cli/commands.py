"""What each command does, once its arguments are parsed."""

import json
from argparse import Namespace
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from course_lib.atomic import atomic_write
from course_lib.cli import classify
from course_lib.cli.recipes import recipe, translators
from course_lib.cli.settings import fit_warmup, given, new_model, override, search_of
from course_lib.cli.streams import input_lines
from course_lib.cli.task import (
    TaskConfig,
    make_batches,
    make_tokenizers,
    sentence_pairs,
    split_names,
)
from course_lib.data.corpora import download
from course_lib.device import describe_device, get_device
from course_lib.errors import CourseError, one_line
from course_lib.evaluation.bleu import corpus_bleu
from course_lib.evaluation.forced import teacher_forced
from course_lib.evaluation.length import exact_match_by_length
from course_lib.evaluation.translate import Translation
from course_lib.evaluation.translate import translate as translate_all
from course_lib.figures.still.attention_map import attention_map
from course_lib.models.registry import build
from course_lib.training.checkpoint import Run, load_run, read_history, save_run
from course_lib.training.fit import fit
from course_lib.training.folder import CONFIG, training_in

_EDGES = (1, 6, 11, 16, 21, 31, 41, 61, 10_000)


def train(options: Namespace) -> None:
    """Trains a model by its recipe and leaves a run folder behind."""
    if options.contrast is not None and options.model not in ("bag", "decomposable"):
        raise CourseError("--contrast is for the models bag and decomposable")
    if options.no_premise and not classify.is_classifier(options.model):
        raise CourseError("--no-premise is for classifiers of sentence pairs")
    if classify.is_classifier(options.model):
        classify.train(options)
        return
    task = TaskConfig(
        options.data,
        **given(
            source=options.source,
            target=options.target,
            pairs=options.pairs,
            held_out=options.held_out,
            vocabulary=options.vocabulary,
        ),
    )
    chosen = override(recipe(task.name, options.model), options)
    folder = options.run or Path(
        "runs", "-".join([options.model, task.name, task.source, task.target])
    )
    training, validation, _ = split_names(task)
    pairs = sentence_pairs(task, training)
    tokenizers = make_tokenizers(task, pairs)
    batches = make_batches(task, pairs, tokenizers, chosen.tokens_per_batch, options.seed)
    held_out = make_batches(
        task, sentence_pairs(task, validation), tokenizers, chosen.tokens_per_batch
    )
    chosen = replace(chosen, fit=fit_warmup(chosen.fit, batches))
    settings = chosen.settings | {
        "source_vocabulary": len(tokenizers[0]),
        "target_vocabulary": len(tokenizers[1]),
    }
    model = new_model(build, options.model, settings, options.seed)
    parameters = sum(parameter.numel() for parameter in model.parameters())
    print(
        f"{options.model}: {parameters:,} parameters, {len(pairs):,} pairs {task.source}-"
        f"{task.target} of {task.name}, on {describe_device()}"
    )
    with training_in(folder):
        save_run(
            folder,
            name=options.model,
            model_config=settings,
            data=asdict(task),
            training=chosen.fit.to_dict() | {"tokens_per_batch": chosen.tokens_per_batch},
            tokenizers=tokenizers,
            resume=options.resume,
        )
        history = fit(
            model,
            batches,
            held_out,
            chosen.fit,
            directory=folder,
            resume=options.resume,
            device=get_device(),
        )
    print(
        f"{'stopped' if history.interrupted else 'trained'}: {history.steps:,} updates in "
        f"{history.seconds / 60:.1f} minutes; the run is in {one_line(str(folder))}"
    )


def evaluate(options: Namespace) -> None:
    """Translates or classifies a test split and prints its scores."""
    search, run = search_of(options), _run(options.run)
    if classify.is_classifier(run.config["model"]):
        classify.evaluate(run, options)
        return
    task = _task(run, options.run)
    split = options.split or split_names(task)[2]
    pairs = sentence_pairs(task, split)
    sources = [_text(source) for source, _ in pairs]
    references = [_text(target) for _, target in pairs]
    found = _translate(run, task, sources, progress=True, search=search)
    lowercase = task.name == "multi30k"
    bleu = corpus_bleu([f.text for f in found], references, lowercase=lowercase)
    batches = make_batches(replace(task, max_tokens=10_000), pairs, run.tokenizers, 2000)
    normal = [" ".join(run.tokenizers[1].encode(text).words) for text in references]
    bins = exact_match_by_length(
        [len(f.source.words) for f in found],
        [" ".join(f.target.words) for f in found],
        normal,
        _EDGES,
    )
    history = read_history(options.run)
    scores = {
        "model": run.config["model"],
        "data": task.name,
        "direction": f"{task.source}-{task.target}",
        "split": split,
        "search": {"name": search.func.__name__, **search.keywords},
        "sentences": len(pairs),
        "bleu": round(bleu.score, 2),
        "signature": bleu.signature,
        "perplexity": round(teacher_forced(run.model.to(get_device()), batches).perplexity, 3),
        "parameters": sum(parameter.numel() for parameter in run.model.parameters()),
        "updates": history.steps,
        "training_minutes": round(history.seconds / 60, 1),
        "exact_match": {b.label: round(b.exact, 4) for b in bins if b.count},
        "unfinished": sum(not f.finished for f in found),
    }
    print(f"{task.name} {split}: {bleu}")
    print(f"perplexity {scores['perplexity']:.2f} (teacher-forced, per token)")
    for b in bins:
        if b.count:
            print(f"{b.label:>8} words: exact match {b.exact:.3f} of {b.count} sentences")
    if options.json:
        atomic_write(options.json, json.dumps(scores, indent=2, ensure_ascii=False) + "\n")


def translate(options: Namespace) -> None:
    """Prints one translation a line; a blank line of standard input stays a blank line."""
    lines = options.sentence or input_lines()
    sentences = lines if options.sentence else [line for line in lines if line.strip()]
    if not sentences:
        raise CourseError("no sentence came; give one in quotes, or lines on standard input")
    found = iter(_translate(*_load(options.run), sentences, search=search_of(options)))
    for line in lines:
        print(next(found).text if options.sentence or line.strip() else "")


def align(options: Namespace) -> None:
    """Translates one sentence, prints where each word looked and draws the map."""
    run, task = _load(options.run)
    (found,) = _translate(run, task, [options.sentence], weights=True, search=search_of(options))
    if found.word_weights is None:
        raise CourseError(
            f"{run.config['model']} has no attention to draw; choose a run of bahdanau, dot, "
            "lstmn, luong or transformer"
        )
    if not found.target.words:
        raise CourseError("the model translated this sentence by nothing; train it for longer")
    width = max(len(word) for word in found.target.words)
    for word, row in zip(found.target.words, found.word_weights, strict=True):
        best = int(row.argmax())
        print(f"{word:>{width}} <- {found.source_labels[best]} ({row[best]:.2f})")
    names = {"de": "German", "en": "English"}
    attention_map(
        found.word_weights,
        found.source_labels,
        found.target.words,
        source_name=f"source ({names[task.source]})",
        target_name=f"translation ({names[task.target]})",
    ).save(options.figure)
    print(f"the map is in {one_line(str(options.figure))}")


def data(options: Namespace) -> None:
    """Lists the data sets, or fetches them."""
    if options.action == "list":
        print(download.describe())
        return
    for name in options.name or sorted(download.DATASETS):
        files = download.fetch(name)
        print(f"{name}: {len(files)} files, checked")


def _run(folder: Path) -> Run:
    """A trained run, of a translator or of a classifier."""
    return load_run(
        folder,
        build=lambda name, settings: (classify.build if classify.is_classifier(name) else build)(
            name, settings
        ),
    )


def _load(folder: Path) -> tuple[Run, TaskConfig]:
    """A trained translator and what it was trained on."""
    run = _run(folder)
    if classify.is_classifier(run.config["model"]):
        raise CourseError(
            f"{run.config['model']} says what follows from what and translates nothing; "
            f"choose a run of {', '.join(translators())}"
        )
    return run, _task(run, folder)


def _task(run: Run, folder: Path) -> TaskConfig:
    try:
        return TaskConfig.from_dict(run.config["data"])
    except CourseError as error:
        raise CourseError(f"{folder / CONFIG}, data: {error}; restore it or train again") from error


def _translate(
    run: Run, task: TaskConfig, sentences: list[str], **wanted: Any
) -> list[Translation]:
    return translate_all(
        run.model.to(get_device()),
        sentences,
        *run.tokenizers,
        max_source=task.max_tokens,
        max_length=2 * task.max_tokens,
        **wanted,
    )


def _text(side: Any) -> str:
    return side if isinstance(side, str) else " ".join(side)
