"""Data comes whole and right, from COURSE_DATA, cache or network, or one line says why not."""

import errno
import hashlib
import http.server
import os
import threading
from pathlib import Path

import pooch
import pytest

from course_lib.data.corpora import download
from course_lib.data.corpora.registry import DATASETS, Dataset, RemoteFile
from course_lib.errors import CourseError

CONTENT = b"the right bytes\n" * 100
PATH = "toy/train.txt"
CLOSED = "http://127.0.0.1:9/train.txt"  # the discard port: nobody listens


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        status, body, promised = self.server.answers.get(self.path, (404, b"", 0))
        self.send_response(status)
        self.send_header("Content-Length", str(promised))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    """A web server on this machine; its `answers` map a path to status, body, promised length."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.asked = []
        running.answers = {
            "/right": (200, CONTENT, len(CONTENT)),
            "/wrong": (200, CONTENT[::-1], len(CONTENT)),
            "/short": (200, CONTENT[:50], len(CONTENT)),
        }
        running.url = f"http://127.0.0.1:{running.server_port}"
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def cache(tmp_path, monkeypatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setattr(download, "cache_folder", lambda: folder)
    monkeypatch.delenv("COURSE_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return folder


@pytest.fixture
def toy(monkeypatch):
    """Registers a dataset with the addresses given; its one file is train.txt."""

    def register(*addresses: str) -> None:
        digest = hashlib.sha256(CONTENT).hexdigest()
        file = RemoteFile(PATH, len(CONTENT), digest, addresses)
        monkeypatch.setitem(DATASETS, "toy", Dataset("Toy", "free", "Nobody 1900", (file,)))

    return register


def files_below(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def failure() -> str:
    with pytest.raises(CourseError) as caught:
        download.fetch("toy")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_file_is_downloaded_once_and_then_taken_from_the_cache(server, cache, toy):
    toy(f"{server.url}/right")
    for _ in range(2):
        paths = download.fetch("toy")
        assert paths == {"train.txt": cache / PATH}
        assert paths["train.txt"].read_bytes() == CONTENT
    assert server.asked == ["/right"]
    assert files_below(cache) == [PATH]


def test_a_damaged_file_in_the_cache_is_fetched_again(server, cache, toy):
    toy(f"{server.url}/right")
    (cache / "toy").mkdir(parents=True)
    (cache / PATH).write_bytes(CONTENT[:10])
    assert download.fetch("toy")["train.txt"].read_bytes() == CONTENT


@pytest.mark.parametrize("first", ["/nothing", "/wrong", "/short"])
def test_the_mirror_is_tried_when_the_first_address_fails(server, cache, toy, first):
    toy(f"{server.url}{first}", f"{server.url}/right")
    assert download.fetch("toy")["train.txt"].read_bytes() == CONTENT
    assert server.asked == [first, "/right"]
    assert files_below(cache) == [PATH]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/nothing", "404"),
        ("/wrong", "does not match the known hash"),
        ("/short", "50 bytes read"),
    ],
)
def test_when_every_address_fails_one_line_names_them_and_nothing_is_left(
    server, cache, toy, path, reason
):
    toy(CLOSED, f"{server.url}{path}")
    message = failure()
    assert f"cannot get {PATH}" in message
    assert f"Tried {CLOSED} (" in message
    assert f" and {server.url}{path} (" in message
    assert reason in message
    assert f"set COURSE_DATA to a folder that holds {PATH}" in message
    assert files_below(cache) == []


def test_a_wrong_file_in_course_data_does_not_count_and_is_not_replaced(
    server, cache, toy, tmp_path, monkeypatch
):
    toy(f"{server.url}/right")
    (tmp_path / "toy").mkdir()
    (tmp_path / PATH).write_bytes(b"something else")
    monkeypatch.setenv("COURSE_DATA", str(tmp_path))
    assert download.fetch("toy")["train.txt"].read_bytes() == CONTENT
    assert (tmp_path / PATH).read_bytes() == b"something else"


def half_a_download(error: BaseException):
    class Downloader:
        def __init__(self, **_):
            pass

        def __call__(self, url, output_file, pooch):
            Path(output_file).write_bytes(CONTENT[:50])
            raise error

    return Downloader


def test_a_full_disk_is_one_clear_line(cache, toy, monkeypatch):
    toy("http://first")
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    monkeypatch.setattr(pooch, "HTTPDownloader", half_a_download(full))
    assert os.strerror(errno.ENOSPC) in failure()
    assert files_below(cache) == []


def test_an_interrupted_download_leaves_nothing(cache, toy, monkeypatch):
    toy("http://first", "http://second")
    monkeypatch.setattr(pooch, "HTTPDownloader", half_a_download(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        download.fetch("toy")
    assert files_below(cache) == []


def test_the_description_says_what_there_is_and_where(server, cache, toy, tmp_path, monkeypatch):
    toy(f"{server.url}/right")

    def line() -> str:
        return next(line for line in download.describe().splitlines() if PATH in line)

    assert "not here yet" in line()
    assert "2 kB" in line()
    download.fetch("toy")
    assert line().endswith(str(cache / PATH))
    monkeypatch.setenv("COURSE_DATA", str(tmp_path))
    (tmp_path / "toy").mkdir()
    (tmp_path / PATH).write_bytes(CONTENT)
    assert line().endswith(str(tmp_path / PATH))
    text = download.describe()
    for dataset in DATASETS.values():
        assert dataset.title in text
        assert f"licence: {dataset.licence}" in text


def test_every_file_is_pinned_and_has_a_mirror_on_another_host():
    for name, dataset in DATASETS.items():
        for file in dataset.files:
            assert len(file.sha256) == 64
            if name == "snli":  # the official archive stands at one place
                assert file.addresses == ("https://nlp.stanford.edu/projects/snli/snli_1.0.zip",)
                continue
            hosts = {address.split("/")[2] for address in file.addresses}
            assert len(hosts) == len(file.addresses) == 2
            for address in file.addresses:
                assert address.startswith("https://")
                assert address.endswith("/" + file.name)
                assert any(len(part) == 40 for part in address.replace("@", "/").split("/"))


def test_the_registry_agrees_with_the_data_at_hand(course_data):
    sums = (course_data / "SHA256SUMS").read_text().split("\n")
    known = {path: digest for digest, path in (line.split() for line in sums if line)}
    for name, dataset in DATASETS.items():
        for file in dataset.files if name != "snli" else ():
            assert known[file.path] == file.sha256
            assert (course_data / file.path).stat().st_size == file.size
