"""What each command does, once its arguments are parsed."""

import json
import logging
import os
from argparse import Namespace
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from course_lab.figures.still.attention_map import attention_map
from course_lab.figures.text import MISSING, printable
from course_lib.cli import classify
from course_lib.cli.limits import MOST_TOKENS
from course_lib.cli.recipes import for_own, recipe, translators
from course_lib.cli.settings import fit_warmup, given, new_model, override, resumed, search_of
from course_lib.cli.streams import input_lines
from course_lib.cli.task import (
    NAMED,
    OWN,
    TaskConfig,
    make_batches,
    make_tokenizers,
    own_task,
    sentence_pairs,
    split_names,
)
from course_lib.data.corpora import download
from course_lib.data.tokens.words import UNKNOWN, normalise
from course_lib.device import describe_device, get_device
from course_lib.errors import CourseError, one_line
from course_lib.evaluation.bleu import corpus_bleu, tokenizer_for
from course_lib.evaluation.greedy_bleu import greedy_bleu
from course_lib.evaluation.length import exact_match_by_length
from course_lib.evaluation.teacher_forcing import teacher_forced
from course_lib.evaluation.translate import Translation
from course_lib.evaluation.translate import translate as translate_all
from course_lib.files import atomic_write
from course_lib.models.registry import build
from course_lib.training.distributed import joined
from course_lib.training.fit import fit
from course_lib.training.run_folder import (
    CONFIG,
    Run,
    holds_run,
    load_run,
    read_config,
    read_history,
    save_run,
    training_in,
)

MOST_NAMED = 10
"""Unknown words that are named."""
_EDGES = (1, 6, 11, 16, 21, 31, 41, 61, MOST_TOKENS + 1)

log = logging.getLogger(__name__)


def train(options: Namespace) -> None:
    """Trains a model by its recipe and leaves a run folder behind.

    The processes that torchrun started share the work.
    """
    with joined(get_device()):
        _train(options)


def _train(options: Namespace) -> None:
    if options.contrast is not None and options.model not in ("bag", "decomposable"):
        raise CourseError("--contrast is for the models bag and decomposable")
    if options.no_premise and not classify.is_classifier(options.model):
        raise CourseError("--no-premise is for classifiers of sentence pairs")
    if classify.is_classifier(options.model):
        classify.train(options)
        return
    recipe(OWN, options.model)  # an unknown model is told before a large file is read
    task = _task_of(options)
    chosen = recipe(task.name, options.model, f"{task.source}-{task.target}")
    if task.name in NAMED and options.vocabulary is None:
        task = replace(task, vocabulary=chosen.vocabulary)
    name = Path(task.label).stem
    folder = options.run or Path("runs", "-".join([options.model, name, task.source, task.target]))
    if options.resume and task.name == OWN:
        _require_same_file(task, folder)
    steps, stored = chosen.fit.steps, resumed(chosen, folder, options)
    # The length of a run that is resumed was asked for then.
    asked = stored is not chosen or options.steps is not None or options.epochs is not None
    chosen = override(stored, options)
    training, validation, _ = split_names(task)
    pairs, held_out_pairs = sentence_pairs(task, training), sentence_pairs(task, validation)
    tokenizers = make_tokenizers(task, pairs, lowercase=chosen.lowercase)
    batches = make_batches(task, pairs, tokenizers, chosen.tokens_per_batch, chosen.fit.seed)
    held_out = make_batches(task, held_out_pairs, tokenizers, chosen.tokens_per_batch)
    if task.name == OWN:
        updates = replace(chosen.fit, steps=None, epochs=1).updates_of(batches)
        chosen = replace(chosen, fit=for_own(chosen.fit, updates, asked=asked))
    chosen = replace(chosen, fit=fit_warmup(chosen.fit, batches, steps))
    settings = chosen.settings | {
        "source_vocabulary": len(tokenizers[0]),
        "target_vocabulary": len(tokenizers[1]),
    }
    model = new_model(build, options.model, settings, chosen.fit.seed)
    metric = partial(greedy_bleu, pairs=held_out_pairs, tokenizers=tokenizers)
    parameters = sum(parameter.numel() for parameter in model.parameters())
    print(
        f"{options.model}: {parameters:,} parameters, {len(pairs):,} pairs {task.source}-"
        f"{task.target} of {one_line(task.label)}, on {describe_device()}"
    )
    with training_in(folder):
        save_run(
            folder,
            name=options.model,
            model_config=settings,
            data=task.to_dict(),
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
            metric=metric if chosen.by_bleu else None,
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
    if options.data is not None:
        task = replace(task, file=os.path.abspath(options.data))
        task = task if task.name == OWN else replace(task, name=OWN, sha256="")
    split = options.split or split_names(task)[2]
    pairs = _short_enough(sentence_pairs(task, split), run, task)
    sources = [_text(source) for source, _ in pairs]
    references = [_text(target) for _, target in pairs]
    found = _translate(run, task, sources, progress=True, search=search)
    bleu = corpus_bleu(
        [f.text for f in found],
        references,
        lowercase=run.tokenizers[1].lowercase,
        tokenize=tokenizer_for(references),
    )
    batches = make_batches(replace(task, max_tokens=MOST_TOKENS), pairs, run.tokenizers, 2000)
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
        "data": task.label,
        "direction": f"{task.source}-{task.target}",
        "split": split,
        "search": {"name": search.func.__name__, **search.keywords},
        "sentences": len(pairs),
        "bleu": round(bleu.value, 2),
        "signature": bleu.signature,
        "perplexity": round(teacher_forced(run.model.to(get_device()), batches).perplexity, 3),
        "parameters": sum(parameter.numel() for parameter in run.model.parameters()),
        "updates": history.steps,
        "training_minutes": round(history.seconds / 60, 1),
        "exact_match": {b.label: round(b.exact, 4) for b in bins if b.count},
        "unfinished": sum(not f.finished for f in found),
    }
    print(f"{one_line(task.label)} {split}: {bleu}")
    print(f"perplexity {scores['perplexity']:.2f} (teacher-forced, per token)")
    for b in bins:
        if b.count:
            print(f"{b.label:>8} words: exact match {b.exact:.3f} of {b.count} sentences")
    if options.json:
        atomic_write(options.json, json.dumps(scores, indent=2, ensure_ascii=False) + "\n")


def translate(options: Namespace) -> None:
    """Prints one translation a line; a blank line of standard input stays a blank line."""
    lines = options.sentence or input_lines()
    # What cannot be seen, such as a byte-order mark, makes no sentence.
    filled = [bool(options.sentence or normalise(line, lowercase=False)) for line in lines]
    sentences = [line for line, full in zip(lines, filled, strict=True) if full]
    if not sentences:
        raise CourseError("no sentence came; give one in quotes, or lines on standard input")
    found = iter(_translate(*_load(options.run), sentences, search=search_of(options), warn=True))
    for full in filled:
        print(next(found).text if full else "")


def align(options: Namespace) -> None:
    """Translates one sentence, prints where each word looked and draws the map."""
    run, task = _load(options.run)
    (found,) = _translate(
        run, task, [options.sentence], return_attention=True, search=search_of(options), warn=True
    )
    if found.word_weights is None:
        raise CourseError(
            f"{run.config['model']} has no attention to draw; choose a run of a model that "
            "attends, such as bahdanau or transformer"
        )
    if not found.target.words:
        raise CourseError("the model translated this sentence by nothing; train it for longer")
    width = max(len(word) for word in found.target.words)
    for word, row in zip(found.target.words, found.word_weights, strict=True):
        best = int(row.argmax())
        print(f"{word:>{width}} <- {found.source_labels[best]} ({row[best]:.2f})")
    attention_map(
        found.word_weights,
        found.source_labels,
        found.target.words,
        source_name=_axis("source", task.source),
        target_name=_axis("translation", task.target),
    ).save(options.figure)
    print(f"the map is in {one_line(str(options.figure))}")
    shown = {printable(word): word for word in [*found.source.words, *found.target.words]}
    if any(MISSING in drawn and MISSING not in word for drawn, word in shown.items()):
        print(f"its font lacks letters of these words; it shows {MISSING} in their place")


def data(options: Namespace) -> None:
    """Lists the data sets, or fetches them."""
    if options.action == "list":
        print(download.describe())
        return
    for name in options.name or sorted(download.DATASETS):
        files = download.fetch(name)
        print(f"{name}: {len(files)} files, checked")


def _task_of(options: Namespace) -> TaskConfig:
    """What the command line asks to train on: data with a name, or a file of own pairs."""
    wanted = given(pairs=options.pairs, held_out=options.held_out, max_tokens=options.max_tokens)
    if options.data in NAMED:
        if options.held_out_share is not None:
            raise CourseError(f"--held-out-share is for a file of pairs; {options.data} has splits")
        wanted |= given(source=options.source, target=options.target, vocabulary=options.vocabulary)
        return TaskConfig(options.data, **wanted)
    if not os.path.exists(options.data) and not os.path.dirname(options.data):
        raise CourseError(
            f"unknown data {options.data!r}; choose one of {', '.join(NAMED)}, or name a file of "
            "sentence pairs; there is no file of this name"
        )
    wanted |= given(share=options.held_out_share)
    task, found = own_task(
        options.data, options.source, options.target, options.vocabulary, **wanted
    )
    if found.names:
        print(f"the first line names the columns: {one_line(' and '.join(found.names))}")
    return task


def _require_same_file(task: TaskConfig, folder: Path) -> None:
    """Another file makes other tokens; what differs first would be their number."""
    if holds_run(folder) and os.path.exists(folder / CONFIG):
        there = read_config(folder)["data"]
        if there.get("sha256", task.sha256) != task.sha256:
            raise CourseError(
                f"{task.file} is not the file that {folder} was trained on; restore it, or choose "
                "another folder"
            )


def _short_enough(pairs: list[Any], run: Run, task: TaskConfig) -> list[Any]:
    """Those whose source the model may be given, as in training."""
    read = run.tokenizers[0]
    kept = [pair for pair in pairs if len(read.encode(pair[0]).ids) <= task.max_tokens]
    if not kept:
        raise CourseError(f"no pair to score: all sources are longer than {task.max_tokens} tokens")
    if len(kept) < len(pairs):
        log.warning(
            "left out %d of %d pairs: source longer than %d tokens",
            len(pairs) - len(kept),
            len(pairs),
            task.max_tokens,
        )
    return kept


def _axis(side: str, language: str) -> str:
    """The name of a map's axis, such as "source (German)"."""
    if language in ("source", "target"):
        return side
    return f"{side} ({ {'de': 'German', 'en': 'English'}.get(language, language) })"


def _run(folder: Path) -> Run:
    """A trained run, of a translator or of a classifier."""
    if holds_run(folder) and not os.path.exists(folder / CONFIG):
        raise CourseError(
            f"{folder} holds weights, but no {CONFIG} with their model and no tokenizers; where "
            "you train from Python, call save_run before fit"
        )
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
    run: Run, task: TaskConfig, sentences: list[str], *, warn: bool = False, **wanted: Any
) -> list[Translation]:
    """The translations; with `warn`, a line names the words that the run has never seen."""
    found = translate_all(
        run.model.to(get_device()),
        sentences,
        *run.tokenizers,
        max_source=task.max_tokens,
        max_length=2 * task.max_tokens,
        **wanted,
    )
    sources = [translation.source for translation in found] if warn else []
    unknown = {
        source.words[word]: None
        for source in sources
        for i, word in zip(source.ids, source.word_of_token, strict=True)
        if i == UNKNOWN
    }
    if unknown:
        first, more = list(unknown)[:MOST_NAMED], "" if len(unknown) <= MOST_NAMED else ", ..."
        log.warning("read as <unk>, since training never had it: %s%s", ", ".join(first), more)
    return found


def _text(side: Any) -> str:
    return side if isinstance(side, str) else " ".join(side)
