"""The cases: a command line, what stands around it, and a folder that it may spoil."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from course_lib.cli.recipes import translators
from course_lib.models.classifiers import CLASSIFIERS
from tools.fuzz.corpora import a_reading, write_pairs
from tools.fuzz.spoil import NUMBERS, TEXTS, spoiled

TINY = ["--pairs", "20", "--held-out", "5", "--steps", "2", "--hidden", "4"]
FILES = (
    "config.json",
    "history.json",
    "source_tokenizer.json",
    "target_tokenizer.json",
    "best.safetensors",
    "last.safetensors",
)
_TRAIN = ["--data", "--source", "--target", "--epochs", "--steps", "--minutes", "--pairs"]
_TRAIN += ["--held-out", "--hidden", "--vocabulary", "--learning-rate", "--seed"]
_TRAIN += ["--held-out-share", "--max-tokens", "--accumulate", "--precision"]
_OF_CLASSIFIERS = ["--contrast", "--no-contrast", "--no-premise"]
_SEARCH = ["--beam", "--length-penalty"]


@dataclass
class Case:
    """One call of the command line.

    Attributes:
        arguments: of the call.
        data: value of COURSE_DATA, None for none.
        standard_input: its bytes; None where it is closed.
        output: the code of standard output.
        trusted: whether the data counts as the published, whatever its checksum.
        read: what is called in place of the command line, and must end like it.
    """

    arguments: list[str]
    data: str | None = None
    standard_input: bytes | None = b""
    output: str = "utf-8"
    trusted: bool = False
    read: Callable[[], object] | None = None
    notes: list[str] = field(default_factory=list)


def draw(random: Random, runs: dict[str, Path], place: Path) -> Case:
    """A case; `place` is an empty folder of its own, `runs` are trained ones to copy from."""
    kinds: list[Callable[[Random, dict[str, Path], Path], Case]] = [
        _words, _words, _training, _classifier, _spoiled_run, _spoiled_run, _spoiled_run,
        _sentences, _data, _pairs, _corpus, _corpus, _own, _own,
    ]  # fmt: skip
    return random.choice(kinds)(random, runs, place)


def _copy(random: Random, runs: dict[str, Path], place: Path) -> tuple[str, Path]:
    name = random.choice(sorted(runs))
    return name, Path(shutil.copytree(runs[name], place / "run"))


def _words(random: Random, runs: dict[str, Path], place: Path) -> Case:
    """Words in any order, some of them right."""
    words = ["train", "evaluate", "translate", "align", "data", "list", "fetch", "mini", "multi30k"]
    words += [
        "cho",
        "dot",
        "--res",
        "--resume",
        "--version",
        "--help",
        "--json",
        "--figure",
        "--split",
        "--run",
    ]
    words += [*_TRAIN, *_SEARCH, *_OF_CLASSIFIERS, "transformer", "bag", *TEXTS, *NUMBERS]
    count = random.randrange(6)
    command = random.choice([["data"], ["evaluate"], ["translate"], ["align"], []])
    return Case([*command, *random.choices(words, k=count), *_no_training(random)])


def _no_training(random: Random) -> list[str]:
    """What makes sure that a `train` that came out whole is a small one."""
    return random.choice([[], TINY])


def _search(random: Random) -> list[str]:
    """Mostly none, a search that is in order, or one with an odd number."""
    good = ["--beam", random.choice("123"), "--length-penalty", random.choice(["0", "0.6", "10"])]
    odd = [random.choice(_SEARCH), random.choice(NUMBERS + TEXTS)]
    return random.choice([[], [], good, good[:2], good[:2] + odd, odd])


def _training(random: Random, runs: dict[str, Path], place: Path) -> Case:
    """A small training with one or two options that are odd."""
    arguments = ["train", random.choice([*translators(), "x"]), *TINY]
    arguments += ["--run", str(place / random.choice(["run", "a\nb", "x" * 5000, "\udce4"]))]
    for _ in range(random.randrange(1, 3)):
        name = random.choice(_TRAIN)
        arguments += [name, random.choice(NUMBERS + TEXTS)]
    return Case(arguments)


def _classifier(random: Random, runs: dict[str, Path], place: Path) -> Case:
    """The same of a classifier with options that it alone has, now and then of a translator."""
    arguments = ["train", random.choice([*CLASSIFIERS, *CLASSIFIERS, "cho"]), *TINY]
    arguments += ["--run", str(place / "run"), *random.choices(_OF_CLASSIFIERS, k=2)]
    odd = [random.choice(_TRAIN), random.choice(NUMBERS + TEXTS)]
    return Case(arguments + odd * random.randrange(2))


def _spoiled_run(random: Random, runs: dict[str, Path], place: Path) -> Case:
    """A run with a file that was changed, or that is not there."""
    model, run = _copy(random, runs, place)
    name = random.choice(FILES)
    path = run / name
    if random.random() < 0.05:
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(spoiled(path.read_bytes(), random))
    if "tokenizer" in name and random.random() < 0.7:
        # As the first format was: without seals, so that the tokenizer itself is looked at.
        config = json.loads((run / "config.json").read_text())
        del config["tokenizer_files"]
        (run / "config.json").write_text(json.dumps(config | {"format": 1}))
    commands = [["translate", str(run), "der Hund schläft ."]] * 5
    commands += [["align", str(run), "der Hund .", "--figure", str(place / "map.png")]]
    evaluate = ["evaluate", str(run), "--json", str(place / "scores.json")]
    commands = [[*command, *_search(random)] for command in [*commands, evaluate]]
    resume = ["train", model, *TINY, "--run", str(run), "--resume"]
    commands += [resume] * (5 if name == "last.safetensors" else 1)
    if name == "history.json":
        commands = commands[5:]
    if model in CLASSIFIERS:
        commands += [evaluate] * 10
    return Case(random.choice(commands), notes=[name])


def _sentences(random: Random, runs: dict[str, Path], place: Path) -> Case:
    """Odd sentences, as arguments and on standard input, and odd places to write to."""
    run = runs[random.choice(sorted(runs))]
    if random.random() < 0.4:
        text = "\n".join(random.choices(TEXTS, k=random.randrange(5)))
        code, errors = random.choice([("utf-8", "replace"), ("latin-1", "replace")])
        given = random.choice([text.encode(code, errors), random.randbytes(20), None])
        return Case(["translate", str(run), *_search(random)], standard_input=given)
    sentence = " ".join(random.choices(TEXTS, k=random.randrange(1, 4)))
    places = ["/", str(place), str(place / "x.png"), "no/x.png", "x" * 5000, "a\0.png", ".png"]
    figure = ["--figure", random.choice(places)]
    command = random.choice([["translate", str(run)], ["align", str(run), *figure]])
    return Case(
        [*command, *_search(random), "--", sentence], output=random.choice(["utf-8", "ascii"])
    )


def _data(random: Random, runs: dict[str, Path], place: Path) -> Case:
    """A folder of data that is none, or of which a file was changed."""
    folder = place / "data"
    for name in ("multi30k/train.de.gz", "multi30k/train.en.gz", "alignment/enfr.gold"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if random.random() < 0.2:
            path.mkdir()
        else:
            path.write_bytes(random.randbytes(random.randrange(40)))
    where = random.choice([str(folder), str(folder), "~nobody/x", "x" * 5000, "a\nb", "/dev/null"])
    train = ["train", "cho", "--data", "multi30k", *TINY, "--run", str(place / "run")]
    return Case(random.choice([["data", "list"], ["data", "fetch"], train]), data=where)


def _own(random: Random, runs: dict[str, Path], place: Path) -> Case:
    """A file of own pairs, odd or spoiled: trained on, or a run scored on it."""
    sides = [
        *TEXTS,
        "der Hund schläft .",
        "the dog sleeps",
        "猫が寝る",
        "الكلب",
        "source",
        "de",
        "en",
    ]
    lines = [
        "\t".join(random.choices(sides, k=random.choice([2, 2, 2, 2, 1, 3]))) for _ in range(9)
    ]
    lines = random.choice([lines, [f"a {n}\tb {n}" for n in range(9)] + lines[:1]])
    content = random.choice(["\n", "\r\n", "\r"]).join(lines).encode("utf-8", "surrogatepass")
    path = place / random.choice(["pairs.tsv", "mini", "a b.txt", "ä.tsv"])
    path.write_bytes(content if random.random() < 0.5 else spoiled(content, random))
    train = ["train", random.choice(translators()), "--data", str(path), *TINY]
    train += ["--run", str(place / "run")]
    if random.random() < 0.5:
        train += [random.choice(_TRAIN[1:]), random.choice(NUMBERS + TEXTS)]
    name = random.choice(sorted(runs))
    evaluate = ["evaluate", str(runs[name]), "--data", str(path), *_search(random)]
    evaluate += random.choice([["--split", "all"], ["--split", "all"], []])
    return Case(random.choice([train, evaluate]), notes=["own"])


def _pairs(random: Random, runs: dict[str, Path], place: Path) -> Case:
    """A classifier that is trained on a spoiled corpus of pairs."""
    name = random.choice(["sick", "snli"])
    write_pairs(name, place / "data", random)
    train = ["train", random.choice([*CLASSIFIERS]), "--data", name, *TINY]
    train += ["--run", str(place / "run"), *random.choices(_OF_CLASSIFIERS, k=random.randrange(2))]
    return Case(train, data=str(place / "data"), trusted=random.random() < 0.9)


def _corpus(random: Random, runs: dict[str, Path], place: Path) -> Case:
    """A spoiled file of a corpus that its parser is given."""
    name, read = a_reading(random, place)
    return Case([], read=read, notes=[name])
