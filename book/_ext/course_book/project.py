"""Where the project is: links to it, to Colab and to Binder, wherever that can be known.

`_config.yml` holds the repository's address, which the publishing workflow fills in. Where it is
empty, the links wait in `<template>` elements, which no browser shows or follows. On GitHub Pages
the book's own address names owner and repository, and `project.js` shows the links with them.
"""

import html
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import urlsplit

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

UNKNOWN = "PROJECT"
"""Stands for owner and repository; `project.js` looks for it."""
TEMPLATE = '<template class="course-project">{}</template>'
COLAB, BINDER = "https://colab.research.google.com", "https://mybinder.org"
TOLD = "Text, notebooks and code are one project, and these pages are built from it."


class Launch(NamedTuple):
    """A service that opens a notebook."""

    text: str
    address: str


def launches(name: str, config: Config) -> Iterator[Launch]:
    """Colab and Binder for a page; of a repository elsewhere than on GitHub they know nothing."""
    options = config.html_theme_options
    url, branch = options.get("repository_url", ""), options.get("repository_branch", "")
    where, buttons = urlsplit(url), options.get("launch_buttons", {})
    if not branch or (url and where.netloc != "github.com"):
        return
    place, file = PurePosixPath(where.path).as_posix().strip("/"), f"{name}.ipynb"
    if not url:
        place, buttons = UNKNOWN, {"colab_url": COLAB, "binderhub_url": BINDER}
    if colab := buttons.get("colab_url"):
        yield Launch("Open in Colab", f"{colab}/github/{place}/blob/{branch}/{file}")
    if binder := buttons.get("binderhub_url"):
        yield Launch("Open in Binder", f"{binder}/v2/gh/{place}/{branch}?urlpath=lab/tree/{file}")


def links(name: str, config: Config) -> Iterator[nodes.Node]:
    """The launches as they stand in a line: links, or a template of one."""
    for text, address in launches(name, config):
        if config.html_theme_options.get("repository_url"):
            yield nodes.Text(" · ")
            yield nodes.reference("", text, refuri=address)
        else:
            link = f' · <a class="reference external" href="{html.escape(address)}">{text}</a>'
            yield nodes.raw("", TEMPLATE.format(link), format="html")


class Project(SphinxDirective):
    """`{project}`: one sentence that says where the project is, as far as that is known."""

    def run(self) -> list[nodes.Node]:
        """A paragraph."""
        url = self.config.html_theme_options.get("repository_url", "").rstrip("/")
        told = nodes.paragraph("", TOLD, classes=["project"])
        if url:
            link = nodes.reference("", re.sub(r"^https://", "", url), refuri=url)
            told += [nodes.Text(" It is at "), link, nodes.Text(".")]
        else:
            place = f"github.com/{UNKNOWN}"
            link = f' It is at <a class="reference external" href="https://{place}">{place}</a>.'
            told += nodes.raw("", TEMPLATE.format(link), format="html")
        return [told]


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("project", Project)
