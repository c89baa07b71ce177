"""A project in a temporary folder, small enough to be broken in every test anew."""

import io
import shutil
import sys
import types
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from sphinx.application import Sphinx

from tools.notebooks.text import from_text
from tools.notebooks.write import seal
from tools.project import ROOT

CONFIG = 'repository:\n  url: ""\n  branch: published\n'

TOC = "format: jb-book\nroot: notebooks/01_chapter\n"

BOOK_PARTS = (
    "_config.yml",
    "book/references.bib",
    "book/_static",
    "book/_ext",
    "book/_templates",
)
"""What a book needs beside its pages."""

TEXT = """\
---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# A chapter

It asks one question.

```{code-cell} ipython3
:tags: [install]

# the install cell
```

```{code-cell} ipython3
from course_lib.arithmetic import double

print(double(0.25))
```

```{code-cell} ipython3
---
tags: [raises-exception]
---
double(None)
```

```{code-cell} ipython3
double(2)
```

That is all.
"""


class Project:
    """A small course: a library of three modules and one chapter."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("_config.yml", CONFIG)
        self.write("course_lib/__init__.py", "")
        self.write(
            "course_lib/arithmetic.py",
            "from course_lib import words\n\n\ndef double(x):\n    return words.times(2, x)\n",
        )
        self.write("course_lib/words.py", "def times(n, x):\n    return n * x\n")
        self.write("course_lib/elsewhere.py", "ANSWER = 42\n")
        self.write("book/chapters/01_chapter.md", TEXT)
        self.write("_toc.yml", TOC)
        (root / "notebooks").mkdir()

    @property
    def text(self) -> Path:
        return self.root / "book" / "chapters" / "01_chapter.md"

    @property
    def notebook(self) -> Path:
        return self.root / "notebooks" / "01_chapter.ipynb"

    def write(self, name: str, content: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path

    def executed(self) -> NotebookNode:
        """The chapter's notebook as `make notebooks` stores it, put together without a kernel."""
        notebook = from_text(self.text.read_text(encoding="utf-8"), self.root / "_config.yml")
        install, printing, failing, showing = (
            cell for cell in notebook.cells if cell.cell_type == "code"
        )
        printing.outputs = [nbformat.v4.new_output("stream", name="stdout", text="0.5\n")]
        problem = "unsupported operand type(s) for *: 'int' and 'NoneType'"
        failing.outputs = [
            nbformat.v4.new_output(
                "error", ename="TypeError", evalue=problem, traceback=[f"TypeError: {problem}"]
            )
        ]
        showing.outputs = [
            nbformat.v4.new_output("execute_result", {"text/plain": "4"}, execution_count=4)
        ]
        for number, cell in enumerate((install, printing, failing, showing), start=1):
            cell.execution_count = number
        seal(notebook, self.root)
        return notebook

    def store(self, notebook: NotebookNode) -> None:
        nbformat.write(notebook, self.notebook)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture(scope="session")
def copy_book_parts():
    """A function that gives a small book in a folder the looks and the rules of the real one."""

    def copy(root: Path) -> None:
        for name in BOOK_PARTS:
            one = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            one(ROOT / name, root / name)

    return copy


@pytest.fixture
def sphinx(tmp_path):
    """A function that builds a few texts and notebooks with parts of our extension: no theme.

    It gives the page of `index`, or another, and what Sphinx said.
    """
    alone = types.ModuleType("course_parts_alone")
    sys.modules[alone.__name__] = alone

    def build(files, *parts, page="index", options=None, **settings):
        alone.setup = lambda app: [part.setup(app) for part in parts] and None
        folder = tmp_path / f"book{len(list(tmp_path.iterdir()))}"
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            text = content if isinstance(content, str) else nbformat.writes(content)
            (folder / name).write_text(text, encoding="utf-8")
        settings = {
            "extensions": ["myst_nb", alone.__name__],
            "nb_execution_mode": "off",
            # Another book that was built in this process would have left its own.
            "source_suffix": {".md": "myst-nb", ".ipynb": "myst-nb"},
            "myst_enable_extensions": ["dollarmath", "colon_fence"],
            **settings,
        }
        said = io.StringIO()
        places = (folder, None, folder / "html", folder / "trees", "html")
        app = Sphinx(*places, settings, status=None, warning=said)
        app.config.html_theme_options = options or {}
        app.build()
        # A second app in one process registers Sphinx's own nodes again, and says so.
        lines = [line for line in said.getvalue().splitlines() if "setting up ext" not in line]
        return (folder / "html" / f"{page}.html").read_text(encoding="utf-8"), "\n".join(lines)

    yield build
    del sys.modules[alone.__name__]


def chapter(*cells):
    """A notebook of these cells."""
    return new_notebook(cells=list(cells), metadata={"language_info": {"name": "python"}})
