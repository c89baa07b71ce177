"""The former place of `course_lab.figures.linked`."""

from course_lab.figures.linked import Sentences, linked

__all__ = ["Sentences", "linked"]
