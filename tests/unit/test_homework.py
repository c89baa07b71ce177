"""course_lib/homework.py away from the course: copied, renamed, unsaved, without tests, in a loop.

A shell in this process stands for the notebook's kernel; one test starts a real one.
"""

import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from types import ModuleType

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbformat.v4 import new_code_cell, new_notebook

from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.homework import HomeworkError, known_words, require_written
from tools.homework import FIRST_CELL

TESTS = """\
# homework: {name}
from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 2

@test_case(points=1, hidden=False)
def test_double(double):
    assert double(2) == 4, "want double(2) to be 4"

@test_case(points=1, hidden=False)
def test_size(size):
    assert size == 3, "want a size of 3"
"""
FIRST = 'from course_lib.homework import Homework\n\ngrader = Homework("hw99_tiny")'
TEMPLATE = ["def double(x):\n    ...", "size = ..."]
RIGHT = ["def double(x):\n    return 2 * x", "size = 3"]
LAST = "grader.export(pdf=False, run_tests=True, ignore_log=True)"


def write(file, answers, first=FIRST):
    cells = map(new_code_cell, [first, *answers, 'grader.check("q1")', LAST])
    # Of another machine.
    kernel = {"name": "conda-env-nlp-py", "display_name": "nlp", "language": "python"}
    nbformat.write(new_notebook(cells=list(cells), metadata={"kernelspec": kernel}), file)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """What a student unpacks: the notebook as it was given out, and its tests."""
    monkeypatch.chdir(tmp_path)
    for name in ("JPY_SESSION_NAME", "__vsc_ipynb_file__"):
        monkeypatch.delenv(name, raising=False)
    Path("tests").mkdir()
    Path("tests/q1.py").write_text(TESTS.format(name="hw99_tiny"), encoding="utf-8")
    write("hw99_tiny.ipynb", TEMPLATE)
    return tmp_path


@pytest.fixture
def shell():
    """A notebook's kernel that has run nothing yet."""
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(history_load_length=0)
    shell.history_manager.enabled = False
    yield shell
    InteractiveShell.clear_instance()


def run(shell, *cells):
    result = None
    for cell in cells:
        result = shell.run_cell(cell, store_history=True)
        result.raise_error()
    return result.result


def packed(folder):
    (archive,) = folder.glob("*.zip")
    with zipfile.ZipFile(archive) as files:
        notebook = nbformat.reads(files.read("hw99_tiny.ipynb").decode(), as_version=4)
        assert set(files.namelist()) == {"hw99_tiny.ipynb", "__zip_filename__"}
    return [cell.source for cell in notebook.cells]


def export(shell):
    return run(shell, "grader.export(run_tests=False)")


@pytest.mark.parametrize("file", ["hw99_tiny.ipynb", "hw99_tiny (1).ipynb", "mein Zettel.ipynb"])
@pytest.mark.parametrize("alone", [False, True])
def test_the_notebook_that_was_worked_in_is_packed(folder, shell, file, alone, capsys):
    if alone:
        Path("hw99_tiny.ipynb").unlink()
    else:  # other notebooks, broken ones and what is none do not matter
        Path("backup.ipynb").mkdir()
        Path("moved.ipynb").symlink_to("nowhere.ipynb")
        write("hw98_other.ipynb", RIGHT, first=FIRST.replace("hw99_tiny", "hw98_other"))
        Path("half.ipynb").write_text('{"cells": [')
    write(file, RIGHT)
    Path(file).write_bytes(b"\xef\xbb\xbf" + Path(file).read_bytes())  # as Windows saves it
    # What a function keeps inside is no answer, and another folder in the meantime is none of ours.
    more = "def draw():\n    size = 9\n    return size\nimport os\nos.chdir('/')"
    run(shell, FIRST, *RIGHT, more)
    assert "All test cases passed" in repr(run(shell, 'grader.check("q1")'))
    export(shell)
    assert packed(folder)[:3] == [FIRST, *RIGHT]
    assert f"holds your notebook {file}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("saved", "ran", "said"),
    [
        (TEMPLATE, RIGHT, r"does not hold .*size as you ran it last"),
        ([RIGHT[0], "size = 2"], RIGHT, "does not hold size"),
        (["def double(x):\n    return x + x", RIGHT[1]], RIGHT, "does not hold double as you ran"),
        (TEMPLATE, [f"%%time\n{RIGHT[0]}"], "does not hold double"),
        (None, RIGHT, "there is no notebook of hw99_tiny"),
    ],
)
def test_a_notebook_that_does_not_hold_what_was_run_is_refused(folder, shell, saved, ran, said):
    Path("hw99_tiny.ipynb").unlink()
    if saved:
        write("hw99_tiny.ipynb", saved)
    run(shell, FIRST, *ran)
    with pytest.raises(HomeworkError, match=said):
        export(shell)
    assert not list(folder.glob("*.zip"))


def test_two_that_differ_are_refused_unless_the_program_says_which(folder, shell, monkeypatch):
    write("hw99_tiny.ipynb", [*RIGHT, "# the experiment: one"])
    write("other.ipynb", [*RIGHT, "# the experiment: two"])
    run(shell, FIRST, *RIGHT)
    with pytest.raises(HomeworkError, match=r"hw99_tiny.ipynb, other.ipynb differ"):
        export(shell)
    monkeypatch.setenv("JPY_SESSION_NAME", str(folder / "other.ipynb"))
    export(shell)
    assert packed(folder)[3] == "# the experiment: two"


def test_on_colab_the_notebook_is_taken_from_the_screen(folder, shell, monkeypatch):
    Path("hw99_tiny.ipynb").unlink()
    write("screen.json", RIGHT)
    content = nbformat.read("screen.json", as_version=4)
    given = []
    colab = {name: ModuleType(name) for name in ("google", "google.colab")}
    message, files = ModuleType("_message"), ModuleType("files")
    message.blocking_request = lambda what, **_: {"ipynb": content}
    files.download = given.append
    colab["google.colab"]._message, colab["google.colab"].files = message, files
    for name, module in colab.items():
        monkeypatch.setitem(sys.modules, name, module)
    run(shell, FIRST, *RIGHT)
    export(shell)
    assert packed(folder)[1:3] == RIGHT
    assert given == [str(next(folder.glob("*.zip")))]


def test_a_cell_that_ends_its_kernel_is_told_and_the_archive_is_there(folder, shell, capsys):
    ending = "import os\nos._exit(1)"
    saved = [answer.replace("\n", "\r\n") for answer in RIGHT]  # as an editor on Windows may
    write("hw99_tiny.ipynb", [*saved, ending])
    run(shell, FIRST, *RIGHT, LAST)
    assert "The kernel ended while your notebook was run" in capsys.readouterr().out
    assert packed(folder)[3] == ending


def test_after_a_restart_the_cell_that_was_not_run_is_named(folder, shell, capsys):
    run(shell, FIRST, RIGHT[0], 'grader.check("q1")')
    assert "Run the cell that defines size, then this cell again." in capsys.readouterr().out
    run(shell, RIGHT[1], 'grader.check("q1")')
    assert "Run the cell" not in capsys.readouterr().out


def test_tests_that_are_missing_or_of_another_homework_are_told(folder, shell, capsys):
    run(shell, FIRST)
    with pytest.raises(HomeworkError, match="one of the questions q1 of hw99_tiny; got 'q7'"):
        run(shell, 'grader.check("q7")')
    (folder / "tests/q1.py").write_text(TESTS.format(name="hw98_other"))
    run(shell, FIRST, *RIGHT)
    assert "has the tests of hw98_other" in capsys.readouterr().out
    with pytest.raises(HomeworkError, match=r"has the tests of hw98_other; want .* hw99_tiny"):
        run(shell, 'grader.check("q1")')
    (folder / "tests/q1.py").unlink()
    run(shell, FIRST)
    told = capsys.readouterr().out
    assert f"There is no folder {folder / 'tests'}, so nothing can be checked." in told
    for call in ('grader.check("q1")', "grader.check_all()", LAST):
        with pytest.raises(HomeworkError, match="nothing can be checked"):
            run(shell, call)
    assert HomeworkError("one sentence")._render_traceback_() == ["one sentence"]


LOOPS = {
    "plain": "while True:\n        pass",
    "asleep": "import time\n    time.sleep(99)",
    "catches": """while x:
        try:
            x += 1
        except Exception:
            x = 1""",
}


@pytest.mark.parametrize(
    ("loop", "alarm"), [(loop, True) for loop in LOOPS] + [("plain", False), ("catches", False)]
)
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no alarm")
def test_a_loop_without_an_end_costs_its_test_alone(folder, shell, loop, alarm, monkeypatch):
    if not alarm:
        monkeypatch.delattr(signal, "setitimer")
        # A process that a shell began with & ignores Ctrl-C.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    before = signal.getsignal(signal.SIGALRM)
    run(shell, FIRST, f"def double(x):\n    {LOOPS[loop]}", RIGHT[1], "grader.seconds = 0.5")
    begun = time.monotonic()
    (result,) = run(shell, "grader.check_all()").results.values()
    assert time.monotonic() - begun < 30
    first, second = result.test_case_results
    assert not first.passed
    assert "stopped after 0.5 seconds: is there a loop that does not end?" in first.message
    assert second.passed
    assert signal.getsignal(signal.SIGALRM) is before


def test_the_packed_notebook_is_run_and_its_loops_are_stopped(folder, shell, capsys):
    """A real kernel: a loop in a cell, and one in a test."""
    answers = ["import time\n\ndef double(x):\n    time.sleep(999)", RIGHT[1]]
    write("hw99_tiny.ipynb", [*answers, "print('before')\ntime.sleep(999)"])
    run(shell, FIRST, *answers, "grader.seconds = 1.5", LAST)
    told = capsys.readouterr().out
    assert "Stopped after 15 seconds: the cell `print('before')`." in told
    assert "stopped after 1.5 seconds: is there a loop that does not end?" in told
    assert "q1 results:" in told
    assert Path.cwd() == folder


def test_without_the_course_the_first_cell_says_what_is_missing(tmp_path):
    first = FIRST_CELL.replace("@REPOSITORY@", "")
    code = first.replace("%pip", "pass #").replace('"otter"', '"no_such_package"')
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 1
    assert done.stderr.startswith("course_lib or otter-grader is missing: run this notebook by")
    assert "Traceback" not in done.stderr


def test_a_finale_names_the_function_that_is_still_open():
    def told():
        """What it gives."""
        ...

    def silent(): ...

    def written():
        """None, on purpose."""
        return print("")

    require_written(written)
    for function in (told, silent):
        with pytest.raises(HomeworkError, match=f"want your answer in {function.__name__};"):
            require_written(written, function)


def test_a_word_that_a_network_has_not_learned_is_named():
    vocabulary = WordVocabulary(["cat", "the", "waits"])
    assert known_words("the cat waits", vocabulary) == ["the", "cat", "waits"]
    assert known_words("the ___ waits", vocabulary, gap="___") == ["the", "___", "waits"]
    with pytest.raises(HomeworkError, match=r"got zebra\. It has learned these: cat the waits$"):
        known_words("the zebra waits", vocabulary)
    for sentence, count in (("the cat waits", 0), ("___ ___", 2)):
        with pytest.raises(HomeworkError, match=f"want one ___ in the sentence; got {count}"):
            known_words(sentence, vocabulary, gap="___")
