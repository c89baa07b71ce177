"""Where the real data is, for the tests that read it."""

import os
from pathlib import Path

import pytest

# Beside the project, as a classroom or a build machine lays it out.
_BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.fixture
def course_data(monkeypatch) -> Path:
    """The folder of real data, set as COURSE_DATA; the test is skipped where there is none."""
    folder = Path(os.environ.get("COURSE_DATA") or _BESIDE)
    if not (folder / "multi30k" / "train.de.gz").is_file():
        pytest.skip("no real data: set COURSE_DATA to a folder that holds multi30k/ and alignment/")
    monkeypatch.setenv("COURSE_DATA", str(folder))
    return folder
