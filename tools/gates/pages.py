"""The book builds without a warning, its pages ask no other host, and its links lead somewhere."""

from pathlib import Path

from tools import book
from tools.gates import outside, web_pages
from tools.gates.result import Result, from_problems
from tools.project import BUILD, ROOT, TaskError


def pages(root: Path = ROOT) -> Result:
    """Build the book and look through every page, drawing, style sheet and script."""
    try:
        book.build(root)
    except TaskError as error:
        return Result(False, str(error), "not built", failures=1)
    html = root / BUILD.name / "html"
    count = len(list(html.rglob("*.html")))
    problems = outside.in_folder(html) + web_pages.dead_links(html)
    return from_problems(problems, f"{count} pages, none asks the network")
