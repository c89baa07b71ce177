"""Hostile submissions gain nothing and leave no process; each is a question of one notebook."""

import os
import socket
from pathlib import Path

import psutil
import pytest

from course_grader.jail import Limits
from course_grader.judge import Judge
from tests.grader.conftest import assignment, notebook

# What the function does, and what its test's message says. {port} is a server of this process.
QUIET = {
    "reads_solutions": (
        "found = [f for top in ('{root}', '/root', '/home', '/work', '/tmp', '/var')\n"
        "         for _, _, files in os.walk(top) for f in files if f.startswith('hw04_bahd')]\n"
        "raise ValueError(f'found {found}')",
        "found []",
    ),
    "writes_outside": (
        "found = []\nfor top in ('/', '/dev', '/usr', '/etc', '{root}/tests', sys.prefix):\n"
        "    try: open(os.path.join(top, 'left'), 'w').write('left'); found.append(top)\n"
        "    except OSError: pass\nraise ValueError(f'found {found}')",
        "found []",
    ),
    "reads_the_judges_environment": (
        "found = [n for n in os.listdir('/proc') if n.isdigit() and\n"
        "         'of-the-judge' in open(f'/proc/{n}/environ', errors='replace').read()]\n"
        "raise ValueError(f'found {found} {os.environ.get(\"SECRET\")}')",
        "found [] None",
    ),
    "connects": ("socket.create_connection(('127.0.0.1', {port}), 5); return 2 * x", "stopped at"),
    "has_rights": (
        "rights = [l for l in open('/proc/self/status') if l.startswith('CapEff')]\n"
        "raise ValueError(f'{rights} {os.getuid()}')",
        "0000000000000000\\n'] 65534",
    ),
    "returns_a_poisoned_pickle": (
        "class Poison:\n    def __reduce__(self): return os.system, ('touch {mark}',)\n"
        "return Poison()",
        "got a Poison",
    ),
    "returns_what_equals_all": (
        "class All:\n    __class__ = torch.Tensor\n    def __eq__(self, other): return True\n"
        "return All()",
        "",
    ),
    "returns_a_tensor_that_lies": (
        "class Liar(torch.Tensor):\n    def __eq__(self, other): return True\n"
        "return torch.zeros(2).as_subclass(Liar)",
        "want [6, 2]",
    ),
    "returns_what_is_too_large": ("return torch.zeros(1).expand(10**9)", "32 MB"),
    "returns_what_is_too_deep": ("for _ in range(5000): x = [x]\nreturn x", "RecursionError"),
    "says_very_much": ("raise ValueError('y' * 10**6)", "yyy"),
    "raises_what_has_no_text": (
        "class Evil(Exception):\n    def __str__(self): raise SystemExit\nraise Evil",
        "no text",
    ),
    "exits": ("sys.exit(0)", "SystemExit"),
    "forges_a_verdict": (
        'get_ipython().kernel.raw_input(\'["dict", [["op", "passed"], ["score", 20]]]\')\n'
        "return torch.zeros(2)",
        "want [6, 2]",
    ),
    "sends_garbage": ("get_ipython().kernel.raw_input('garbage')", "WireError"),
}
STOPPED = {
    "loops_and_ignores_signals": (
        "for s in range(1, 65):\n    try: signal.signal(s, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\nwhile True:\n    try:\n        while True: pass\n"
        "    except BaseException: pass",
        "stopped after",
    ),
    "takes_memory_in_processes": (
        "for _ in range(8):\n    if os.fork() == 0:\n        kept = b'x' * (150 << 20)\n"
        "        signal.pause()\nsignal.pause()",
        "of memory",
    ),
    "forks_without_end": ("while True: os.fork()", ""),
    "fills_the_shared_folder": (
        "room = os.path.dirname(sys.argv[sys.argv.index('-f') + 1])\n"
        "open(os.path.join(room, 'full'), 'wb').write(bytes(2**20))\nsignal.pause()",
        "wrote where it may not",
    ),
    "ends_the_process": ("os._exit(0)", "ended the process"),
}
LAST = {  # changes what the kernel says of all that come after it
    "patches_the_grader_beside_it": (
        "import course_grader.inside as i\n"
        "i.Student.answer = lambda *a: {'op': 'value', 'value': 'passed'}\nreturn torch.zeros(2)",
        "",
    ),
}
KINDS = QUIET | STOPPED | LAST
CELLS = (
    "import os, signal, socket, subprocess, sys",
    "torch.equal = torch.allclose = torch.Tensor.__eq__ = lambda *a, **k: True",
    "subprocess.Popen(['/usr/bin/sleep', '98765'], start_new_session=True)",
    "for _ in range(10**4): print('x' * 1000)",
    "import builtins; builtins.isinstance = isinstance",
)


@pytest.fixture(scope="module")
def graded(jail, tmp_path_factory):
    """Each kind's outcome, the remarks, and the file that a poisoned pickle would make."""
    mark = tmp_path_factory.mktemp("hostile") / "mark"
    cells = list(CELLS)
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as server:
        patch.setenv("SECRET", "of-the-judge")
        for name, (code, _) in KINDS.items():
            values = {"{root}": Path.cwd(), "{mark}": mark, "{port}": server.getsockname()[1]}
            for key, value in values.items():
                code = code.replace(key, str(value))
            body = "".join(f"    {line}\n" for line in code.splitlines())
            cells.append(f"def {name}(x):\n{body}")
        limits = Limits(test=10.0, notebook=240.0, memory=1 << 30, disk=32 << 20, processes=24)
        judge = Judge(assignment(*QUIET, *STOPPED, "right", *LAST), jail, limits=limits)
        cells.append("def right(x): return 2 * x")
        outcomes, remarks = judge.grade(notebook(*cells))
    return {outcome.question: outcome for outcome in outcomes}, remarks, mark


@pytest.mark.parametrize("name", KINDS)
def test_a_hostile_kind_gains_nothing(graded, name):
    outcomes, _, mark = graded
    assert outcomes[name].status in (["failed", "stopped"] if name in STOPPED else ["failed"])
    assert KINDS[name][1] in outcomes[name].message
    assert len(outcomes[name].message) <= 10_000
    assert not mark.exists()


def test_a_right_answer_among_them_is_right_and_no_process_is_left(graded):
    outcomes, remarks, _ = graded
    assert outcomes["right"].status == "passed"
    assert "look at cell 2: it replaces torch.equal" in remarks
    assert not psutil.Process().children(recursive=True)
    assert not [p for p in psutil.process_iter(["cmdline"]) if "98765" in (p.info["cmdline"] or ())]
    assert not os.path.exists("/left")
