"""`python -m course_lib.grading`: see `course_lib.grading.cli`."""

import sys

from course_lib.grading.cli import main

if __name__ == "__main__":
    sys.exit(main())
