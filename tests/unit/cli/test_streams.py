"""Standard input and output: closed, in another code, or of letters that they do not have."""

import io
import os
import subprocess
import sys

import pytest

from course_lib.cli.parser import main
from course_lib.data.corpora import download


def coded(encoding: str, content: bytes = b"", errors: str = "strict") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content), encoding, errors)


# In some locales Python passes on any byte, as half a character.
@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_latin_1_on_standard_input(errors, trained, complaint, monkeypatch):
    content = "der Hund .\ndie Straße .\n".encode("latin-1")
    monkeypatch.setattr(sys, "stdin", coded("utf-8", content, errors))
    said = complaint("translate", trained["cho"])
    assert "standard input is not utf-8: byte 0xdf" in said
    assert "PYTHONIOENCODING" in said


def test_latin_1_that_is_told_to_be_so_is_read(trained, capsys, monkeypatch):
    main(["translate", str(trained["cho"]), "die Straße ."])
    expected = capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", coded("latin-1", "die Straße .\n".encode("latin-1")))
    assert main(["translate", str(trained["cho"])]) == 0
    assert capsys.readouterr().out == expected


def test_closed_standard_input(trained, complaint, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input is closed" in complaint("translate", trained["cho"])


def test_closed_standard_output(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["data", "list"]) == 2
    assert capsys.readouterr().err.startswith("error: standard output is closed")


def test_closed_standard_error_drops_what_would_go_there(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["fly"]) == 2
    sys.stderr.close()  # what took its place
    assert capsys.readouterr().out == ""


@pytest.mark.skipif(os.name != "posix", reason="descriptors are closed as on POSIX")
def test_output_that_is_really_closed():
    done = subprocess.run(
        f'"{sys.executable}" -m course_lib data list >&-',
        shell=True,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == ("error: standard output is closed; send it to a file or to /dev/null\n")


def test_an_ascii_terminal(complaint, monkeypatch):
    monkeypatch.setattr(download, "describe", lambda: "Straße")
    monkeypatch.setattr(sys, "stdout", coded("ascii"))
    said = complaint("data", "list")
    assert said == (
        r"error: standard output is ascii, which has no '\xdf'; set PYTHONIOENCODING=utf-8"
    )


def test_help_does_not_wait_for_torch():
    program = (
        "import sys; from course_lib.cli.parser import make_parser; make_parser(); "
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
