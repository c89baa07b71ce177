"""`python -m course_lib train`: begin a run by a recipe, or go on with one.

A new run writes its model, data and settings into its folder; then every run, a new one or one that
is resumed, is trained as its folder says.
"""

from argparse import Namespace
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from torch import nn

from course_lib.cli.recipes import for_own, recipe, shorten_warmup
from course_lib.cli.tasks import OWN, Task, TranslationTask, own_task, task_kind, task_of
from course_lib.data.own import read_pairs
from course_lib.device import cpu_generator, describe_device, get_device
from course_lib.errors import CourseError, one_line
from course_lib.models.pair_classifier import parameters_of
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


def _begin(options: Namespace) -> tuple[Path, Any]:
    """Write the folder of a new run, its recipe changed by the options; also return its batches."""
    name = options.model
    if name is None:
        raise CourseError("want the name of a model; a name that is none lists them all")
    task = _task_for(options)
    chosen = recipe(task.name, name, task.direction)
    if isinstance(task, TranslationTask) and task.name != OWN and options.vocabulary is None:
        task = replace(task, vocabulary=chosen.vocabulary)
    width = "width" if "width" in chosen.settings else "hidden"
    settings = chosen.settings | _without_none(
        **{width: options.hidden, "contrast": options.contrast}
    )
    names = ("learning_rate", "accumulate", "precision", "seed")
    changes = _without_none(max_minutes=options.minutes, **{n: getattr(options, n) for n in names})
    own_length = options.steps is not None or options.epochs is not None
    if own_length:
        changes |= {"steps": options.steps, "epochs": options.epochs}
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
    config = replace(FitConfig.from_dict(training), max_minutes=options.minutes)
    tokenizers = read_tokenizers(folder)
    if batches is None:
        batches = task.batches(task.load("train"), tokenizers, size, config.seed)
    held_out_pairs = task.load(task.SPLITS[task.name][1])
    held_out = task.batches(held_out_pairs, tokenizers, size)
    model = build_model(name, run["model_config"], config.seed)
    parameters = parameters_of(model, embeddings=True)
    print(
        f"{name}: {parameters:,} parameters, {len(batches):,} pairs {task.direction} of "
        f"{one_line(task.label)}, on {describe_device()}, into {one_line(str(folder))}"
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
        return task_kind(name).build(name, settings, cpu_generator(seed))
    except (ValueError, RuntimeError, TypeError, OverflowError) as error:
        raise CourseError(f"cannot make this {name}: {str(error).splitlines()[0]}") from error


def _without_none(**options: Any) -> dict[str, Any]:
    """The options that the reader has set."""
    return {name: value for name, value in options.items() if value is not None}


def _task_for(options: Namespace) -> Task:
    """What the options say to train on: data with a name, or a file of own pairs."""
    data, kind = options.data or "mini", task_kind(options.model)
    if options.contrast is not None and options.model not in ("bag", "decomposable"):
        raise CourseError("--contrast is for the models bag and decomposable")
    sizes = _without_none(pairs=options.pairs, held_out=options.held_out)
    if kind is not TranslationTask:
        for name in ("source", "target", "vocabulary", "max_tokens", "held_out_share"):
            if getattr(options, name) is not None:
                raise CourseError(f"--{name.replace('_', '-')} is for translators")
        return kind(data, premise=not options.no_premise, **sizes)
    if options.no_premise:
        raise CourseError("--no-premise is for classifiers of sentence pairs")
    recipe(OWN, options.model)  # an unknown model is refused before a large file is read
    sizes |= _without_none(max_tokens=options.max_tokens)
    names = _without_none(
        source=options.source, target=options.target, vocabulary=options.vocabulary
    )
    if data in kind.SPLITS and data != OWN:
        if options.held_out_share is not None:
            raise CourseError(f"--held-out-share is for a file of pairs; {data} has splits")
        return kind(data, **names, **sizes)
    if not Path(data).exists():
        raise CourseError(
            f"unknown data {data!r}; choose one of mini, multi30k, or name a file of sentence "
            "pairs; there is no file of this name"
        )
    task, file = own_task(data, **names, **_without_none(share=options.held_out_share), **sizes)
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
    there["held_out_share"] = there.get("share")
    there["no_premise"] = not there.get("premise", True)
    moved = options.data and task.name == OWN and Path(options.data).is_file()
    same_file = moved and read_pairs(options.data).sha256 == task.sha256
    there["data"] = options.data if same_file else task.label
    ignored = (
        "command",
        "run",
        "resume",
        "minutes",
        *([] if options.no_premise else ["no_premise"]),
    )
    for name, value in vars(options).items():
        if name not in ignored and value is not None and value != there.get(name):
            word = "MODEL" if name == "model" else f"--{name.replace('_', '-')}"
            raise CourseError(
                f"{word} {value} is not what the run in {options.run} was begun with, "
                f"{there.get(name)}; leave it out, or choose another folder"
            )
