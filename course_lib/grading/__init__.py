"""Grades submitted notebooks, whose code is never trusted: `python -m course_lib.grading`."""
