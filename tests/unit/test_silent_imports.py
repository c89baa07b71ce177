"""Importing the library writes nothing, even in a notebook whose kernel has no ipywidgets."""

import subprocess
import sys

IMPORT_ALL = """
import pkgutil, sys
sys.modules["ipywidgets"] = None
import ipykernel.zmqshell  # tqdm takes this for a notebook
import course_lib
for module in pkgutil.walk_packages(course_lib.__path__, "course_lib."):
    if not module.name.endswith("__main__"):
        __import__(module.name)
"""


def test_every_module_is_imported_without_a_word():
    done = subprocess.run([sys.executable, "-c", IMPORT_ALL], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
