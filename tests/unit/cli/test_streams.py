"""Standard input and output: closed, in another code, or of letters that they do not have."""

import io
import os
import subprocess
import sys

from course_lib.cli.main import main
from course_lib.data.corpora import download


def coded(encoding: str, content: bytes = b"") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content), encoding)


def test_latin_1_on_standard_input(trained, complaint, monkeypatch):
    content = "der Hund .\ndie Straße .\n".encode("latin-1")
    monkeypatch.setattr(sys, "stdin", coded("utf-8", content))
    said = complaint("translate", trained["cho"])
    assert "can't decode byte 0xdf" in said


def test_an_ascii_terminal(complaint, monkeypatch):
    monkeypatch.setattr(download, "describe", lambda: "Straße")
    monkeypatch.setattr(sys, "stdout", coded("ascii"))
    said = complaint("data", "list")
    assert "can't encode character" in said


def test_help_does_not_wait_for_torch():
    program = (
        "import sys; from course_lib.cli.main import make_parser; make_parser(); "
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_only_the_first_process_of_torchrun_prints(capsys, monkeypatch):
    monkeypatch.setenv("RANK", "3")  # clusters set it too
    assert main(["data", "list"]) == 0
    assert "multi30k" in capsys.readouterr().out
    with monkeypatch.context() as patch:
        patch.setenv("TORCHELASTIC_RUN_ID", "none")
        patch.setattr(sys, "stdout", sys.stdout)
        assert main(["data", "list"]) == 0
        assert main(["evaluate", "no/such/run"]) == 2
    assert capsys.readouterr() == ("", "")


def test_a_backend_that_a_kernel_named_is_not_asked_for():
    words = [sys.executable, "-m", "course_lib", "translate", "no/such/run", "a"]
    environment = {**os.environ, "MPLBACKEND": "no_such_backend"}
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr[:7]) == (2, "error: ")
