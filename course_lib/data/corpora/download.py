"""Real data: fetched once, checked by SHA-256, kept; or taken from the folder `COURSE_DATA`.

A file that is used, from wherever it comes, has the hash that `registry.py` gives for it, so that
every reader measures on the same bytes.
"""

import os
import warnings
from collections.abc import Sequence
from pathlib import Path

from course_lib.data.corpora.registry import DATASETS, RemoteFile
from course_lib.errors import CourseError

with warnings.catch_warnings():
    # In a notebook without ipywidgets, tqdm warns of it as soon as pooch is imported.
    warnings.simplefilter("ignore")
    import pooch

_TIMEOUT = 20  # seconds without an answer, for each address


def fetch(name: str, files: Sequence[str] | None = None) -> dict[str, Path]:
    """Fetch a dataset's files and return their paths by name.

    A file is looked for in the folder `COURSE_DATA` (never written to), then in the cache of
    this user, then on the network. It counts only with the right hash. A download goes to a
    temporary file, is checked, and then takes its name; a failed one leaves nothing.

    Args:
        name: a key of `DATASETS`.
        files: names of some of its files; all by default.

    CourseError if there is no such dataset, or no folder and no address has the right file.
    """
    if name not in DATASETS:
        raise CourseError(f"unknown dataset {name!r}: there are {', '.join(DATASETS)}")
    known = {file.name: file for file in DATASETS[name].files}
    return {each: _here(known[each]) or _download(known[each]) for each in files or known}


def describe() -> str:
    """List the datasets: their licences, their files, the sizes and where each file is now."""
    lines = []
    for name, dataset in DATASETS.items():
        lines.append(f"{name}: {dataset.title} ({dataset.reference})")
        lines.append(f"  licence: {dataset.licence}")
        for file in dataset.files:
            where = _here(file) or "not here yet"
            lines.append(f"  {file.path:<34} {file.size / 1000:>7.0f} kB  {where}")
    return "\n".join(lines)


def at_hand(name: str) -> bool:
    """Return whether all files of a dataset are here already, with the right content."""
    return all(_here(file) for file in DATASETS[name].files)


def cache_folder() -> Path:
    """Return the folder of downloads: the user's cache folder on this operating system."""
    return Path(pooch.os_cache("course_lib"))


def _here(file: RemoteFile) -> Path | None:
    """Return the path of a file that need not be downloaded."""
    for folder in (os.environ.get("COURSE_DATA"), cache_folder()):
        path = Path(folder or "").expanduser() / file.path
        if folder and path.is_file() and pooch.file_hash(str(path)) == file.sha256:
            return path
    return None


def _download(file: RemoteFile) -> Path:
    # The bar says enough; pooch's own lines would go to stderr in every notebook.
    pooch.get_logger().setLevel("WARNING")
    failures = []
    for address in file.addresses:
        downloader = pooch.HTTPDownloader(progressbar=True, timeout=_TIMEOUT)
        try:
            path = pooch.retrieve(
                address, f"sha256:{file.sha256}", file.path, cache_folder(), downloader=downloader
            )
            return Path(path)
        # OSError is a full disk or, from requests, no connection; ValueError a wrong hash.
        except (OSError, ValueError) as error:
            failures.append(f"{address} ({error})")
    raise CourseError(
        f"cannot get {file.path}. Connect to the network, or set COURSE_DATA to a folder that "
        f"holds {file.path} as it was published. Tried {' and '.join(failures)}"
    )
