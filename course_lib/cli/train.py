"""`python -m course_lib train`: begin a run by a recipe, or go on with one.

A new run writes its model, data and settings into its folder; then every run, a new one or one that
is resumed, is trained as its folder says.
"""

from argparse import Namespace
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from torch import nn

from course_lib.cli.recipes import for_own, recipe, shorten_warmup
from course_lib.cli.tasks import OWN, Task, TranslationTask, own_task, task_kind, task_of
from course_lib.data.own import read_pairs
from course_lib.device import cpu_generator, describe_device, get_device
from course_lib.errors import CourseError, one_line
from course_lib.models.pair_classifier import parameters_of
from course_lib.models.registry import build
from course_lib.training.checkpoint import CONFIG, read_config, read_tokenizers, save_run
from course_lib.training.config import FitConfig
from course_lib.training.distributed import from_first, process_group
from course_lib.training.fit import fit


def train(options: Namespace) -> None:
    """Train a model, with all processes that torchrun started, and leave a run folder behind."""
    with process_group(get_device()):
        if options.resume and options.run is None:
            raise CourseError("--resume needs --run FOLDER, the folder of the run")
        if options.resume and (options.run / CONFIG).exists():
            folder, batches = options.run, None
            _require_same(options, read_config(folder))
        else:
            folder, batches = _begin(options)
        # The other processes wait until the first one has written the folder.
        _train(Path(from_first(str(folder))), options, batches)


def _given(options: Namespace, *names: str) -> dict[str, Any]:
    """The options of these names that the reader has set."""
    return {n: v for n, v in vars(options).items() if n in names and v is not None}


def _begin(options: Namespace) -> tuple[Path, Any]:
    """Write the folder of a new run, its recipe changed by the options; also return its batches."""
    name, task = options.model, _task_for(options)
    chosen = recipe(task.name, name, task.direction)
    if isinstance(task, TranslationTask) and task.name != OWN and options.vocabulary is None:
        task = replace(task, vocabulary=chosen.vocabulary)
    settings = chosen.settings | _given(options, "contrast")
    if options.hidden is not None:
        settings["width" if "width" in settings else "hidden"] = options.hidden
    changes = _given(options, *(field.name for field in fields(FitConfig)))
    own_length = not changes.keys().isdisjoint({"steps", "epochs"})
    if own_length:
        changes = {"steps": None, "epochs": None} | changes
    config, size = replace(chosen.fit, **changes), getattr(chosen, task.SIZE)
    pairs = task.load("train")
    tokenizers = task.make_tokenizers(pairs, chosen)
    batches = task.batches(pairs, tokenizers, size, config.seed)
    if task.name == OWN:
        updates = replace(config, steps=None, epochs=1).total_steps(batches)
        config = for_own(config, updates, keep_length=own_length)
    config = shorten_warmup(config, batches, chosen.fit.steps)
    settings |= task.vocabularies(tokenizers)
    build_model(name, settings, config.seed)  # what cannot be built leaves no folder
    parts = [name, Path(task.label).stem, *task.direction.split("-")]
    folder = options.run or Path("runs", "-".join(filter(None, parts)))
    save_run(
        folder,
        name=name,
        model_config=settings,
        data=asdict(task),
        training=config.to_dict() | {task.SIZE: size},
        tokenizers=tokenizers,
    )
    return folder, batches


def _train(folder: Path, options: Namespace, batches: Any = None) -> None:
    """Train as the folder says; the options only limit the time, and say where own pairs are."""
    run = read_config(folder)
    name, task, training = run["model"], task_of(run), dict(run["training"])
    if options.data and task.name == OWN:
        task = replace(task, file=str(Path(options.data).resolve()))
    size = training.pop(task.SIZE)
    config = replace(FitConfig.from_dict(training), max_minutes=options.max_minutes)
    tokenizers = read_tokenizers(folder)
    if batches is None:
        batches = task.batches(task.load("train"), tokenizers, size, config.seed)
    held_out_pairs = task.load(task.SPLITS[task.name][1])
    held_out = task.batches(held_out_pairs, tokenizers, size)
    model = build_model(name, run["model_config"], config.seed)
    print(
        f"{name}: {parameters_of(model, embeddings=True):,} parameters, {len(batches):,} pairs "
        f"{task.direction} of {one_line(task.label)}, on {describe_device()}, into "
        f"{one_line(str(folder))}"
    )
    history = fit(
        model,
        batches,
        held_out,
        config,
        objective=task.objective,
        directory=folder,
        resume=options.resume,
        device=get_device(),
        metric=task.metric(held_out_pairs, held_out, tokenizers),
    )
    print(
        f"{'stopped' if history.interrupted else 'trained'}: {history.steps:,} updates in "
        f"{history.seconds / 60:.1f} minutes; the run is in {one_line(str(folder))}"
    )


def build_model(name: str, settings: dict[str, Any], seed: int = 0) -> nn.Module:
    """A translator or a classifier by its name, its first weights drawn from a seed."""
    try:
        return build(name, settings, cpu_generator(seed))
    except (ValueError, RuntimeError, TypeError, OverflowError) as error:
        raise CourseError(f"cannot make this {name}: {str(error).splitlines()[0]}") from error


def _task_for(options: Namespace) -> Task:
    """What the options say to train on: data with a name, or a file of own pairs."""
    kind = task_kind(options.model)
    default = next(iter(kind.SPLITS))
    data = options.data or default
    recipe(default, options.model)  # an unknown model is refused before a large file is read
    of_task = {field.name for field in fields(kind)}
    for name in ("source", "target", "vocabulary", "max_tokens", "share", "premise"):
        if name not in of_task and getattr(options, name) is not None:
            raise CourseError(f"{name} is no setting of the data that {options.model} reads")
    if options.contrast is not None and options.model not in ("bag", "decomposable"):
        raise CourseError("--contrast is for the models bag and decomposable")
    settings = _given(options, *of_task)
    if kind is not TranslationTask or (data in kind.SPLITS and data != OWN):
        return kind(data, **settings)
    if not Path(data).exists():
        raise CourseError(
            f"unknown data {data!r}; choose one of mini, multi30k, or name a file of sentence "
            "pairs; there is no file of this name"
        )
    task, file = own_task(data, **settings)
    if file.names:
        print(f"the first line names the columns: {one_line(' and '.join(file.names))}")
    if repeated := len(file.pairs) - len(set(file.pairs)):
        print(f"{repeated:,} of the {len(file.pairs):,} pairs repeat an earlier one")
    return task


def _require_same(options: Namespace, run: dict[str, Any]) -> None:
    """Raise CourseError if an option differs from the run, or if Python code began the run."""
    task = task_of(run)
    if task.SIZE not in run["training"]:
        raise CourseError(
            f"{options.run} was begun from Python; go on with it there, by fit(..., resume=True)"
        )
    there = {**run["model_config"], **run["training"], **run["data"], "model": run["model"]}
    there["hidden"] = there.get("width", there.get("hidden"))
    moved = options.data and task.name == OWN and Path(options.data).is_file()
    same_file = moved and read_pairs(options.data).sha256 == task.sha256
    there["data"] = options.data if same_file else task.label
    for name, value in vars(options).items():
        new = name in ("command", "run", "resume", "max_minutes") or value is None
        if not new and value != there.get(name):
            raise CourseError(
                f"{name} {value} is not what the run in {options.run} was begun with, "
                f"{there.get(name)}; leave it out, or choose another folder"
            )
