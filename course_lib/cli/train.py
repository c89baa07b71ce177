"""`python -m course_lib train`: begin a run by a recipe, or go on with one.

A new run writes its model, data and settings into its folder; then every run, a new one or one that
is resumed, is trained as its folder says.
"""

from argparse import Namespace
from dataclasses import asdict, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from course_lib.cli.recipes import adapted, recipe
from course_lib.cli.tasks import OWN, build_model, make_task, own_task, task_of
from course_lib.device import describe_device, get_device
from course_lib.errors import CourseError, one_line
from course_lib.evaluation.accuracy import accuracy
from course_lib.evaluation.bleu import greedy_bleu
from course_lib.models.parts import parameters_of
from course_lib.models.registry import CLASSIFIERS
from course_lib.training.checkpoint import CONFIG, read_config, read_tokenizers, save_run
from course_lib.training.config import FitConfig
from course_lib.training.distributed import from_first, process_group
from course_lib.training.fit import fit

_OF_DATA = ("source", "target", "pairs", "held_out", "vocabulary", "max_tokens", "premise")


def train(options: Namespace) -> None:
    """Train a model, with all processes that torchrun started, and leave a run folder behind."""
    with process_group(get_device()):
        if options.resume and options.run is None:
            raise CourseError("--resume needs --run FOLDER, the folder of the run")
        begun = from_first(options.resume and (options.run / CONFIG).exists())
        folder, batches = (options.run, None) if begun else _begin(options)
        # The other processes wait until the first one has written the folder.
        _train(Path(from_first(str(folder))), options, batches)


def _given(options: Namespace, *names: str) -> dict[str, Any]:
    """The options of these names that the reader has set."""
    return {n: v for n, v in vars(options).items() if n in names and v is not None}


def _begin(options: Namespace) -> tuple[Path, Any]:
    """Write the folder of a new run, its recipe changed by the options; also return its batches."""
    name, of_data = options.model, _given(options, *_OF_DATA)
    data = options.data or ("sick" if name in CLASSIFIERS else "mini")
    own = name not in CLASSIFIERS and Path(data).is_file()
    chosen = recipe(OWN if own else data, name)
    if own:
        task = own_task(data, **of_data)
    else:
        sizes = {} if name in CLASSIFIERS else {"vocabulary": chosen.vocabulary}
        task = make_task(name, name=data, **(sizes | of_data))
    settings = chosen.settings | _given(options, "contrast")
    if options.hidden is not None:
        settings["width" if "width" in settings else "hidden"] = options.hidden
    pairs, size = task.load("train"), getattr(chosen, task.SIZE)
    tokenizers = task.make_tokenizers(pairs, chosen)
    batches = task.batches(pairs, tokenizers, size, options.seed or 0)
    changes = _given(options, *(field.name for field in fields(FitConfig)))
    config = adapted(chosen.fit, changes, batches, own)
    settings |= dict(zip(task.VOCABULARIES, map(len, tokenizers), strict=False))
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


def _train(folder: Path, options: Namespace, batches: Any) -> None:
    """Train as the folder says; without `batches` on a run that is resumed."""
    run = read_config(folder)
    name, task, training = run["model"], task_of(run), dict(run["training"])
    if task.SIZE not in training:
        raise CourseError(
            f"{folder} was begun from Python; go on with it there, by fit(..., resume=True)"
        )
    if options.data and task.name == OWN:
        task = task.with_file(options.data)
    if batches is None:
        free = {"command", "run", "resume", "max_minutes", *["data"] * (task.name == OWN)}
        if extra := [n for n, v in vars(options).items() if v is not None and n not in free]:
            raise CourseError(
                f"{folder} says itself how it is trained; leave out {', '.join(extra)}, or choose "
                "another folder"
            )
    size = training.pop(task.SIZE)
    config = replace(FitConfig.from_dict(training), max_minutes=options.max_minutes)
    tokenizers = read_tokenizers(folder)
    if batches is None:
        batches = task.batches(task.load("train"), tokenizers, size, config.seed)
    held_out_pairs = task.load(task.SPLITS[task.name][1])
    held_out = task.batches(held_out_pairs, tokenizers, size)
    metric = None  # the best weights have the lowest loss, but for
    if task.name == "multi30k":
        metric = partial(greedy_bleu, pairs=held_out_pairs, tokenizers=tokenizers)
    elif name in CLASSIFIERS:
        metric = lambda model: accuracy(model, held_out.sequential(), get_device())  # noqa: E731
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
        metric=metric,
    )
    print(
        f"{'stopped' if history.interrupted else 'trained'}: {history.steps:,} updates in "
        f"{history.seconds / 60:.1f} minutes; the run is in {one_line(str(folder))}"
    )
