"""Odd words and spoiled files: whatever comes, the command line says one line and no traceback."""

import contextlib
import io
import json
import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.cli.main import main
from course_lib.models.registry import CLASSIFIERS, MODELS

TINY = ["--pairs", "20", "--held-out", "5", "--steps", "2", "--hidden", "4"]
OPTIONS = ["--data", "--source", "--target", "--epochs", "--minutes", "--vocabulary", "--seed"]
OPTIONS += ["--learning-rate", "--max-tokens", "--contrast", "--beam", "--run"]
ODD = [
    "-1",
    "0",
    "1.5",
    "nan",
    "inf",
    "",
    " ",
    "--",
    "a\nb",
    "\x1b[31m",
    "\udce4",
    "中",
    "x" * 5000,
]
FILES = ["source_tokenizer.json", "best.safetensors"]
VALUES = st.sampled_from(
    [None, True, -1, 2**70, 0.5, float("nan"), "", "\ud800", [], {}, ["x"] * 9]
)
WORDS = st.sampled_from(
    ["data", "list", "evaluate", "translate", "align", "--help", *OPTIONS, *ODD]
)


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory):
    """A run to use; an option may name a folder, so all of it happens beside that run."""
    folder = tmp_path_factory.mktemp("odd")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert ends(["train", "cho", *TINY, "--run", str(folder / "run")]) == 0
        yield folder


def ends(words: list[str]) -> int:
    """The exit code; a complaint has to be one line, and the last."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        try:
            code = main(words)
        except SystemExit as left:  # argparse: --help, or a word that it does not take
            code = left.code or 0
            if code:
                return code
    complaints = [x for x in said.getvalue().splitlines() if x.startswith("error: ")]
    assert code in (0, 2), said.getvalue()
    assert len(complaints) == (code == 2), said.getvalue()
    assert not complaints or said.getvalue().endswith(f"{complaints[0]}\n")
    return code


@given(st.lists(WORDS, max_size=6))
def test_words_in_any_order(words):
    ends(words)


@settings(max_examples=15)
@given(st.sampled_from([*MODELS, *CLASSIFIERS]), st.sampled_from(OPTIONS), st.sampled_from(ODD))
def test_a_training_with_an_odd_option(folder, model, option, value):
    shutil.rmtree(folder / "new", ignore_errors=True)
    ends(["train", model, "--run", str(folder / "new"), *TINY, option, value])


@st.composite
def spoiled(draw, content: bytes) -> bytes:
    """One value exchanged or gone, if it is JSON; or some bytes."""
    start = draw(st.integers(0, len(content)))
    if content[:1] != b"{" or draw(st.booleans()):
        cut = (
            content[:start]
            + draw(st.binary(max_size=9))
            + content[start + draw(st.integers(0, 9)) :]
        )
        return draw(st.sampled_from([cut, content[:start], b"\xff\xfe" + content]))
    whole = place = json.loads(content)
    while isinstance(place, dict) and place:
        key = draw(st.sampled_from(sorted(place)))
        if not isinstance(place[key], dict) or draw(st.booleans()):
            place[key] = draw(VALUES)
            break
        place = place[key]
    return json.dumps(whole).encode()


@settings(max_examples=20)
@given(st.data(), st.sampled_from(FILES), st.sampled_from(["translate", "align", "train"]))
def test_a_run_with_a_spoiled_file(folder, data, name, command):
    run = folder / "spoiled"
    shutil.rmtree(run, ignore_errors=True)
    shutil.copytree(folder / "run", run)
    (run / name).write_bytes(data.draw(spoiled((run / name).read_bytes())))
    resume = ["train", "--run", str(run), "--resume"]
    ends(resume if command == "train" else [command, str(run), "der Hund schläft ."])
