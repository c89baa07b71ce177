"""Write the claims ledger from the notebooks' stored outputs: `python -m tools.ledger`.

`book/claims.md` is written between its two marks from the notebooks that `_toc.yml` lists.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode

from course_lab.claims import CLAIMS, SOURCES, VERDICTS, Finding, anchor, read_findings
from tools import ROOT
from tools.text import pages_listed

PAGE = ROOT / "book" / "claims.md"
BEGIN, END = "% ledger: begin", "% ledger: end"


class Entry(NamedTuple):
    """A verdict and where it stands.

    Attributes:
        finding: the claim, the verdict and the figure.
        stem: of the notebook.
        title: of the chapter.
        nth: the nth verdict on this claim in this chapter.
    """

    finding: Finding
    stem: str
    title: str
    nth: int


def entries() -> list[Entry]:
    """Return every verdict in the notebooks of the book, in the order of the book."""
    verdicts = []
    for name in pages_listed():
        if not name.startswith("notebooks/"):
            continue
        notebook, stem = nbformat.read(ROOT / f"{name}.ipynb", as_version=4), Path(name).name
        title, seen = _title(notebook), Counter()
        for text in _printed(notebook):
            for finding in read_findings(text):
                seen[finding.identifier] += 1
                verdicts.append(Entry(finding, stem, title, seen[finding.identifier]))
    return verdicts


def contents(entries: Sequence[Entry]) -> str:
    """Return the page as it has to be."""
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return f"{head}{BEGIN}\n\n{table(entries)}\n\n{END}{rest.partition(END)[2]}"


def table(entries: Sequence[Entry]) -> str:
    """The ledger in MyST: a summary, and the claims from the weakest verdict up."""
    by_claim: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: entry.finding.identifier):
        by_claim.setdefault(entry.finding.identifier, []).append(entry)
    lines = [_summary(by_claim), "", "::::{div} ledger", ""]
    lines += ["| claim | verdict, measured figure and the cell |", "|---|---|"]
    for name, own in sorted(by_claim.items(), key=lambda claim: -_weakest(claim[1])):
        lines.append(f"| {_said(name)} | {' <br> '.join(map(_verdict, own))} |")
    return "\n".join([*lines, "", "::::"])


def _said(identifier: str) -> str:
    """A claim, who makes it, and in which words."""
    told = []
    for source, words in CLAIMS[identifier].said.items():
        title, author, link = SOURCES[source]
        named = f"[*{title}*]({link})" if link else f"*{title}*"
        told.append(f"{named} ({author or 'author not found'}): “{_escaped(words)}”")
    return (
        f"[{identifier}]{{#ledger-{identifier.lower()} .claim-id}} {CLAIMS[identifier].statement} "
        f"<br> [Said in {'; '.join(told)}]{{.said-in}}"
    )


def _summary(by_claim: dict[str, list[Entry]]) -> str:
    counts = Counter(VERDICTS[_weakest(found)] for found in by_claim.values())
    parts = [f"{verdict}: {counts[verdict]}" for verdict in reversed(VERDICTS)]
    return (
        f"{len(by_claim)} claims. {', '.join(parts)}. Some claims are tested in several chapters, "
        "and the weakest verdict counts here."
    )


def _weakest(entries: Sequence[Entry]) -> int:
    """The place in `VERDICTS` of the weakest verdict on a claim."""
    return max(VERDICTS.index(entry.finding.verdict) for entry in entries)


def _verdict(entry: Entry) -> str:
    identifier, verdict, measured = entry.finding
    place = f"{entry.stem}-{anchor(identifier, entry.nth)}"
    kind = verdict.replace(" ", "-")
    return (
        f"[{verdict}]{{.verdict-word .{kind}}} {_escaped(measured)} "
        f"{{ref}}`{entry.title} <{place}>`"
    )


def _escaped(text: str) -> str:
    """Plain text that MyST takes for plain text."""
    for sign in "\\`*_{}[]<>|$":
        text = text.replace(sign, f"\\{sign}")
    return text


def _title(notebook: NotebookNode) -> str:
    titles = (c.source.splitlines()[0] for c in notebook.cells if c.source.startswith("# "))
    return next(titles).removeprefix("# ")


def _printed(notebook: NotebookNode) -> Iterator[str]:
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream" and output.name == "stdout":
                yield output.text


if __name__ == "__main__":
    PAGE.write_text(contents(entries()), encoding="utf-8", newline="\n")
