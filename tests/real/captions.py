"""Whether the captions are there."""

import os
from pathlib import Path

import pytest

from course_lib.data.corpora import multi30k
from course_lib.data.corpora.registry import DATASETS


def require_multi30k() -> None:
    """Skips where COURSE_DATA has none of the files. Data that is there and broken is an error."""
    folder = os.environ.get("COURSE_DATA")
    files = [file.path for file in DATASETS["multi30k"].files]
    if not folder or not any((Path(folder).expanduser() / path).exists() for path in files):
        pytest.skip("Multi30k is absent: COURSE_DATA names no folder that holds it")
    multi30k.load("val")
