"""The archive that grades inside Gradescope's containers."""

import zipfile
from pathlib import Path

from course_grader import GraderError

ROOT = Path(__file__).parents[1]

_SETUP = """\
#!/usr/bin/env bash
set -euo pipefail
apt-get update
apt-get install -y python3-venv bubblewrap
python3 -m venv /autograder/env
/autograder/env/bin/pip install -c /autograder/source/requirements.txt '/autograder/source[grading]'
"""
_RUN = """\
#!/usr/bin/env bash
set -euo pipefail
chmod -R go= /autograder/source /autograder/submission /autograder/results
cd /
exec /autograder/env/bin/python -m course_grader gradescope {name} \\
    --submission /autograder/submission --results /autograder/results/results.json \\
    --sources /autograder/source/homework --variant {variant} \\
    --salt-file /autograder/source/salt {weak}
"""


def write_archive(
    name: str, out: Path, sources: Path, variant: str, salt: bytes, *, allow_weak: bool = False
) -> None:
    """Write what Gradescope calls an autograder: the course's packages, one homework and a salt.

    Raises:
        GraderError: this is no checkout.
    """
    if not (ROOT / "requirements.txt").is_file():
        raise GraderError(f"want a checkout of the course, whose requirements.txt pins; got {ROOT}")
    weak = "--allow-weak" if allow_weak else ""
    files = [ROOT / each for each in ("pyproject.toml", "README.md", "requirements.txt")]
    for package in ("course_lib", "course_lab", "course_grader"):
        found = sorted((ROOT / package).rglob("*"))
        files += [path for path in found if path.is_file() and "__pycache__" not in path.parts]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "setup.sh", _SETUP.encode(), 0o755)
        run = _RUN.format(name=name, variant=variant, weak=weak)
        _add(archive, "run_autograder", run.encode(), 0o755)
        for path in files:
            _add(archive, path.relative_to(ROOT).as_posix(), path.read_bytes())
        for path in sorted((sources / name).glob("*")):
            if path.is_file():
                _add(archive, f"homework/{name}/{path.name}", path.read_bytes(), 0o600)
        _add(archive, "salt", salt, 0o600)
    out.chmod(0o600)


def _add(archive: zipfile.ZipFile, name: str, content: bytes, mode: int = 0o644) -> None:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = mode << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)
