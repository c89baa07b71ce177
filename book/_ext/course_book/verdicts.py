"""The line of a claim: our verdict, what is said, by whom, and what was measured.

It is made of the line that `claim` printed. A notebook stores that line as plain text, so that
nbval compares it and every reader of the notebook sees it.
"""

import re
from pathlib import PurePosixPath

from docutils import nodes
from sphinx import addnodes

from course_lab.claims import CLAIMS, SOURCES, Finding, anchor

_SMALL = re.compile(r"((?:[<>]=? )?\d[\d.]*e-\d+)")


def line(found: Finding, docname: str, nth: int, document: nodes.document) -> nodes.paragraph:
    """Make the paragraph of the nth verdict on a claim in a page; the ledger links to it."""
    kind = found.verdict.replace(" ", "-")
    made = nodes.paragraph(classes=["verdict", kind], ids=[anchor(found.identifier, nth)])
    made["names"] = [label(PurePosixPath(docname).name, found.identifier, nth)]
    document.note_explicit_target(made)
    made += nodes.strong("", found.verdict, classes=["verdict-word"])
    made += [*_said_by(found.identifier), *_unbroken(f" We found: {found.measured} (")]
    made += [_to_the_ledger(found.identifier, docname), nodes.Text(").")]
    return made


def label(stem: str, identifier: str, nth: int) -> str:
    """The name by which any page links to a verdict; tools/ledger.py writes the same."""
    return f"{stem}-{anchor(identifier, nth)}"


def _to_the_ledger(identifier: str, docname: str) -> addnodes.pending_xref:
    return addnodes.pending_xref(
        "",
        nodes.inline("", f"Claim {identifier}"),
        refdomain="std",
        reftype="ref",
        reftarget=f"ledger-{identifier.lower()}",
        refexplicit=True,
        refwarn=False,
        refdoc=docname,
    )


def _unbroken(text: str) -> list[nodes.Node]:
    """A browser may end a line behind the hyphen of 1e-6."""
    return [
        nodes.inline("", part, classes=["together"]) if number % 2 else nodes.Text(part)
        for number, part in enumerate(_SMALL.split(text))
        if part
    ]


def _said_by(identifier: str) -> list[nodes.Node]:
    """The words of the first source that has an author, or else of the first, and a link to it."""
    sources = sorted(CLAIMS[identifier].said.items(), key=lambda item: not SOURCES[item[0]].author)
    source, words = sources[0]
    title, author, link = SOURCES[source]
    who = nodes.Text(author or f"notes named “{title}”")
    return [
        nodes.Text(f" “{words}” ("),
        nodes.reference("", "", who, refuri=link) if link else who,
        nodes.Text(")."),
    ]
