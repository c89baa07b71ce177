"""What a run grades, and how; makes the judge of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Plan:
    """What a run grades, and how.

    Attributes:
        assignment: its full name.
        variant: "v0" is the public one.
        submissions: the folder.
        homework: the folder of the sources.
        allow_weak: whether to grade where no jail holds.
        per_student: whether each student gets other instances of the hidden tests.
    """

    assignment: str
    variant: str
    submissions: str
    homework: str
    allow_weak: bool = False
    per_student: bool = False


def make_judge(plan: Plan, salt: bytes, questions: Sequence[str]) -> Any:
    """The judge of a run; tests put a stand-in in its place."""
    from course_lib.grading.judge import Judge  # imports torch: in the processes that grade alone

    return Judge(
        plan.assignment,
        salt=salt,
        variant=plan.variant,
        questions=questions,
        homework=Path(plan.homework),
        allow_weak=plan.allow_weak,
        per_student=plan.per_student,
    )
