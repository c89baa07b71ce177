"""Pairs of submissions that are alike: a flag for a person, never a score.

The code is compared as winnowing does (Schleimer, Wilkerson and Aiken, SIGMOD 2003), with all
fingerprints kept: runs of tokens, whatever the variables are called, without comments and texts.
What students were given does not count. What more than half of them write alike gives no pairs, but
functions that are the same with so many are told as a group.
"""

import ast
import io
import keyword
import re
import tokenize
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from course_lib.errors import escaped
from course_lib.grading.assignment import Assignment
from course_lib.grading.collect import Submission, code_of, read_cells

RUN = 12
"""Tokens in a run: two lines or so."""
ALIKE = 0.6
"""The share of common runs from which a pair is listed."""
COMMON = 1 / 2
"""What a larger share of all submissions has is how one writes it, and is left out."""
ENOUGH = 9
"""Of fewer submissions, the public solution counted, nothing is left out as common."""
LONG = 3 * RUN
"""Tokens of a function that is worth telling if many have the same."""
SOLUTION = "the public solution"


class Pair(NamedTuple):
    """Two submissions that are alike.

    Attributes:
        share: common runs, as a share of those of the shorter submission.
        first: a student.
        second: another one, or the public solution.
        functions: those that are the same but for names and comments.
    """

    share: float
    first: str
    second: str
    functions: tuple[str, ...]


class Group(NamedTuple):
    """Functions that the same students have, alike but for names and comments."""

    students: tuple[str, ...]
    functions: tuple[str, ...]


def compare(submissions: Iterable[Submission], homework: Assignment) -> list[Pair]:
    """The pairs that are alike, the most alike first.

    Args:
        submissions: of one homework; those without a notebook are left out.
        homework: whose starting text and solution are known.
    """
    given = code_of(read_cells(homework.start()))
    code = _code(submissions, homework)
    started = _runs(given)
    runs = {student: _runs(cells) - started for student, cells in code.items()}
    counts = Counter(run for each in runs.values() for run in each)
    often = {run for run, count in counts.items() if count > COMMON * len(code)}
    functions = {student: _functions(cells) for student, cells in code.items()}
    starting = set(_functions(given).values())
    pairs = []
    for first, second in combinations(code, 2):
        # The solution is public: half of a class may have copied it.
        left_out = often if SOLUTION not in (first, second) and len(code) >= ENOUGH else set()
        mine, theirs = runs[first] - left_out, runs[second] - left_out
        shorter = min(len(mine), len(theirs))
        share = len(mine & theirs) / max(shorter, RUN)
        if share >= ALIKE:
            known = set(functions[second].values()) - starting
            same = tuple(name for name, tokens in functions[first].items() if tokens in known)
            pairs.append(Pair(share, first, second, same))
    return sorted(pairs, reverse=True)


def shared(submissions: Iterable[Submission], homework: Assignment) -> list[Group]:
    """What more than half have alike, of which `compare` gives no pairs.

    Args:
        submissions: as for `compare`.
        homework: as for `compare`.
    """
    code = _code(submissions, homework)
    starting = set(_functions(code_of(read_cells(homework.start()))).values())
    holders: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for student, cells in code.items():
        for name, tokens in _functions(cells).items():
            if tokens not in starting and len(tokens) >= LONG:
                holders.setdefault((name, tokens), []).append(student)
    groups: dict[tuple[str, ...], list[str]] = {}
    for (name, _), students in holders.items():
        if len(code) >= ENOUGH and len(students) > COMMON * len(code):
            groups.setdefault(tuple(students), []).append(name)
    return [Group(students, tuple(names)) for students, names in groups.items()]


def as_text(pairs: list[Pair], groups: Iterable[Group] = ()) -> str:
    """The pairs as a table, and the groups, with what they do and do not mean."""
    lines = [
        f"{len(pairs)} {'pair' if len(pairs) == 1 else 'pairs'} that a person should compare. "
        "A short function can be written in few",
        "ways, so this proves nothing, and no score depends on it.",
    ]
    for students, functions in groups:
        own = [student for student in students if student != SOLUTION]
        too = f" with {SOLUTION}" if SOLUTION in students else ""
        names = ", ".join(f"`{name}`" for name in functions)
        lines.append(f"{len(own)} submissions share {names}{too}: {', '.join(own)}")
    for pair in pairs:
        same = f"  the same: {', '.join(pair.functions)}" if pair.functions else ""
        lines.append(f"{100 * pair.share:4.0f} %  {pair.first}  {pair.second}{same}")
    return "\n".join(map(escaped, lines))


def _code(submissions: Iterable[Submission], homework: Assignment) -> dict[str, list[str]]:
    """The cells of each submission, and of the public solution."""
    code = {s.student: code_of(s.notebook) for s in submissions if s.notebook is not None}
    code[SOLUTION] = code_of(read_cells(homework.solution()))
    return code


def _tokens(source: str) -> list[str]:
    """The tokens of some code, in which every variable is called the same."""
    found: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.NAME:
                # What comes after a dot belongs to torch, mostly, and says what is done.
                own = keyword.iskeyword(token.string) or (found and found[-1] == ".")
                found.append(token.string if own else "name")
            elif token.type in (tokenize.OP, tokenize.NUMBER):
                found.append(token.string)
    except (tokenize.TokenError, SyntaxError, ValueError):
        pass  # the tokens up to the mistake
    return found


def _runs(cells: list[str]) -> set[tuple[str, ...]]:
    """Of cells that define something: the first and the last cell are otter's, in all notebooks."""
    each = [_tokens(cell) for cell in cells if re.search(r"\b(def|class|lambda)\b", cell)]
    return {tuple(t[place : place + RUN]) for t in each for place in range(len(t) - RUN + 1)}


def _functions(cells: list[str]) -> dict[str, tuple[str, ...]]:
    """The tokens of each function, by name."""
    found = {}
    for source in cells:
        try:
            body = ast.parse(source).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in body:
            if isinstance(node, ast.FunctionDef):
                found[node.name] = tuple(_tokens(ast.get_source_segment(source, node) or ""))
    return found
