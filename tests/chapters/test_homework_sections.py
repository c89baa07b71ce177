"""What a homework says of its chapter: each section and each exercise that it names is there."""

import re
from pathlib import Path

import pytest

from tools.project import ROOT, homework_sources

PROSE = re.compile(r"^# ?", re.MULTILINE)
SECTION = re.compile(r"(?:[Ss]ection|chapter \d+[a-c]?,) \*([^*]+)\*(?: and \*([^*]+)\*)?")
EXERCISE = re.compile(r"exercises? (\d)(?: and (\d))?")
HEADING = re.compile(r"^(?:##+|# \d+[a-c]?\.) (.+)$", re.MULTILINE)
FOLD = re.compile(r"<summary>(?:Deeper: )?(.+)</summary>")
LEAD = re.compile(r"^\*\*([^*\d][^*]*)\*\*", re.MULTILINE)
NUMBERED = re.compile(r"^\*\*(\d)\. ", re.MULTILINE)


def prose(source: str) -> str:
    """The comments of a homework's script, in one line."""
    kept = (PROSE.sub("", line) for line in source.splitlines() if line.startswith("#"))
    return " ".join(" ".join(kept).split())


def plain(name: str) -> str:
    """A heading's words, whatever case and stop they have."""
    return name.strip(" .?:").lower()


def sections(chapter: str) -> set[str]:
    """Headings, either side of their colons, folds, and what stands in bold before a paragraph."""
    found = HEADING.findall(chapter)
    sides = [side for heading in found if ":" in heading for side in heading.split(":")]
    return {
        plain(name) for name in (*found, *sides, *FOLD.findall(chapter), *LEAD.findall(chapter))
    }


def missing(source: str, chapter: str) -> list[str]:
    """Sections and exercises that a homework names and its chapter does not have."""
    told, there, numbers = prose(source), sections(chapter), set(NUMBERED.findall(chapter))
    named = [name for match in SECTION.findall(told) for name in match if name]
    asked = [number for match in EXERCISE.findall(told) for number in match if number]
    return [name for name in named if plain(name) not in there] + [
        f"exercise {number}" for number in asked if number not in numbers
    ]


def chapters_of(source: Path) -> str:
    """The text of a homework's chapter; chapter 6 has three parts."""
    number = re.search(r"hw(\d+)", source.stem)[1]
    paths = sorted((ROOT / "book" / "chapters").glob(f"{number}*.md"))
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


@pytest.mark.parametrize("source", homework_sources(), ids=lambda source: source.stem)
def test_what_it_names_is_in_its_chapter(source):
    assert missing(source.read_text(encoding="utf-8"), chapters_of(source)) == []


def test_a_section_that_was_renamed_is_noticed():
    chapter = "## How far back?\n\n## Common slip: no mask\n\n**2. Padding.** Show it.\n"
    assert (
        missing("# section *How\n# far back?* and exercise 2, section *Common slip*", chapter) == []
    )
    told = (
        "# Section *What clipping does*, (chapter 1, *No mask* and *The road*), exercises 2 and 4"
    )
    assert missing(told, chapter) == ["What clipping does", "The road", "exercise 4"]
