"""The work behind every make target, for machines with make and without.

`python3 tools/tasks.py TARGET` makes `.venv` if it is missing or out of date and then runs the
target inside it. This file must stay readable for old Pythons, so that one of them gets the
sentence below and not a syntax error; it uses the standard library alone.
"""

import os
import sys

if sys.version_info < (3, 10):
    sys.exit(
        "error: the course needs Python 3.10 or newer, and this one is %d.%d (%s); "
        "name a newer one, for example: make PYTHON=python3.12 test"
        % (sys.version_info[0], sys.version_info[1], sys.executable)
    )

# Run as a script, Python puts this folder first on the path; the project's root belongs there.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from tools.targets import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
