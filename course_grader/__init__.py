"""The grader: runs students' notebooks in a locked-up Jupyter kernel and scores their answers.

`python -m course_grader grade DIR` grades a folder of submissions (docs/maintain/grading.md). The
course's library does not know this package, and this package holds no tests and no solutions.
"""


class GraderError(Exception):
    """A mistake of the person who grades, or a machine that lacks something, in one sentence."""
