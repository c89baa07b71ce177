"""`python -m course_lib`: see `course_lib.cli.main`."""

import sys

from course_lib.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
