"""Mistakes in the files that a run and an experiment write."""

from tools.mutants.mutant import Mutant

_ATOMIC = "tests/unit/test_files.py"
_FOLDER = "tests/unit/training/test_run_folder.py"
_CHECKPOINT = "tests/unit/training/test_run_folder.py"
_PARSE = "tests/unit/test_files.py"

MUTANTS = [
    Mutant(
        "a tokenizer of which the run says nothing is taken",
        "course_lib/training/run_folder.py",
        "config[TOKENIZER_FILES].get(path.name) != _fingerprint(path)",
        "config[TOKENIZER_FILES].get(path.name, _fingerprint(path)) != _fingerprint(path)",
        "tests/unit/training/test_run_folder.py",
    ),
    Mutant(
        "a disk is replaced by a file",
        "course_lib/files.py",
        "stat.S_ISBLK(mode) or stat.S_ISSOCK(mode)",
        "stat.S_ISSOCK(mode)",
        "tests/unit/test_files.py",
    ),
    Mutant(
        "a classifier's folder is not locked",
        "course_lib/cli/classify.py",
        "with training_in(folder):",
        "if True:",
        "tests/unit/cli/test_commands.py::test_the_folder_stays_locked_from_the_configuration_to_the_end",
    ),
    Mutant("files for their owner alone", "course_lib/files.py", "0o666", "0o600", _ATOMIC),
    Mutant(
        "a symbolic link is replaced by a file",
        "course_lib/files.py",
        "    destination = Path(os.path.realpath(path))\n    temporary",
        "    destination = Path(path)\n    temporary",
        _ATOMIC,
    ),
    Mutant(
        "a temporary file stays after a mistake",
        "course_lib/files.py",
        "            temporary.unlink(missing_ok=True)\n        number",
        "            pass\n        number",
        _ATOMIC,
    ),
    Mutant(
        "leftovers of other files are removed too",
        "course_lib/files.py",
        'rf"\\.{re.escape(destination.stem)}-[0-9a-f]{{12}}"',
        'rf"\\..*-[0-9a-f]{{12}}"',
        _ATOMIC,
    ),
    Mutant(
        "leftovers stay",
        "course_lib/files.py",
        "            if pattern.fullmatch(neighbour.name):\n",
        "            if False:\n",
        _ATOMIC,
    ),
    Mutant(
        "a full disk under a Rust library is not recognised",
        "course_lib/files.py",
        "return int(found.group(1)) if found else None",
        "return None",
        _ATOMIC,
    ),
    Mutant(
        "the file is written in place",
        "course_lib/files.py",
        "        yield temporary\n",
        "        yield destination\n        temporary.write_bytes(destination.read_bytes())\n",
        _ATOMIC,
    ),
    Mutant(
        "a pipe or a device is replaced by a file",
        "course_lib/files.py",
        "    if _takes_a_stream(path):",
        "    if _takes_a_stream(path) and False:",
        _ATOMIC,
    ),
    Mutant(
        "a socket is taken for a file",
        "course_lib/files.py",
        "if stat.S_ISBLK(mode) or stat.S_ISSOCK(mode):",
        "if stat.S_ISBLK(mode):",
        _ATOMIC,
    ),
    Mutant(
        "two trainings may write into one folder",
        "course_lib/training/run_folder.py",
        "        lock.acquire()\n",
        "        pass\n",
        _FOLDER,
    ),
    Mutant(
        "a home with its hidden files alone is a run's folder",
        "course_lib/training/run_folder.py",
        "not _LEFTOVER.fullmatch(name)",
        'not name.startswith(".")',
        _FOLDER,
    ),
    Mutant(
        "the root of the disk is a run's folder",
        "course_lib/training/run_folder.py",
        "    if others and not holds_run(folder):",
        "    if False:",
        _FOLDER,
    ),
    Mutant(
        "what a killed run left half-written stays",
        "course_lib/training/run_folder.py",
        "            remove_leftovers(folder / name)\n",
        "            pass\n",
        _FOLDER,
    ),
    Mutant(
        "a tokenizer's file of another run is taken",
        "course_lib/training/run_folder.py",
        "config[TOKENIZER_FILES].get(path.name) != _fingerprint(path):",
        "False:",
        _CHECKPOINT,
    ),
    Mutant(
        "a tokenizer of another size is taken",
        "course_lib/training/run_folder.py",
        "    if len(tokenizer) != wanted:",
        "    if False:",
        _CHECKPOINT,
    ),
    Mutant(
        "a setting of another type is taken",
        "course_lib/files.py",
        "(type(value) in choices and _finite(value))",
        "True",
        _PARSE,
    ),
    Mutant(
        "a character device is replaced",
        "course_lib/files.py",
        "return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)",
        "return stat.S_ISFIFO(mode)",
        "tests/unit/test_files.py::test_a_device_of_any_kind_is_seen_without_being_root",
    ),
]
