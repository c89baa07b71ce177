"""Real data: fetched once, checked by SHA-256, kept; or taken from the folder `COURSE_DATA`.

A file that is used, from wherever it comes, has the hash that `registry.py` gives for it, so that
every reader measures on the same bytes.
"""

import os
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import requests

from course_lib.data.corpora.reasons import OFFLINE, bad_bundle, reason, wrong_content
from course_lib.data.corpora.registry import DATASETS, RemoteFile
from course_lib.errors import CourseError
from course_lib.files import cannot_write

with warnings.catch_warnings():
    # In a notebook without ipywidgets, tqdm warns of it as soon as pooch is imported.
    warnings.simplefilter("ignore")
    import pooch

_VARIABLE = "COURSE_DATA"
_TIMEOUT = 20  # seconds without an answer, for each address


def fetch(
    name: str, files: Sequence[str] | None = None, *, progress: bool = True
) -> dict[str, Path]:
    """Make a dataset's files available and give their paths.

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
    """All datasets with terms, files, sizes and where each file is now, one a line."""
    lines = []
    for name, dataset in DATASETS.items():
        lines.append(f"{name}: {dataset.title} ({dataset.reference})")
        lines.append(f"  licence: {dataset.licence}")
        for file in dataset.files:
            lines.append(f"  {file.path:<34} {file.size / 1000:>7.0f} kB  {_where(file)}")
    return "\n".join(lines)


def at_hand(name: str) -> bool:
    """Whether all files of a dataset are here already, with the right content.

    Raises:
        CourseError: there is no such dataset, or `COURSE_DATA` is not a folder.
    """
    return all(_where(file) in (f"in {_VARIABLE}", "in cache") for file in _select(name, None))


def cache_folder() -> Path:
    """Where downloads are kept, as the operating system likes it."""
    return Path(pooch.os_cache("course_lib"))


def _select(name: str, files: Sequence[str] | None) -> list[RemoteFile]:
    if name not in DATASETS:
        raise CourseError(f"unknown dataset {name!r}: there are {', '.join(DATASETS)}")
    known = {file.name: file for file in DATASETS[name].files}
    for wanted in files or ():
        if wanted not in known:
            raise CourseError(f"want a file of {name}, one of {', '.join(known)}; got {wanted!r}")
    return [known[wanted] for wanted in (known if files is None else files)]


def _course_data() -> Path | None:
    given = os.environ.get(_VARIABLE)
    if not given:
        return None
    # Unlike their likenesses in pathlib these two never raise: not for an unknown user's home,
    # nor for a name that is too long.
    folder = Path(os.path.expanduser(given))
    if not os.path.isdir(folder):
        raise CourseError(
            f"{_VARIABLE}={given} is not a folder: set it to one that holds the data, or unset it"
        )
    return folder


def _fetch_file(file: RemoteFile, progress: bool) -> Path:
    folder = _course_data()
    if folder is not None and os.path.exists(given := folder / file.path):
        return _checked(given, file)
    if fault := bad_bundle():
        raise CourseError(f"cannot get {file.path}: {fault}")
    failures = {}
    for address in file.addresses:
        came = _Came(progress)
        try:
            return _retrieve(address, file, came)
        # Before OSError: every exception of requests is one.
        except requests.RequestException as error:
            failures[address] = reason(error, address)
        except ValueError:
            failures[address] = wrong_content(came.head, came.length, file.size)
        except OSError as error:
            raise cannot_write(cache_folder() / file.path, error.errno or 0) from error
    state = f"{_VARIABLE} is not set" if folder is None else f"{_VARIABLE}={folder} lacks it"
    offline = all(why.startswith(OFFLINE) for why in failures.values())
    tried = " and ".join(f"{address} ({why})" for address, why in failures.items())
    raise CourseError(
        f"cannot get {file.path}: tried {tried}; {state}. "
        f"{'Connect to the network, or' if offline else 'Fetch it by other means, and'} "
        f"set {_VARIABLE} to a folder that holds {file.path}"
    )


class _Came:
    """A downloader that remembers how what came begins and how long it is."""

    def __init__(self, progress: bool) -> None:
        self._download: Callable[..., None] = pooch.HTTPDownloader(
            progressbar=progress, timeout=_TIMEOUT
        )
        self.head, self.length = b"", 0

    def __call__(self, url: str, output_file: str, pooch: object) -> None:
        self._download(url, output_file, pooch)
        with open(output_file, "rb") as file:
            self.head = file.read(512)
        self.length = os.path.getsize(output_file)


def _retrieve(address: str, file: RemoteFile, downloader: "_Came") -> Path:
    # The bar says enough; pooch's own lines would go to stderr in every notebook.
    pooch.get_logger().setLevel("WARNING")
    return Path(
        pooch.retrieve(
            address,
            known_hash=f"sha256:{file.sha256}",
            fname=file.path,
            path=cache_folder(),
            downloader=downloader,
        )
    )


def _checked(path: Path, file: RemoteFile) -> Path:
    try:
        found = pooch.file_hash(str(path))
    except OSError as error:
        raise CourseError(f"cannot read {path} in {_VARIABLE}: {error.strerror}") from error
    if found != file.sha256:
        raise CourseError(
            f"{path} in {_VARIABLE} is not the file wanted: its SHA-256 is {found[:12]}..., wanted "
            f"{file.sha256[:12]}...; replace it by the one from {file.addresses[0]} or unset "
            f"{_VARIABLE}"
        )
    return path


def _where(file: RemoteFile) -> str:
    folder = _course_data()
    places = [] if folder is None else [(_VARIABLE, folder)]
    for label, place in [*places, ("cache", cache_folder())]:
        path = place / file.path
        if os.path.isfile(path):
            right = pooch.file_hash(str(path)) == file.sha256
            return f"in {label}" if right else f"in {label}, WRONG CONTENT"
    return "not here yet"
