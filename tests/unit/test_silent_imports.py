"""Importing the library writes nothing, also in a notebook whose kernel has no ipywidgets."""

import subprocess
import sys

IMPORT_ALL = """
import pkgutil, sys


class No:
    def find_spec(self, name, *_):
        if name.split(".")[0] == "ipywidgets":
            raise ImportError(name)


sys.meta_path.insert(0, No())
# What tqdm looks for to decide that it is in a notebook.
import IPython

IPython.get_ipython = lambda: type("Shell", (), {"config": {"IPKernelApp": {}}})()
import course_lib

for module in pkgutil.walk_packages(course_lib.__path__, "course_lib."):
    if not module.name.endswith("__main__"):
        __import__(module.name)
from course_lib.evaluation.translate import tqdm as one
from course_lib.training.fit import tqdm as other
assert one is other
"""


def test_every_module_is_imported_without_a_word():
    done = subprocess.run([sys.executable, "-c", IMPORT_ALL], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
