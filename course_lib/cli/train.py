"""`python -m course_lib train`: train a model by its recipe, or go on with a run by its config."""

from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from torch import nn

from course_lib.cli.recipes import for_own, recipe, shorten_warmup
from course_lib.cli.tasks import (
    OWN,
    Task,
    TranslationTask,
    data_of,
    own_task,
    task_kind,
    task_of,
)
from course_lib.data.own import read_pairs
from course_lib.device import cpu_generator, describe_device, get_device
from course_lib.errors import CourseError, one_line
from course_lib.training.checkpoint import CONFIG, read_config, read_tokenizers, save_run
from course_lib.training.config import FitConfig
from course_lib.training.distributed import process_group
from course_lib.training.fit import fit

_ONLY_TRANSLATORS = ("source", "target", "vocabulary", "max_tokens", "held_out_share")


class _Job(NamedTuple):
    """A training that is ready to begin.

    Attributes:
        name: of the model.
        settings: of the model.
        task: what it is trained on.
        config: how it is trained.
        size: of its batches, in tokens or pairs.
        tokenizers: of the source and of the target.
        batches: of the training pairs.
    """

    name: str
    settings: dict[str, Any]
    task: Task
    config: FitConfig
    size: int
    tokenizers: tuple
    batches: Any


def train(options: Namespace) -> None:
    """Train a model and leave a run folder behind.

    The processes that torchrun started share the work.
    """
    with process_group(get_device()):
        if options.resume and options.run is None:
            raise CourseError("--resume needs --run FOLDER, the folder of the run")
        if options.resume and (options.run / CONFIG).exists():
            folder, job = options.run, _resumed(options)
        else:
            folder, job = _begun(options)
        _train(folder, job, resume=options.resume)


def _train(folder: Path, job: _Job, *, resume: bool) -> None:
    task = job.task
    held_out_pairs = task.load(task.SPLITS[task.name][1])
    held_out = task.batches(held_out_pairs, job.tokenizers, job.size)
    model = build_model(job.name, job.settings, job.config.seed)
    parameters = sum(p.numel() for p in model.parameters() if p.requires_grad)
    print(
        f"{job.name}: {parameters:,} parameters, {len(job.batches):,} pairs {task.direction} of "
        f"{one_line(task.label)}, on {describe_device()}, into {one_line(str(folder))}"
    )
    history = fit(
        model,
        job.batches,
        held_out,
        job.config,
        objective=task.objective,
        directory=folder,
        resume=resume,
        device=get_device(),
        metric=task.metric(held_out_pairs, held_out, job.tokenizers),
    )
    print(
        f"{'stopped' if history.interrupted else 'trained'}: {history.steps:,} updates in "
        f"{history.seconds / 60:.1f} minutes; the run is in {one_line(str(folder))}"
    )


def build_model(name: str, settings: dict[str, Any], seed: int = 0) -> nn.Module:
    """A translator or a classifier by its name, its first weights drawn from a seed.

    Raises:
        CourseError: a setting that the model cannot have, or more memory than there is.
    """
    try:
        return task_kind(name).build(name, settings, cpu_generator(seed))
    except (ValueError, RuntimeError, TypeError, OverflowError) as error:
        raise CourseError(f"cannot make this {name}: {str(error).splitlines()[0]}") from error


# A new run


def _begun(options: Namespace) -> tuple[Path, _Job]:
    """A new run: its recipe, changed by the options. Its settings are saved in its folder."""
    name = options.model
    if name is None:
        raise CourseError("want the name of a model; a name that is none lists them all")
    _refuse_foreign_options(options)
    task = _asked_task(options)
    chosen = recipe(task.name, name, task.direction)
    if isinstance(task, TranslationTask) and task.name != OWN and options.vocabulary is None:
        task = replace(task, vocabulary=chosen.vocabulary)
    width = "width" if "width" in chosen.settings else "hidden"
    changes = _given(
        learning_rate=options.learning_rate,
        max_minutes=options.minutes,
        accumulate=options.accumulate,
        precision=options.precision,
        seed=options.seed,
    )
    if options.steps is not None or options.epochs is not None:
        changes |= {"steps": options.steps, "epochs": options.epochs}
    config, size = replace(chosen.fit, **changes), getattr(chosen, task.SIZE)

    pairs = task.load("train")
    tokenizers = task.make_tokenizers(pairs, chosen)
    batches = task.batches(pairs, tokenizers, size, config.seed)
    if task.name == OWN:
        updates = replace(config, steps=None, epochs=1).total_steps(batches)
        asked = options.steps is not None or options.epochs is not None
        config = for_own(config, updates, asked=asked)
    config = shorten_warmup(config, batches, chosen.fit.steps)
    settings = chosen.settings | _given(**{width: options.hidden, "contrast": options.contrast})
    settings |= task.vocabularies(tokenizers)
    build_model(name, settings, config.seed)  # what cannot be built leaves no folder
    names = [name, Path(task.label).stem, *task.direction.split("-")]
    folder = options.run or Path("runs", "-".join(filter(None, names)))
    save_run(
        folder,
        name=name,
        model_config=settings,
        data=data_of(task),
        training=config.to_dict() | {task.SIZE: size},
        tokenizers=tokenizers,
    )
    return folder, _Job(name, settings, task, config, size, tokenizers, batches)


def _given(**options: Any) -> dict[str, Any]:
    """The options that the reader has set."""
    return {name: value for name, value in options.items() if value is not None}


def _refuse_foreign_options(options: Namespace) -> None:
    """Raise CourseError for an option that only another kind of model has."""
    if options.contrast is not None and options.model not in ("bag", "decomposable"):
        raise CourseError("--contrast is for the models bag and decomposable")
    translator = task_kind(options.model) is TranslationTask
    if options.no_premise and translator:
        raise CourseError("--no-premise is for classifiers of sentence pairs")
    for name in () if translator else _ONLY_TRANSLATORS:
        if getattr(options, name) is not None:
            raise CourseError(
                f"--{name.replace('_', '-')} is for translators; {options.model} reads pairs of "
                "English sentences"
            )


def _asked_task(options: Namespace) -> Task:
    """What the command line asks to train on: data with a name, or a file of own pairs."""
    data, kind = options.data or "mini", task_kind(options.model)
    sizes = _given(pairs=options.pairs, held_out=options.held_out, max_tokens=options.max_tokens)
    if kind is not TranslationTask:
        return kind(data, premise=not options.no_premise, **sizes)
    recipe(OWN, options.model)  # an unknown model is refused before a large file is read
    if data in kind.SPLITS and data != OWN:
        if options.held_out_share is not None:
            raise CourseError(f"--held-out-share is for a file of pairs; {data} has splits")
        names = _given(source=options.source, target=options.target, vocabulary=options.vocabulary)
        return kind(data, **names, **sizes)
    if not Path(data).exists():
        raise CourseError(
            f"unknown data {data!r}; choose one of mini, multi30k, or name a file of sentence "
            "pairs; there is no file of this name"
        )
    task, content = own_task(
        data,
        options.source,
        options.target,
        options.vocabulary,
        **_given(share=options.held_out_share),
        **sizes,
    )
    if content.names:
        print(f"the first line names the columns: {one_line(' and '.join(content.names))}")
    if repeated := len(content.pairs) - len(set(content.pairs)):
        print(f"{repeated:,} of the {len(content.pairs):,} pairs repeat an earlier one")
    return task


# A run that is resumed


def _resumed(options: Namespace) -> _Job:
    """A run that goes on: its folder decides everything but where the data and the limits are."""
    run = read_config(options.run)
    task, training, settings = task_of(run), dict(run["training"]), run["model_config"]
    size = training.pop(task.SIZE, None)
    if size is None:
        raise CourseError(
            f"{options.run} was begun from Python; go on with it there, by fit(..., resume=True)"
        )
    _require_same(options, run, task)
    if options.data and task.name == OWN:
        task = replace(task, file=str(Path(options.data).resolve()))
    config = replace(FitConfig.from_dict(training), max_minutes=options.minutes)
    tokenizers = read_tokenizers(options.run)
    batches = task.batches(task.load("train"), tokenizers, size, config.seed)
    return _Job(run["model"], settings, task, config, size, tokenizers, batches)


def _require_same(options: Namespace, run: dict[str, Any], task: Task) -> None:
    """Raise CourseError if an option asks for something else than the run has."""
    data, training, settings = run["data"], run["training"], run["model_config"]
    there = {name: data.get(name) for name in ("source", "target", "pairs", "held_out")}
    there |= {name: data.get(name) for name in ("vocabulary", "max_tokens")}
    there |= {
        name: training[name]
        for name in ("steps", "epochs", "learning_rate", "accumulate", "precision", "seed")
    }
    there |= {
        "model": run["model"],
        "held_out_share": data.get("share"),
        "hidden": settings.get("width", settings.get("hidden")),
        "contrast": settings.get("contrast"),
        "no_premise": not data.get("premise", True),
        "data": task.label,
    }
    asked = {**vars(options), "no_premise": options.no_premise or None}
    if options.data and task.name == OWN:
        file = Path(options.data)
        same = file.is_file() and read_pairs(file).sha256 == task.sha256
        asked["data"] = task.label if same else options.data
    for name, value in there.items():
        if asked[name] is not None and asked[name] != value:
            word = "MODEL" if name == "model" else f"--{name.replace('_', '-')}"
            raise CourseError(
                f"{word} {asked[name]} is not what the run in {options.run} was begun with, "
                f"{value}; leave it out, or choose another folder"
            )
