"""Write the claims ledger from the notebooks' stored outputs: `python -m tools.ledger [C08 ...]`.

`book/claims.md` is written between its two marks from the notebooks that `_toc.yml` lists.
`book/verdicts.yml` holds each chapter's verdict on each claim as an author last saw it. A verdict
that changed is not written until it is named on the command line.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import nbformat
import yaml
from nbformat import NotebookNode

from course_lab.claims import CLAIMS, VERDICTS, Finding, anchor, read_findings
from course_lab.sources import SAID, SOURCES, UNKNOWN
from tools import ROOT
from tools.text import pages_listed

PAGE = ROOT / "book" / "claims.md"
RECORD = ROOT / "book" / "verdicts.yml"
BEGIN, END = "% ledger: begin", "% ledger: end"
_RECORD_HEAD = """\
# The verdict of each chapter on each claim, as an author last saw it. `make ledger` adds what is
# new. It does not change what is here: a verdict that changed is named, and taken over by
# `make ledger ARGS=C08` once an author knows why.
"""


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


def by_chapter(entries: Sequence[Entry]) -> dict[str, dict[str, str]]:
    """Return the verdict of each chapter on each claim.

    Raises:
        ValueError: one chapter gives two different verdicts on one claim.
    """
    table: dict[str, dict[str, str]] = {}
    for (identifier, verdict, _), stem, _, _ in entries:
        if table.setdefault(stem, {}).setdefault(identifier, verdict) != verdict:
            raise ValueError(f"{stem} gives two verdicts on {identifier}; a chapter gives one")
    return table


def changes(before: dict[str, dict[str, str]], now: dict[str, dict[str, str]]) -> dict[str, str]:
    """Return a sentence for each claim whose recorded verdict changed or went away."""
    return {
        identifier: f"{identifier} in {stem}: was {verdict!r}, now {new!r}"
        for stem, claims in before.items()
        for identifier, verdict in claims.items()
        if (new := now.get(stem, {}).get(identifier, "not measured")) != verdict
    }


def contents(entries: Sequence[Entry]) -> dict[Path, str]:
    """Return the record and the page as they have to be."""
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    page = f"{head}{BEGIN}\n\n{table(entries)}\n\n{END}{rest.partition(END)[2]}"
    return {RECORD: _RECORD_HEAD + yaml.safe_dump(by_chapter(entries)), PAGE: page}


def main(accepted: Sequence[str]) -> None:
    """Write page and record; exit with the verdicts that changed and were not accepted."""
    found = entries()
    before = yaml.safe_load(RECORD.read_text(encoding="utf-8"))
    changed = changes(before, by_chapter(found))
    if held := [text for name, text in changed.items() if name not in accepted]:
        sys.exit("\n".join([*held, "name the claims whose new verdict is right: ARGS=C08"]))
    for path, text in contents(found).items():
        path.write_text(text, encoding="utf-8", newline="\n")


def table(entries: Sequence[Entry]) -> str:
    """The ledger in MyST: a summary, the claims from the weakest verdict up, those that wait."""
    by_claim: dict[str, list[Entry]] = {identifier: [] for identifier in CLAIMS}
    for entry in entries:
        by_claim[entry.finding.identifier].append(entry)
    lines = [_summary(by_claim), "", "::::{div} ledger", ""]
    if entries:
        lines += ["| claim | verdict, measured figure and the cell |", "|---|---|"]
        measured = [(name, own) for name, own in by_claim.items() if own]
        for name, own in sorted(measured, key=lambda claim: -_weakest(claim[1])):
            lines.append(f"| {_said(name)} | {' <br> '.join(map(_verdict, own))} |")
    waiting = [name for name, own in by_claim.items() if not own]
    if waiting:
        summary = f"Not yet measured: {len(waiting)} claim" + "s" * (len(waiting) > 1)
        lines += ["", f"<details><summary>{summary}</summary>", ""]
        lines += ["| claim | will be measured in |", "|---|---|"]
        lines += [f"| {_said(name)} | {_not_yet(CLAIMS[name].chapters)} |" for name in waiting]
        lines += ["", "</details>"]
    return "\n".join([*lines, "", "::::"])


def _said(identifier: str) -> str:
    """A claim, who makes it, and in which words."""
    told = []
    for source, words in SAID[identifier].items():
        title, author, link = SOURCES[source]
        named = f"[*{title}*]({link})" if link else f"*{title}*"
        told.append(f"{named} ({author or UNKNOWN}): “{_escaped(words)}”")
    return (
        f"[{identifier}]{{#ledger-{identifier.lower()} .claim-id}} {CLAIMS[identifier].statement} "
        f"<br> [Said in {'; '.join(told)}]{{.said-in}}"
    )


def _summary(by_claim: dict[str, list[Entry]]) -> str:
    counts = Counter(VERDICTS[_weakest(found)] for found in by_claim.values() if found)
    parts = [f"{verdict}: {counts[verdict]}" for verdict in reversed(VERDICTS)]
    return (
        f"Measured: {counts.total()} of {len(CLAIMS)} claims. {', '.join(parts)}. Some claims are "
        "tested in several chapters, and the weakest verdict counts here."
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


def _not_yet(chapters: Sequence[int]) -> str:
    names = " and ".join(map(str, chapters)) if len(chapters) < 3 else ", ".join(map(str, chapters))
    return f"chapter{'s' if len(chapters) > 1 else ''} {names}"


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
    main(sys.argv[1:])
