"""A chapter's page is made from its text and from the outputs of its notebook.

The notebook in `notebooks` is for viewers that know no role and no directive, so its prose is plain
(tools/viewer.py). What the book reads is the text, `book/chapters/NN_name.md`, with the
code cells and their outputs from the notebook: an edit of the text is in the book at once.
"""

import json
from pathlib import Path, PurePosixPath

import jupytext
from sphinx.application import Sphinx
from sphinx.util import logging

TEXTS = "book/chapters"
_log = logging.getLogger(__name__)


def page_of(text: str, stored: str) -> str | None:
    """A notebook whose prose is the text's and whose outputs are the stored ones.

    None where the code is not the same.
    """
    page, cells = jupytext.reads(text, fmt="md:myst"), json.loads(stored)["cells"]
    ran = [cell for cell in cells if cell["cell_type"] == "code"]
    written = [cell for cell in page.cells if cell.cell_type == "code"]
    if len(written) != len(ran):
        return None
    for cell, made in zip(written, ran, strict=True):
        source = "".join(made["source"])
        if source != cell.source and "install" not in cell.metadata.get("tags", []):
            return None
        cell.update(source=source, outputs=made["outputs"], execution_count=made["execution_count"])
    return json.dumps({**json.loads(stored), "cells": page.cells})


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    if Path(app.env.doc2path(page)).suffix != ".ipynb":
        return
    text = Path(app.srcdir, TEXTS, f"{PurePosixPath(page).name}.md")
    if not text.is_file():
        return
    app.env.note_dependency(str(text))
    made = page_of(text.read_text(encoding="utf-8"), source[0])
    if made is None:
        _log.warning(
            "the code in %s/%s is not that of the notebook: make notebooks comes before make book",
            TEXTS,
            text.name,
            location=page,
        )
        return
    source[0] = made


def setup(app: Sphinx) -> None:
    """Take the text before it is parsed."""
    app.connect("source-read", _read)
