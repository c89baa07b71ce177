"""The claims ledger: what the chapters of the book say of each claim, from their stored outputs.

`book/claims.md` is written from the notebooks that `_toc.yml` lists, between its two marks.
`book/verdicts.yml` holds the verdict of each chapter on each claim as an author last saw it. If a
notebook says otherwise, the ledger is not written and the book is not built, until the author
has looked and said so (`make ledger ARGS=C08`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import yaml
from nbformat import NotebookNode

from course_lab.claims import CLAIMS, VERDICTS, Finding, anchor, read_findings
from course_lab.sources import SAID, SOURCES, UNKNOWN
from tools.contents import pages_listed
from tools.notebooks.check import code_cells, read
from tools.project import ROOT, TaskError

PAGE = Path("book/claims.md")
RECORD = Path("book/verdicts.yml")
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


def entries(root: Path = ROOT) -> list[Entry]:
    """Every verdict in the notebooks of the book, in the order of the book.

    Raises:
        TaskError: a notebook that `_toc.yml` lists cannot be read.
    """
    found = []
    for name in pages_listed(root):
        if not name.startswith("notebooks/"):
            continue
        notebook, stem = read(root / f"{name}.ipynb"), name.rpartition("/")[2]
        title, seen = _title(notebook, stem), Counter()
        for text in _printed(notebook):
            for finding in read_findings(text):
                seen[finding.identifier] += 1
                found.append(Entry(finding, stem, title, seen[finding.identifier]))
    return found


def verdicts(found: Sequence[Entry]) -> dict[str, dict[str, str]]:
    """The verdict of each chapter on each claim.

    Raises:
        TaskError: one chapter gives two different verdicts on one claim.
    """
    table: dict[str, dict[str, str]] = {}
    for (identifier, verdict, _), stem, _, _ in found:
        if table.setdefault(stem, {}).setdefault(identifier, verdict) != verdict:
            raise TaskError(f"{stem} gives two verdicts on {identifier}; a chapter gives one")
    return table


def recorded(root: Path = ROOT) -> dict[str, dict[str, str]]:
    """The verdicts as an author last saw them."""
    path = root / RECORD
    return (yaml.safe_load(path.read_text(encoding="utf-8")) or {}) if path.exists() else {}


def changes(before: dict[str, dict[str, str]], now: dict[str, dict[str, str]]) -> dict[str, str]:
    """Claims whose recorded verdict changed or went away, each with a sentence. New ones are none.

    Claims of a chapter that left the book count too: its page is gone.
    """
    found: dict[str, list[str]] = {}
    for stem, claims in before.items():
        for identifier, verdict in claims.items():
            new = now.get(stem, {}).get(identifier)
            if new != verdict:
                text = f"{identifier} in {stem}: was {verdict!r}, now {new or 'not measured'!r}"
                found.setdefault(identifier, []).append(text)
    return {identifier: "; ".join(texts) for identifier, texts in found.items()}


def problems(root: Path = ROOT) -> list[str]:
    """Verdicts that changed, and a page or a record that does not say what the notebooks say."""
    try:
        found = entries(root)
        now = verdicts(found)
    except TaskError as error:
        return [str(error)]
    if changed := changes(recorded(root), now):
        return [f"a verdict changed: {text} (if that is right: {_yes(name)})"
                for name, text in changed.items()]  # fmt: skip
    if not (root / PAGE).exists():
        return [f"{PAGE}: is missing"] if found else []
    if any(_differs(path, text) for path, text in _contents(root, found, now).items()):
        return [f"{PAGE}: does not say what the notebooks say (make ledger)"]
    return []


def write(root: Path = ROOT, accept: Sequence[str] = ()) -> bool:
    """Write page and record from the notebooks; True if one of them changed.

    Args:
        root: the project.
        accept: claims whose verdict may change, such as "C08".

    Raises:
        TaskError: another verdict changed, or `accept` names no claim.
    """
    if unknown := [name for name in accept if name not in CLAIMS]:
        raise TaskError(f"there is no claim {unknown[0]!r}; there are C01 to C{len(CLAIMS)}")
    found = entries(root)
    now = verdicts(found)
    held = {k: text for k, text in changes(recorded(root), now).items() if k not in accept}
    if held:
        said = ["a verdict changed, the ledger was not written:", *held.values()]
        raise TaskError("\n  ".join(said) + f"\nif that is right: {_yes(','.join(held))}")
    stale = {p: text for p, text in _contents(root, found, now).items() if _differs(p, text)}
    for path, text in stale.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    return bool(stale)


def _yes(claims: str) -> str:
    return f"make ledger ARGS={claims}"


def _contents(
    root: Path, found: Sequence[Entry], now: dict[str, dict[str, str]]
) -> dict[Path, str]:
    """Record and page as they have to be."""
    text = (root / PAGE).read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise TaskError(f"{PAGE}: want the marks {BEGIN!r} and {END!r} in it, once each")
    head, _, rest = text.partition(BEGIN)
    page = f"{head}{BEGIN}\n\n{table(found)}\n\n{END}{rest.partition(END)[2]}"
    record = _RECORD_HEAD + (yaml.safe_dump(now, sort_keys=True) if now else "")
    return {root / RECORD: record, root / PAGE: page}


def _differs(path: Path, text: str) -> bool:
    return not path.exists() or path.read_text(encoding="utf-8") != text


def table(found: Sequence[Entry]) -> str:
    """The ledger in MyST: a summary, the measured claims, and folded away those that wait."""
    by_claim: dict[str, list[Entry]] = {identifier: [] for identifier in CLAIMS}
    for entry in found:
        by_claim[entry.finding.identifier].append(entry)
    lines = [_summary(by_claim), "", "::::{div} ledger", ""]
    if found:
        lines += ["| claim | verdict, measured figure and the cell |", "|---|---|"]
        told = {name: " <br> ".join(map(_verdict, own)) for name, own in by_claim.items() if own}
        lines += [f"| {_said(name)} | {verdict} |" for name, verdict in told.items()]
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
    measured = [found for found in by_claim.values() if found]
    counts = Counter(entry.finding.verdict for found in measured for entry in found)
    parts = [f"{verdict}: {counts[verdict]}" for verdict in VERDICTS if counts[verdict]]
    listed = f" ({', '.join(parts)})" if parts else ""
    said = f"Measured so far: {len(measured)} of {len(CLAIMS)} claims."
    return f"{said} Verdicts, one a chapter{listed}."


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


def _title(notebook: NotebookNode, stem: str) -> str:
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and cell.source.startswith("# "):
            return cell.source.splitlines()[0][2:].strip()
    return stem


def _printed(notebook: NotebookNode) -> Iterator[str]:
    for _, cell in code_cells(notebook):
        for output in cell.outputs:
            if output.output_type == "stream" and output.name == "stdout":
                yield output.text
