"""The archive that grades inside Gradescope's containers."""

import zipfile
from pathlib import Path

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
cd /
exec /autograder/env/bin/python -m course_grader check /autograder/submission \\
    --assignment {name} --results /autograder/results/results.json \\
    --sources /autograder/source/homework --variant {variant} \\
    --salt-file /autograder/source/salt {weak}
"""


def write_archive(
    name: str, out: Path, sources: Path, variant: str, salt: bytes, *, allow_weak: bool = False
) -> None:
    """Write what Gradescope calls an autograder: the course's packages, one homework and a salt."""
    weak = "--allow-weak" if allow_weak else ""
    files = [ROOT / each for each in ("pyproject.toml", "README.md", "requirements.txt")]
    for package in ("course_lib", "course_lab", "course_grader"):
        files += [path for path in sorted((ROOT / package).rglob("*.*")) if path.suffix != ".pyc"]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        run = _RUN.format(name=name, variant=variant, weak=weak)
        for script, text in (("setup.sh", _SETUP), ("run_autograder", run)):
            entry = zipfile.ZipInfo(script)
            entry.external_attr = 0o755 << 16
            archive.writestr(entry, text)
        for path in files:
            archive.write(path, path.relative_to(ROOT))
        for path in sorted((sources / name).glob("*.*")):
            archive.write(path, Path("homework", name, path.name))
        archive.writestr("salt", salt)
    out.chmod(0o600)
