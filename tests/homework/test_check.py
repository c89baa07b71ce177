"""The student's side of a homework: notebooks renamed, unsaved, without tests, in a loop.

A shell in this process is the notebook's kernel.
"""

import re
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from nbformat.v4 import new_code_cell, new_notebook

from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.homework import HomeworkError, known_words, require_written

TESTS = """\
# homework: {name}
from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3

@test_case(points=1, hidden=False)
def test_double(double):
    assert double(2) == 4, "want double(2) to be 4"

@test_case(points=1, hidden=False)
def test_half(half):
    assert half(4) == 2, "want half(4) to be 2"

@test_case(points=1, hidden=False)
def test_half_of_nothing(half):
    assert half(0) == 0, "want half(0) to be 0"
"""
FIRST = 'from course_lib.homework import Homework\n\ngrader = Homework("hw99_tiny")'
TEMPLATE = ["def double(x):\n    ...", "def half(x):\n    ..."]
RIGHT = ["def double(x):\n    return 2 * x", "def half(x):\n    return x / 2"]
EXPORT = "grader.export(run_tests=False)"
LAST = "grader.export(pdf=False, run_tests=True, ignore_log=True)"


def write(file, answers, first=FIRST):
    cells = map(new_code_cell, [first, *answers, 'grader.check("q1")', LAST])
    nbformat.write(new_notebook(cells=list(cells)), file)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """What a student unpacks: the notebook as it was handed out, and its tests."""
    monkeypatch.chdir(tmp_path)
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


@pytest.mark.parametrize("file", ["hw99_tiny.ipynb", "hw99_tiny (1).ipynb", "mein Zettel.ipynb"])
def test_the_notebook_that_was_worked_in_is_packed(folder, shell, file, capsys):
    Path("backup.ipynb").mkdir()
    write("hw98_other.ipynb", RIGHT, first=FIRST.replace("hw99_tiny", "hw98_other"))
    Path("half.ipynb").write_text('{"cells": [')
    write(file, RIGHT)
    Path(file).write_bytes(b"\xef\xbb\xbf" + Path(file).read_bytes())  # as Windows saves it
    run(shell, FIRST, *RIGHT, "import os\nos.chdir('/')")
    assert "All test cases passed" in repr(run(shell, 'grader.check("q1")'))
    assert "Hidden tests also run" in capsys.readouterr().out
    run(shell, EXPORT)
    assert packed(folder)[:3] == [FIRST, *RIGHT]
    output = capsys.readouterr().out
    assert f"holds your notebook {file}. Hand in this file." in output
    assert "1 of 1 questions answered." in output


@pytest.mark.parametrize(
    ("saved", "executed", "message"),
    [
        (TEMPLATE, RIGHT, "does not hold double, half as you ran it last"),
        ([RIGHT[0], "def half(x):\n    return x * 0.5"], RIGHT, "does not hold half as you ran"),
        (TEMPLATE, [f"%%time\n{RIGHT[0]}"], "does not hold double"),
    ],
)
def test_an_unsaved_notebook_is_refused(folder, shell, saved, executed, message):
    write("hw99_tiny.ipynb", saved)
    run(shell, FIRST, *executed)
    with pytest.raises(HomeworkError, match=message):
        run(shell, EXPORT)
    assert not list(folder.glob("*.zip"))


def test_on_colab_the_notebook_is_taken_from_the_screen(folder, shell, monkeypatch):
    write("screen.json", RIGHT)
    content, downloads = nbformat.read("screen.json", as_version=4), []
    message = SimpleNamespace(blocking_request=lambda what, **_: {"ipynb": content})
    files = SimpleNamespace(download=downloads.append)
    monkeypatch.setitem(sys.modules, "google", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "google.colab", SimpleNamespace(_message=message, files=files))
    run(shell, FIRST, *RIGHT, EXPORT)
    assert packed(folder)[1:3] == RIGHT
    assert downloads == [str(next(folder.glob("*.zip")))]


def test_a_missing_function_is_reported_once_and_the_others_are_tested(folder, shell, capsys):
    run(shell, FIRST, RIGHT[0])
    for message in ("is not defined: run the cell that defines it", "is not written yet"):
        result = run(shell, 'grader.check("q1")')
        assert [case.passed for case in result.test_case_results] == [True, False]
        assert result.summary().count(f"half {message}") == 1
        assert "Error" not in result.summary()
        run(shell, TEMPLATE[1])
    assert "Hidden" not in capsys.readouterr().out
    write("hw99_tiny.ipynb", [RIGHT[0], TEMPLATE[1]])
    run(shell, EXPORT)
    assert "0 of 1 questions answered." in capsys.readouterr().out


def test_missing_tests_and_those_of_another_homework_are_reported(folder, shell, capsys):
    (folder / "tests/q1.py").write_text(TESTS.format(name="hw98_other"))
    run(shell, FIRST, *RIGHT)
    with pytest.raises(HomeworkError, match=r"has the tests of hw98_other; want .* hw99_tiny"):
        run(shell, 'grader.check("q1")')
    (folder / "tests/q1.py").unlink()
    run(shell, FIRST)
    message = f"There is no folder {folder / 'tests'}, so nothing can be checked"
    assert message in capsys.readouterr().out
    with pytest.raises(HomeworkError, match="nothing can be checked"):
        run(shell, "grader.check_all()")


@pytest.mark.parametrize("loop", ["pass", "try: x += 1\n        except Exception: x = 1"])
def test_an_endless_loop_is_stopped_and_the_questions_other_tests_are_left(folder, shell, loop):
    run(shell, FIRST, f"def double(x):\n    while True:\n        {loop}", RIGHT[1])
    (result,) = run(shell, 'grader.seconds = 0.5\ngrader.check("q1")').test_case_results
    assert not result.passed
    assert "stopped after 0.5 seconds: is there a loop that does not end?" in result.message


def test_an_exception_names_the_innermost_line_of_the_notebook(folder, shell):
    step = "import torch\ndef step(x):\n    return torch.ones(2)[x:].reshape(9)"
    run(shell, FIRST, step, "def double(x):\n    return step(x)", RIGHT[1])
    message = run(shell, 'grader.check("q1")').test_case_results[0].message
    assert "is invalid for input of size 0 (your code stopped at line 3 of its cell: " in message
    assert "`return torch.ones(2)[x:].reshape(9)`)" in message


def test_the_last_cell_links_the_archive_and_says_what_the_tests_say(folder, shell, capsys):
    answers = ["def double(x):\n    while True: pass", RIGHT[1]]
    write("hw99_tiny.ipynb", answers)
    with capture_output() as shown:
        run(shell, FIRST, *answers, "grader.seconds = 0.5", LAST)
    (link,) = re.findall('href="([^"]+)"', shown.outputs[0].data["text/html"])
    assert (folder / link).is_file()
    assert "/" not in link
    printed = shown.stdout
    assert "1 of 1 questions answered." in printed
    assert "Restart Kernel and Run All Cells" in printed
    assert "stopped after 0.5 seconds: is there a loop that does not end?" in printed
    assert "Hidden tests also run" in printed


def test_a_finale_names_the_function_that_is_not_written():
    def documented():
        """What it returns."""
        ...

    def bare(): ...

    def written():
        return print("")

    require_written(written)
    for function in (documented, bare):
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
