"""Each section and each exercise of a chapter that a homework names exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED_SECTION = re.compile(r"(?:[Ss]ection|chapter \d+[a-c]?,) \*([^*]+)\*(?: and \*([^*]+)\*)?")
NAMED_EXERCISE = re.compile(r"exercises? (\d)(?: and (\d))?")
HEADING = re.compile(r"^(?:##+|# \d+[a-c]?\.) (.+)$", re.MULTILINE)
FOLD = re.compile(r"<summary>(?:Deeper: )?(.+)</summary>")
BOLD_LEAD = re.compile(r"^\*\*([^*\d][^*]*)\*\*", re.MULTILINE)
EXERCISE = re.compile(r"^\*\*(\d)\. ", re.MULTILINE)


def plain(name: str) -> str:
    return name.strip(" .?:").lower()


def sections(chapter: str) -> set[str]:
    """Headings, the text on either side of a heading's colon, folds, and bold leads."""
    headings = HEADING.findall(chapter)
    sides = [side for heading in headings if ":" in heading for side in heading.split(":")]
    names = (*headings, *sides, *FOLD.findall(chapter), *BOLD_LEAD.findall(chapter))
    return {plain(name) for name in names}


@pytest.mark.parametrize(
    "source", sorted((ROOT / "homework").glob("hw*/hw*.py")), ids=lambda path: path.stem
)
def test_what_a_homework_names_is_in_its_chapter(source):
    comments = [
        re.sub(r"^# ?", "", line)
        for line in source.read_text(encoding="utf-8").splitlines()
        if line.startswith("#")
    ]
    prose = " ".join(" ".join(comments).split())
    number = re.search(r"hw(\d+)", source.stem)[1]
    paths = sorted((ROOT / "book" / "chapters").glob(f"{number}*.md"))  # 06 has three parts
    chapter = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    named = {plain(name) for match in NAMED_SECTION.findall(prose) for name in match if name}
    exercises = {digit for match in NAMED_EXERCISE.findall(prose) for digit in match if digit}
    assert named <= sections(chapter)
    assert exercises <= set(EXERCISE.findall(chapter))
