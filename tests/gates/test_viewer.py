"""A chapter as a notebook viewer shows it."""

import json
import re

import pytest
from course_book import texts
from nbformat.v4 import new_output
from PIL import Image

from tools.gates.pairs import stored_state
from tools.notebooks import write
from tools.notebooks.text import dress
from tools.notebooks.viewer import raw_problems
from tools.project import TaskError

BIBLIOGRAPHY = """
@article{one, author = {van Merri{\\"e}nboer, Bart}, year = {2014}, eprint = {1406.1078}}
@article{two, author = {Och, Franz and Ney, Hermann}, year = {2003}, doi = {10.1/a(b)c}}
@article{many, author = {A, A and B, B and C, C}, year = {2015}, url = {https://example.org/x}}
@article{none, author = {Elman, Jeffrey}, year = {1990}}
@misc{noted, author = {Ba, Jimmy}, year = {2016}, note = {Talk. arXiv:1607.06450.}}
"""

PROSE = """
{cite:t}`many` and {cite:p}`one,two`, as {numref}`fig-four`, {numref}`drawing-two-words` and
{eq}`eq-sum` say; see {doc}`chapter 2 <02_other>`, [Homework 1](../book/homework.md),
{numref}`fig-there`. And {cite:t}`none`, {cite:t}`noted`.

$$
a
$$

Then one with a number:

$$
b = c
$$ (eq-sum)

:::{admonition} Common slip
:class: slip
One {cite:p}`one`.

$$
\\begin{aligned}
d &= e
\\end{aligned}
$$
:::

```{code-cell} ipython3
---
tags: [fold]
mystnb:
  figure: {name: fig-four, caption: "What {cite:t}`one` shows."}
---
double(3)
```

![Two words](drawings/two_words.png)
*Two words, {eq}`eq-sum`.*

<details><summary>Deeper: across cells</summary>

Inside.

```{code-cell} ipython3
double(4)
```

</details>

Outside.

<details><summary>Deeper: in one cell</summary>

![Two words](drawings/two_words.png)

</details>

## Exercises

**1.** A question.

```{code-cell} ipython3
:tags: [hide-cell]

double(5)
```
"""
OTHER = """
# Another

```{code-cell} ipython3
---
mystnb:
  figure: {name: fig-there, caption: There.}
---
1
```
"""


@pytest.fixture
def course(project):
    """A small course with one chapter that says all that a text can say; nothing is executed."""
    header = project.text.read_text().split("# A chapter")[0]
    project.text.write_text(project.text.read_text() + PROSE)
    project.write("book/chapters/02_other.md", header + OTHER)
    project.write("book/references.bib", BIBLIOGRAPHY)
    (project.root / "notebooks" / "drawings").mkdir()
    Image.new("RGB", (40, 20)).save(project.root / "notebooks" / "drawings" / "two_words.png")
    return project


def shown(course):
    return write._read_text(course.text, course.root)


def prose(notebook):
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def test_a_viewer_gets_names_numbers_boxes_captions_and_pictures(course):
    notebook = shown(course)
    text = prose(notebook)
    paper = "https://arxiv.org/abs/1406.1078"
    for said in (
        "[A et al. (2015)](https://example.org/x) and ",
        f"([van Merriënboer, 2014]({paper}); [Och and Ney, 2003](https://doi.org/10.1/a%28b%29c))",
        "as Figure 1.1, Figure 1.2 and\n(1.1) say",
        "see chapter 2, Homework 1,\nFigure 2.1. And Elman (1990), [Ba (2016)](https://arxiv.org/abs/1607.06450).",
        "$$\na\n$$",
        "$$\nb = c\n\\tag{1.1}\n$$",
        f"> **Common slip**\n>\n> One ([van Merriënboer, 2014]({paper})).",
        "> $$ \\begin{aligned} d &= e \\end{aligned} $$",
        f"**Figure 1.1.** What [van Merriënboer (2014)]({paper}) shows.",
        "**Figure 1.2.** Two words, (1.1).",
        '<img alt="Two words" width="20" src="data:image/png;base64,',
    ):
        assert said in text, said
    assert [*raw_problems(notebook)] == []
    # Two drawings: one in a cell of its own, one within a fold, which would end with its cell.
    assert re.search(r"in one cell</summary>\s*<img [^>]*>\s*</details>", text)


def test_where_the_book_is_published_links_lead_there(course):
    config = "repository:\n  url: https://github.com/Some/course\n  branch: published\n"
    course.write("_config.yml", config)
    text = prose(shown(course))
    assert "[chapter 2](https://some.github.io/course/notebooks/02_other.html)" in text
    assert "[Homework 1](https://some.github.io/course/book/homework.html)" in text


def test_solutions_scaffolding_and_folds_across_cells_open_folded(course):
    notebook = shown(course)
    by_source = {cell.source: cell for cell in notebook.cells}
    assert by_source["double(3)"].metadata["jupyter"] == {"source_hidden": True}
    solution = by_source["double(5)"].metadata
    assert solution["jupyter"] == {"source_hidden": True, "outputs_hidden": True}
    assert solution["cellView"] == "form"
    assert "jupyter" not in by_source["double(2)"].metadata
    sources = [cell.source for cell in notebook.cells]
    begin = sources.index("## Deeper: across cells")
    assert sources[begin : begin + 4][1:] == ["Inside.", "double(4)", "## Back on the main path"]
    assert notebook.cells[begin].metadata["jp-MarkdownHeadingCollapsed"] is True
    assert notebook.metadata["colab"] == {"collapsed_sections": [notebook.cells[begin].id]}
    assert sources[-2:] == ["**Solution**", "double(5)"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{eq}`eq-sum`", "{eq}`eq-gone`", "called 'eq-gone'"),
        ("{cite:t}`many`", "{cite:t}`gone`", "holds no 'gone'"),
        ("two_words.png)\n\n</d", "gone.png)\n\n</d", "no drawing 'gone'"),
    ],
)
def test_what_is_not_there_is_named(course, old, new, said):
    course.text.write_text(course.text.read_text().replace(old, new))
    with pytest.raises(TaskError, match=said):
        shown(course)


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("See {term}`attention`.", "a role"),
        (":::{note}\nx\n:::", "a directive"),
        ("$$\na\n$$ (eq-a)", "a label"),
        ("{{ ch04 }}", "a substitution"),
        ("[a](../book/page.md)", "a link to a file"),
    ],
)
def test_what_a_viewer_would_show_raw_is_named(project, source, what):
    notebook = project.executed()
    notebook.cells[0].source += f"\n\n{source}"
    project.store(dress(notebook))
    assert f"a viewer would show {what}" in stored_state(project.root).output


def store(course):
    """As `make notebooks` would, without a kernel."""
    notebook = shown(course)
    for number, cell in enumerate((c for c in notebook.cells if c.cell_type == "code"), start=1):
        cell.execution_count = number
    write.seal(notebook, course.root)
    course.store(notebook)
    return notebook


def test_a_page_has_the_prose_of_the_text_and_the_outputs_of_the_notebook(course):
    stored = store(course)
    code = [cell for cell in stored.cells if cell.cell_type == "code"]
    code[1].outputs = [new_output("stream", text="0.5\n")]
    course.store(stored)
    edited = course.text.read_text().replace("one question", "two questions")
    page = json.loads(texts.page_of(edited, course.notebook.read_text()))
    assert "two questions" in page["cells"][0]["source"]
    assert any("{cite:t}`many`" in cell["source"] for cell in page["cells"])
    made = [cell for cell in page["cells"] if cell["cell_type"] == "code"]
    assert made[1]["outputs"][0]["text"] == ["0.5\n"]
    assert [cell["metadata"]["id"] for cell in made] == [cell.id for cell in code]
    assert made[0]["source"].startswith("# Where course_lib is missing")
    other = edited.replace("double(3)", "double(30)")
    assert texts.page_of(other, course.notebook.read_text()) is None
