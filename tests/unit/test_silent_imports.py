"""Importing the library writes nothing, even in a notebook whose kernel has no ipywidgets."""

import subprocess
import sys

IMPORT_ALL = """
import pkgutil, sys
import IPython, course_lib, pooch  # pooch itself warns in a notebook without ipywidgets
sys.modules["ipywidgets"] = None
sys.modules["ipykernel.zmqshell"] = IPython  # tqdm takes this for a notebook
for name in ("tqdm.auto", "tqdm.autonotebook"):
    sys.modules.pop(name, None)
for module in pkgutil.walk_packages(course_lib.__path__, "course_lib."):
    if not module.name.endswith("__main__"):
        __import__(module.name)
"""


def test_every_module_is_imported_without_a_word():
    done = subprocess.run([sys.executable, "-c", IMPORT_ALL], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
