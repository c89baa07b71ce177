"""Mistakes in the files that a run and an experiment write."""

from tools.mutants.mutant import Mutant

_ATOMIC = "tests/unit/test_atomic.py"

MUTANTS = [
    Mutant("files for their owner alone", "course_lib/atomic.py", "0o666", "0o600", _ATOMIC),
    Mutant(
        "a symbolic link is replaced by a file",
        "course_lib/atomic.py",
        "    destination = Path(os.path.realpath(path))\n    temporary",
        "    destination = Path(path)\n    temporary",
        _ATOMIC,
    ),
    Mutant(
        "a temporary file stays after a mistake",
        "course_lib/atomic.py",
        "            temporary.unlink(missing_ok=True)\n        number",
        "            pass\n        number",
        _ATOMIC,
    ),
    Mutant(
        "leftovers of other files are removed too",
        "course_lib/atomic.py",
        'rf"\\.{re.escape(destination.stem)}-[0-9a-f]{{12}}"',
        'rf"\\..*-[0-9a-f]{{12}}"',
        _ATOMIC,
    ),
    Mutant(
        "leftovers stay",
        "course_lib/atomic.py",
        "            if pattern.fullmatch(neighbour.name):\n",
        "            if False:\n",
        _ATOMIC,
    ),
    Mutant(
        "a full disk under a Rust library is not recognised",
        "course_lib/atomic.py",
        "return int(found.group(1)) if found else None",
        "return None",
        _ATOMIC,
    ),
    Mutant(
        "the file is written in place",
        "course_lib/atomic.py",
        "        yield temporary\n",
        "        yield destination\n        temporary.write_bytes(destination.read_bytes())\n",
        _ATOMIC,
    ),
]
