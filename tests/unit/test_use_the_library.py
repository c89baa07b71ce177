"""The page "Use the library": a reader who copies its code, in its order, gets what it says."""

import re
import shlex
from pathlib import Path

import matplotlib
import pytest
import torch

from course_lib.cli import recipes
from course_lib.cli.main import main
from course_lib.cli.recipes import FEWEST_UPDATES

PAGE = Path(__file__).parents[2] / "book" / "use_the_library.md"
_BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def text() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_its_code_runs_from_the_first_line_to_the_last(text, tmp_path, monkeypatch, capsys):
    matplotlib.use("agg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COURSE_DATA", raising=False)
    torch.manual_seed(0)
    monkeypatch.setattr(recipes, "FEWEST_UPDATES", 20)  # the page has 1,500: half a minute
    for many, few in (("--steps 200", "--steps 20"), ("steps=150", "steps=30"), ("=50)", "=10)")):
        assert many in text
        text = text.replace(many, few)
    names: dict[str, object] = {"__name__": "page"}
    kinds = set()
    for kind, code in _BLOCK.findall(text):
        kinds.add(kind)
        if kind == "python":
            exec(compile(code, PAGE.name, "exec"), names)
            continue
        for line in code.splitlines():
            command = shlex.split(line, comments=True)
            assert command[:3] == ["python", "-m", "course_lib"], line
            if "--version" in command:
                with pytest.raises(SystemExit, match=r"^0$"):
                    main(command[3:])
            else:
                assert main(command[3:]) == 0, f"{line}\n{capsys.readouterr().err}"
    assert kinds == {"python", "sh"}
    for file in ("looks.png", "attention.svg", "runs/mine/best.safetensors"):
        assert Path(file).stat().st_size > 1000, file
    said = capsys.readouterr().out
    assert re.search(r"pairs\.tsv test: BLEU \d", said)
    assert re.search(r"pairs\.tsv all: BLEU \d", said)


def test_what_it_says_in_numbers_is_so(text):
    assert f"at least {FEWEST_UPDATES:,}\nupdates" in text
