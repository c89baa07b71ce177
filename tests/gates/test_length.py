"""The words of a main path: what counts, what does not, and how many there may be."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.gates.pairs import agreement
from tools.notebooks.length import MAX_PARAGRAPH, MAX_WORDS, length_problems, main_path


def words(*texts) -> int:
    return main_path(new_notebook(cells=[new_markdown_cell(text) for text in texts]))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("# A title\n\nand two words.", 5),
        ("a dash - is no word", 5),
        ("a formula $x = y + z$ is one", 5),
        ("smaller $a < b$ and\n$c\n> d$ larger", 5),
        ("$$\nx = y\n$$\n\nnone of it", 3),
        ("[two words](../book/page.md#place), and what it says", 6),
        ("![alternative text](drawings/a.png)\n*Its caption counts.*", 3),
        ("```{code-block} python\nx = 1 + 2\n```\n\nthree words here", 3),
        ("(label)=\n\n## One", 1),
        ('<span class="cl-word">one</span> <!-- not this --> two', 2),
        ("| a | b |\n|---|---|\n| c | d |", 4),
    ],
)
def test_what_a_reader_reads_is_counted(text, count):
    assert words(text) == count


def test_what_is_folded_is_not_counted_even_across_cells_and_within_a_fold():
    fold = "<details><summary>Deeper</summary>\n\n{}\n\n</details>"
    assert words("one", fold.format("two three"), "four") == 2
    assert words("one <details><summary>Deeper</summary>", "two", "three </details> four") == 2
    assert words("one", fold.format("two" + fold.format("three") + "four"), "five") == 2
    notebook = new_notebook(cells=[new_code_cell("x = 1"), new_markdown_cell("one")])
    assert main_path(notebook) == 1


def test_a_chapter_that_is_longer_than_an_evening_is_named(project):
    text = project.text.read_text()
    there = main_path(project.executed())
    for more, said in ((0, ""), (1, f"{MAX_WORDS + 1} words on the main path")):
        project.text.write_text(text + "\nword\n" * (MAX_WORDS - there + more))
        project.store(project.executed())
        output = agreement(project.root).output
        assert said in output
        assert ("main path" in output) == bool(more)


@pytest.mark.parametrize("end", ["\n\n", "\n- ", "\n1. ", "\n| "])
def test_a_paragraph_that_is_too_long_is_named(end):
    half = MAX_PARAGRAPH // 2
    for more, said in ((0, []), (1, [f"{MAX_PARAGRAPH + 1} words in the paragraph 'It begins"])):
        text = f"one{end}It begins " + "so\n" * half + "on " * (half - 2 + more) + end + "two"
        found = length_problems(new_notebook(cells=[new_markdown_cell(text)]))
        assert [problem[: len(said[0])] for problem in found] == said
