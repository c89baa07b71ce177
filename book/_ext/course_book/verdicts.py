"""The box of a claim: what is said, by whom, our verdict, and what was measured.

It is made of the line that `claim` printed. A notebook stores that line as plain text, so that
nbval compares it and every reader of the notebook sees it; only the book's page has the box.
"""

import re
from pathlib import PurePosixPath

from docutils import nodes
from sphinx import addnodes

from course_lab.claims import CLAIMS, Finding, anchor
from course_lab.sources import SAID, SOURCES, UNKNOWN

_SMALL = re.compile(r"((?:[<>]=? )?\d[\d.]*e-\d+)")


def box(found: Finding, docname: str, nth: int, document: nodes.document) -> nodes.admonition:
    """The box of the nth verdict on a claim in a page, with a place that the ledger links to."""
    claim = CLAIMS[found.identifier]
    kind = found.verdict.replace(" ", "-")
    made = nodes.admonition(classes=["claim", "verdict", kind], ids=[anchor(found.identifier, nth)])
    made["names"] = [label(PurePosixPath(docname).name, found.identifier, nth)]
    document.note_explicit_target(made)
    made += nodes.title(
        "",
        "",
        _to_the_ledger(found.identifier, docname),
        nodes.Text(" "),
        nodes.strong("", found.verdict, classes=["verdict-word"]),
    )
    made += nodes.paragraph("", claim.statement, classes=["verdict-claim"])
    made += nodes.paragraph("", "", nodes.strong("", "Measured:"), *_unbroken(f" {found.measured}"))
    made += nodes.paragraph("", "", *_said_by(found.identifier), classes=["verdict-sources"])
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
    """Who makes the claim, where, and in which words."""
    said: list[nodes.Node] = [nodes.Text("Said in ")]
    for number, (source, words) in enumerate(SAID[identifier].items()):
        title, author, link = SOURCES[source]
        said.append(nodes.Text("; " if number else ""))
        said.append(
            nodes.reference("", "", nodes.emphasis("", title), refuri=link)
            if link
            else nodes.emphasis("", title)
        )
        said.append(nodes.Text(f" ({author or UNKNOWN}): “{words}”"))
    return said
