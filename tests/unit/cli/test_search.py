"""The search that the command line asks for: for every model, and one line where it cannot be."""

import pytest

from course_lib.cli import translate
from course_lib.cli.main import main
from course_lib.errors import CourseError

SENTENCE = "der Hund schläft ."
COMMANDS = ("translate", "evaluate")


@pytest.fixture
def searched(monkeypatch):
    """Runs a command, and gives the search by which it would have translated."""

    def ask(*arguments: object) -> tuple[str, dict] | None:
        found = []

        def remember(*model_and_sentences, search, **rest):
            found.append(search and (search.func.__name__, search.keywords))
            raise CourseError("enough")

        monkeypatch.setattr(translate, "translate_all", remember)
        assert main([str(argument) for argument in arguments]) == 2
        return found[0]

    return ask


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("options", "meant"),
    [
        ([], None),
        (["--beam", "1"], ("beam", {"beams": 1})),
        (["--beam", "5"], ("beam", {"beams": 5})),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_search_is_the_one_that_was_asked_for(command, options, meant, trained, searched):
    words = [] if command == "evaluate" else [SENTENCE]
    assert searched(command, *options, trained["bahdanau"], *words) == meant
    assert searched(command, trained["bahdanau"], *words, *options) == meant


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--beam", "0"], "--beam: '0' is not a whole number from 1 on"),
        (["--beam", "2.5"], "'2.5' is not a whole number"),
        (["--beam"], "--beam: expected one argument"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_search_that_cannot_be_is_one_line(options, said, trained, complaint):
    assert said in complaint("translate", trained["bahdanau"], SENTENCE, *options)
