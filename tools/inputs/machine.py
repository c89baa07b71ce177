"""What the machine adds to a result: Python, packages, processor, variables, data and browsers.

None of it is in the repository, so none of it is in the stamp of a notebook. It is in the stamps of
gates, which stay on the machine that passed them.
"""

import functools
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from tools.inputs.files import once_a_moment

VARIABLES = re.compile(
    "(ATEN|BLIS|COURSE|CUBLAS|CUDA|DNNL|GOMP|GOTO|HYPOTHESIS|KMP|MKL|NPY|NVIDIA|OMP|ONEDNN|"
    "OPENBLAS|PYTEST|PYTORCH|TORCH|VECLIB)_|MPLBACKEND|PYTHON"
)
"""How the variables begin that change arithmetic, data or what a test does."""
_OF_THE_RUN = ("PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT")
_OF_NO_RESULT = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "PYTHONUNBUFFERED")
"""Where Python keeps its bytecode, and when it writes a line out."""
_ARITHMETIC = ("sse", "ssse", "avx", "amx", "fma", "f16c", "vnni", "bmi", "xop", "popcnt")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FIREFOXES = ("firefox-esr", "firefox")
CPUINFO = Path("/proc/cpuinfo")


@once_a_moment
def machine(root: Path) -> str:
    """All of it but the browsers, one thing a line."""
    arithmetic = (f"processor {processor()}", f"cores {cores()}")
    return "\n".join([*software(), *arithmetic, *variables(), *data_files(root), programs()])


def software() -> list[str]:
    """Python and every installed package: what makes the same of the same on any processor."""
    return [f"python {sys.implementation.name} {sys.version}", *packages()]


@functools.cache
def processor() -> str:
    """Its kind and those of its features that may change the last digits of a number."""
    if not CPUINFO.is_file():
        return f"{platform.system()} {platform.machine()} {platform.processor()}"
    said: dict[str, str] = {}
    for line in CPUINFO.read_text(errors="replace").splitlines():
        name, _, value = line.partition(":")
        said.setdefault(name.strip(), value.strip())
    flags = [flag for flag in said.get("flags", "").split() if flag.startswith(_ARITHMETIC)]
    flags += said.get("Features", "").split()  # what ARM calls them
    return " ".join([platform.machine(), said.get("vendor_id", ""), *sorted(flags)])


def cores() -> int:
    """How many this process may use: a sum over threads is cut into as many parts."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def variables() -> list[str]:
    """The environment's variables that count, each with its value."""
    found = {name: value for name, value in os.environ.items() if VARIABLES.match(name)}
    left_out = {*_OF_THE_RUN, *_OF_NO_RESULT}
    return [f"{name}={found[name]}" for name in sorted(found) if name not in left_out]


def packages() -> list[str]:
    """Every installed package with its version, as pip left it."""
    site = Path(sysconfig.get_path("purelib"))
    return sorted(path.name for path in site.glob("*.dist-info"))


def data_files(root: Path) -> list[str]:
    """Real data on this machine: names, sizes and times of change, as the tests look for it."""
    place = Path(os.environ.get("COURSE_DATA") or root.parent / "shared" / "data").expanduser()
    found = [(path, path.stat()) for path in sorted(place.rglob("*")) if path.is_file()]
    return [f"{path.name} {told.st_size} {told.st_mtime_ns}" for path, told in found]


def programs() -> str:
    """Those without which some test is skipped."""
    return f"programs {[*filter(shutil.which, ('bwrap', 'git', 'node', 'unshare'))]}"


def browser_path() -> str | None:
    """An installed Chromium, or the one that COURSE_CHROMIUM names."""
    named = os.environ.get("COURSE_CHROMIUM")
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


def firefox_path() -> str | None:
    """An installed Firefox, or the one that COURSE_FIREFOX names."""
    named = os.environ.get("COURSE_FIREFOX")
    return named or next(filter(None, map(shutil.which, FIREFOXES)), None)


@functools.cache
def browser_version(path: str | None) -> str:
    """What it says of itself; a browser that says nothing is none."""
    if path is None:
        return "no browser"
    command = [path, "--version"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.strip()
