"""Real data: fetched once, checked by SHA-256, kept; or taken from the folder `COURSE_DATA`.

A file that is used, from wherever it comes, has the hash that `registry.py` gives for it, so that
every reader measures on the same bytes.
"""

import os
import warnings
from collections.abc import Sequence
from pathlib import Path

import requests

from course_lib.data.corpora.registry import DATASETS, RemoteFile
from course_lib.errors import CourseError

with warnings.catch_warnings():
    # In a notebook without ipywidgets, tqdm warns of it as soon as pooch is imported.
    warnings.simplefilter("ignore")
    import pooch

_VARIABLE = "COURSE_DATA"
_TIMEOUT = 20  # seconds without an answer, for each address


def fetch(
    name: str, files: Sequence[str] | None = None, *, progress: bool = True
) -> dict[str, Path]:
    """Fetch a dataset's files and return their paths.

    A file is looked for in the folder `COURSE_DATA` (never written to), then in the cache of
    this user, then on the network. It counts only with the right hash. A download goes to a
    temporary file, is checked, and then takes its name; a failed one leaves nothing.

    Args:
        name: a key of `DATASETS`.
        files: names of some of its files; all by default.
        progress: show a bar for each download.

    Returns:
        for each file name its path.

    Raises:
        CourseError: there is no such dataset or file, `COURSE_DATA` is not a folder or holds a
            file with the wrong content, or no address gave the right file.
    """
    return {file.name: _fetch_file(file, progress) for file in _select(name, files)}


def describe() -> str:
    """List the datasets: their licences, their files, the sizes and where each file is now."""
    lines = []
    for name, dataset in DATASETS.items():
        lines.append(f"{name}: {dataset.title} ({dataset.reference})")
        lines.append(f"  licence: {dataset.licence}")
        for file in dataset.files:
            lines.append(f"  {file.path:<34} {file.size / 1000:>7.0f} kB  {_where(file)}")
    return "\n".join(lines)


def at_hand(name: str) -> bool:
    """Return whether all files of a dataset are here already, with the right content.

    Raises:
        CourseError: there is no such dataset, or `COURSE_DATA` is not a folder.
    """
    return all(_where(file) in (f"in {_VARIABLE}", "in cache") for file in _select(name, None))


def cache_folder() -> Path:
    """Return the folder of downloads: the user's cache folder on this operating system."""
    return Path(pooch.os_cache("course_lib"))


def _select(name: str, files: Sequence[str] | None) -> list[RemoteFile]:
    if name not in DATASETS:
        raise CourseError(f"unknown dataset {name!r}: there are {', '.join(DATASETS)}")
    known = {file.name: file for file in DATASETS[name].files}
    if unknown := [file for file in files or () if file not in known]:
        raise CourseError(f"want a file of {name}, one of {', '.join(known)}; got {unknown[0]!r}")
    return [known[file] for file in (known if files is None else files)]


def _course_data() -> Path | None:
    value = os.environ.get(_VARIABLE)
    if not value:
        return None
    # Unlike their equivalents in pathlib these two never raise: not for an unknown user's home,
    # nor for a name that is too long.
    folder = Path(os.path.expanduser(value))
    if not os.path.isdir(folder):
        raise CourseError(
            f"{_VARIABLE}={value} is not a folder: set it to one that holds the data, or unset it"
        )
    return folder


def _fetch_file(file: RemoteFile, progress: bool) -> Path:
    folder = _course_data()
    if folder is not None and os.path.exists(path := folder / file.path):
        return _checked(path, file)
    # The bar says enough; pooch's own lines would go to stderr in every notebook.
    pooch.get_logger().setLevel("WARNING")
    failures = []
    for address in file.addresses:
        downloader = pooch.HTTPDownloader(progressbar=progress, timeout=_TIMEOUT)
        try:
            path = pooch.retrieve(
                address, f"sha256:{file.sha256}", file.path, cache_folder(), downloader=downloader
            )
            return Path(path)
        # Before OSError: every exception of requests is one. ValueError is a wrong hash.
        except (requests.RequestException, ValueError) as error:
            failures.append(f"{address} ({error})")
        except OSError as error:
            raise CourseError(f"cannot write {cache_folder() / file.path}: {error}") from error
    state = f"{_VARIABLE} is not set" if folder is None else f"{_VARIABLE}={folder} lacks it"
    raise CourseError(
        f"cannot get {file.path}; {state}. Connect to the network, or set {_VARIABLE} to a folder "
        f"that holds {file.path}. Tried {' and '.join(failures)}"
    )


def _checked(path: Path, file: RemoteFile) -> Path:
    try:
        sha256 = pooch.file_hash(str(path))
    except OSError as error:
        raise CourseError(f"cannot read {path} in {_VARIABLE}: {error.strerror}") from error
    if sha256 != file.sha256:
        raise CourseError(
            f"{path} in {_VARIABLE} has SHA-256 {sha256[:12]}...; want {file.sha256[:12]}...; "
            f"replace it by the file from {file.addresses[0]}, or unset {_VARIABLE}"
        )
    return path


def _where(file: RemoteFile) -> str:
    folder = _course_data()
    for label, parent in ((_VARIABLE, folder), ("cache", cache_folder())):
        if parent is None:
            continue
        path = parent / file.path
        if os.path.isfile(path):
            right = pooch.file_hash(str(path)) == file.sha256
            return f"in {label}" if right else f"in {label}, WRONG CONTENT"
    return "not here yet"
