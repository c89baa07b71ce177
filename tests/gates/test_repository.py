"""What the repository says of itself holds together."""

import re

import pytest
import yaml

from tools.address import write
from tools.notebooks.layout import format_text
from tools.project import CONFIG, ROOT, TaskError

PROJECT = ROOT / "pyproject.toml"


def requirement_lines():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_every_requirement_is_pinned_and_says_why():
    for line in requirement_lines():
        assert re.match(r"[\w.-]+==[\w.]+(; python_version [<>=]+ \"3\.\d+\")? +# \w", line), line


def test_what_the_library_needs_is_among_the_requirements():
    pinned = {line.split("==")[0] for line in requirement_lines()}
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = project.split("dependencies = [")[1].split("]")[0]
    needed = set(re.findall(r'"([\w.-]+)>=', block))
    assert needed <= pinned
    assert "torch" in needed


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")))
def test_workflows_are_well_formed_and_pin_their_actions(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    used = [step["uses"] for step in steps if "uses" in step]
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@v\d+", action) for action in used)


def test_ci_runs_make_test_and_believes_no_stamp():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "make test" in script
    assert 'export CI="${CI:-true}"' in script


def test_the_address_has_its_places_and_is_not_invented(tmp_path):
    there = {path.name: path.read_text(encoding="utf-8") for path in (CONFIG, PROJECT)}
    for name, text in there.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for given in ("https://example.org/a/b", "https://example.org/c/d.git"):
        write(given, tmp_path / CONFIG.name)
        url = given.removesuffix(".git")
        config = yaml.safe_load((tmp_path / CONFIG.name).read_text(encoding="utf-8"))
        assert config["repository"]["url"] == url
        lines = f'[project.urls]\nRepository = "{url}"\nIssues = "{url}/issues"\n'
        written = (tmp_path / PROJECT.name).read_text(encoding="utf-8")
        assert written == there[PROJECT.name].replace("[project.urls]\n", lines)
    with pytest.raises(TaskError, match="want an address"):
        write("not an address", tmp_path / CONFIG.name)
    write("", tmp_path / CONFIG.name)
    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in there} == there
    assert yaml.safe_load(there[CONFIG.name])["repository"]["url"] == ""


def test_format_lays_out_the_code_cells_and_nothing_else(project):
    (project.root / "notebooks" / "ruff.toml").write_text("line-length = 75\n")
    before = project.text.read_text().replace("print(double(0.25))", "print( double(0.25) )")
    before = before.replace("That is all.", "In prose, `print( double(0.25) )` stays.")
    after = format_text(before, project.notebook, project.root)
    assert after == before.replace("print( double(0.25) )", "print(double(0.25))", 1)
    assert format_text(after, project.notebook, project.root) == after
