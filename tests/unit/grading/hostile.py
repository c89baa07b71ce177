# ruff: noqa: E501 - code as students would write it
"""Hostile submissions to the small homework: what each tries, and how its first test may end.

A kind's code is one cell or several, `WRONG` where it wants points that it has not earned, `RIGHT`
where it has earned them and does harm beside. What takes long does it in the first test alone,
which has one number.
"""

from typing import NamedTuple

from tests.unit.grading.small import FOURFOLD, RIGHT

WRONG = "def double(x):\n    return torch.zeros_like(x)\n"


class Kind(NamedTuple):
    """A kind of attack.

    Attributes:
        cells: of the notebook.
        score: the most that it may get.
        statuses: one of which the first test has.
        says: stands in the first test's message, or in what a cell said.
        absent: must not stand there.
        both: tried on the second rung, too.
    """

    cells: tuple[str, ...]
    score: float = 0
    statuses: tuple[str, ...] = ("failed",)
    says: str = ""
    absent: str = "GOTCHA"
    both: bool = False


def _inside(code: str, then: str = "return torch.zeros_like(x)") -> str:
    """A `double` that runs this code, tells what it raised, and is wrong."""
    lines = "".join(f"        {line}\n" for line in code.strip().splitlines())
    return f"def double(x):\n    import os, sys\n    try:\n{lines}    finally:\n        pass\n    {then}\n"


def _found(code: str) -> str:
    """A `double` that tells as an exception what this code puts into `found`."""
    return _inside(code, "raise ValueError(f'found {found}')")


SOURCE = "@HOMEWORK@/hw99_small/hw99_small.py"

KINDS: dict[str, Kind] = {
    "reads the solution": Kind(
        (_inside(f"text = open('{SOURCE}').read()\nreturn 2 * x"),), says="stopped at", both=True
    ),
    "reads it through a symbolic link": Kind(
        (_inside(f"os.symlink('{SOURCE}', 'link')\nopen('link').read()\nreturn 2 * x"),),
        says="stopped at",
        both=True,
    ),
    "searches the disk for it": Kind(
        (
            _found(
                "found = []\nfor top in ('@HOMEWORK@', '/tmp', '/root', '/home', '/work', '/var'):\n"
                "    for where, _, files in os.walk(top):\n"
                "        found += [f for f in files if f == 'hw99_small.py']"
            ),
        ),
        says="found []",
        both=True,
    ),
    "patches what compares": Kind(
        (
            "import torch.testing\ntorch.equal = torch.allclose = lambda *a, **k: True\n"
            "torch.testing.assert_close = lambda *a, **k: None\n"
            "torch.Tensor.__eq__ = lambda *a: True\n",
            WRONG,
        )
    ),
    "patches the grader beside it": Kind(
        (
            "import course_lib.grading.judge as j, course_lib.grading.peer as p\n"
            "import course_lib.grading.record as r\n"
            "j.Submission.test = lambda self, case, loops: r.Test(case.name, 5, 5, 'passed')\n"
            "p.Peer._answer = lambda self, m: {'op': 'value', 'value': 'passed'}\n",
            WRONG,
        )
    ),
    "replaces builtins": Kind(
        (
            "import builtins\nbuiltins.isinstance = lambda *a: True\nbuiltins.len = lambda *a: 1\n",
            WRONG,
        ),
        statuses=("failed", "wire"),
    ),
    "takes import away": Kind(("import builtins\ndel builtins.__import__\n", WRONG)),
    "rewrites every file": Kind(
        (
            _found(
                "found = []\nfor top in ('@HOMEWORK@', sys.prefix, '/tmp', '/usr', '/dev', '/etc'):\n"
                "    for where, _, files in os.walk(top):\n"
                "        for file in files[:3]:\n"
                "            try:\n"
                "                open(os.path.join(where, file), 'a').write('assert True')\n"
                "                found.append(os.path.join(where, file))\n"
                "            except OSError:\n"
                "                pass\n"
                "        if len(where) > 60: break\n"
                "found = [f for f in found if f not in ('/dev/null',)]"
            ),
        ),
        says="found []",
        both=True,
    ),
    "writes outside": Kind(
        (
            _found(
                "found = []\nfor top in ('/', '/tmp', '/dev/shm', '/var/tmp', '/usr', '/root', '@HOMEWORK@'):\n"
                "    try:\n"
                "        open(os.path.join(top, 'left'), 'w').write('left')\n"
                "        found.append(top)\n"
                "    except OSError:\n"
                "        pass"
            ),
        ),
        says="found []",
        both=True,
    ),
    "returns a poisoned pickle": Kind(
        (
            "import os\nclass Poison:\n    def __reduce__(self):\n"
            "        return os.system, ('touch @MARK@',)\n"
            "def double(x):\n    return Poison()\n",
        ),
        says="Poison",
    ),
    "leaves a poisoned log": Kind(
        (
            "import pickle, os\nclass Poison:\n    def __reduce__(self):\n"
            "        return os.system, ('touch @MARK@',)\n"
            "open('.OTTER_LOG', 'wb').write(pickle.dumps(Poison()))\n",
            WRONG,
        )
    ),
    "returns a tensor that lies": Kind(
        (
            "class Liar(torch.Tensor):\n    def __eq__(self, other): return True\n"
            "    @classmethod\n"
            "    def __torch_function__(cls, f, t, a=(), k=None):\n"
            "        r = super().__torch_function__(f, t, a, k or {})\n"
            "        return True if f is torch.equal else r\n"
            "def double(x):\n    return torch.zeros(1).as_subclass(Liar)\n",
        )
    ),
    "returns an object that equals all": Kind(
        (
            "class All:\n    __class__ = torch.Tensor\n    def __eq__(self, o): return True\n"
            "def double(x):\n    return All()\n",
        )
    ),
    "loops without end": Kind(
        ("def double(x):\n    while len(x) == 1:\n        pass\n",),
        statuses=("time", "review"),
        both=True,
    ),
    "loops and catches all": Kind(
        (
            "import signal\nfor s in range(1, 65):\n    try: signal.signal(s, signal.SIG_IGN)\n"
            "    except (OSError, ValueError): pass\n"
            "def double(x):\n    while len(x) == 1:\n        try:\n            while True: pass\n"
            "        except BaseException: pass\n",
        ),
        statuses=("time", "review"),
        both=True,
    ),
    "loops in a cell": Kind(
        ("while True: pass", RIGHT, FOURFOLD), 20, ("passed",), "left out", both=True
    ),
    "sleeps": Kind(
        ("import time\ndef double(x):\n    time.sleep(1000 * (len(x) == 1))\n",),
        statuses=("review",),
    ),
    "takes all memory": Kind(
        (
            "def double(x):\n    kept = []\n    while True:\n        kept.append(bytearray(b'x' * 2**20))\n",
        ),
        statuses=("memory",),
        both=True,
    ),
    "takes memory in many processes": Kind(
        (
            "import os, time\ndef double(x):\n    for _ in range(5):\n        if os.fork() == 0:\n"
            "            kept = b'x' * (100 << 20)\n            time.sleep(60)\n"
            "    time.sleep(60)\n",
        ),
        statuses=("memory", "failed"),
        both=True,
    ),
    "takes all memory in a cell": Kind(
        ("kept = []\nwhile True: kept.append(bytearray(b'x' * 2**20))", RIGHT, FOURFOLD),
        20,
        ("passed",),
        both=True,
    ),
    "forks without end": Kind(
        ("import os, time\ndef double(x):\n    while True:\n        os.fork()\n",),
        statuses=("forks", "failed", "time", "wire"),
        both=True,
    ),
    "fills the disk": Kind(
        (
            "def double(x):\n    with open('full', 'wb') as f:\n        while True: f.write(bytes(2**20))\n",
        ),
        statuses=("disk",),
        both=True,
    ),
    "fills the disk with small files": Kind(
        (
            "def double(x):\n    for n in range(10**6):\n"
            "        with open(f'{n}', 'wb') as f: f.write(bytes(4096))\n",
        ),
        statuses=("disk",),
        both=True,
    ),
    "fills the disk with empty files": Kind(
        (
            "def double(x):\n    for n in range(10**7 * (len(x) == 1)):\n        open(f'{n}', 'w').close()\n",
        ),
        statuses=("disk", "time"),
        both=True,
    ),
    "has rights of its own": Kind(
        (
            "import ctypes, os, struct\nsets = ctypes.create_string_buffer(24)\n"
            "head = ctypes.create_string_buffer(struct.pack('<Ii', 0x20080522, 0))\n"
            "assert ctypes.CDLL(None).capget(head, sets) == 0\n"
            "found = [n & ~4 for n in struct.unpack('<6I', sets.raw) if n & ~4]\n"
            "found += [n for n in (os.getuid(), os.getgid(), *os.getgroups()) if n == 0]\n"
            "raise ValueError(f'found {found}')",
        ),
        says="found []",
        both=True,
    ),
    "leaves a detached child": Kind(
        (
            "import subprocess\n"
            "subprocess.Popen(['/usr/bin/sleep', '98765'], start_new_session=True)\n",
            RIGHT,
            FOURFOLD,
        ),
        20,
        ("passed",),
        both=True,
    ),
    "leaves a child that forks twice": Kind(
        (
            "import os, time\ndef double(x):\n    if os.fork() == 0:\n        os.setsid()\n"
            "        if os.fork() == 0:\n"
            "            os.execv('/usr/bin/sleep', ['sleep', '98765'])\n        os._exit(0)\n"
            "    return torch.zeros_like(x)\n",
        ),
        both=True,
    ),
    "leaves children that hold memory": Kind(
        (
            "import os, time\nfor _ in range(2):\n    if os.fork() == 0:\n"
            "        kept = b'x' * (90 << 20)\n        time.sleep(60)\ntime.sleep(0.5)",
            "def double(x):\n    kept = b'x' * (120 << 20)\n    time.sleep(0.3)\n    return 2 * x\n",
            FOURFOLD,
        ),
        20,
        ("passed",),
        both=True,
    ),
    "opens files without end": Kind(
        ("def double(x):\n    kept = []\n    while True: kept.append(open('/dev/null'))\n",),
        says="Too many open files",
    ),
    "leaves threads running": Kind(
        (
            "import threading\ndef spin():\n    while True: pass\n"
            "threading.Thread(target=spin, daemon=False).start()\n",
            RIGHT,
            FOURFOLD,
        ),
        20,
        ("passed", "time"),
    ),
    "signals all others": Kind(
        (
            _inside(
                "import signal\nfor who in (-1, 0, 1, os.getppid()):\n"
                "    try: os.kill(who, signal.SIGKILL)\n    except OSError: pass"
            ),
        ),
        both=True,
    ),
    "sends garbage": Kind(
        (
            _inside(
                "for n in range(3, 64):\n    try: os.write(n, b'garbage' * 100)\n    except OSError: pass"
            ),
        ),
        statuses=("wire", "failed"),
    ),
    "sends a header of 4 GB": Kind(
        (
            _inside(
                "for n in range(3, 64):\n    try: os.write(n, b'\\xff' * 8)\n    except OSError: pass"
            ),
        ),
        statuses=("wire", "failed"),
    ),
    "sends its own verdict": Kind(
        (
            _inside(
                "import json, struct\n"
                "h = json.dumps({'message': {'dict': [['op', 'value'], ['value', True], "
                "['changed', None], ['call', None], ['score', 20]]}, 'buffers': []}).encode()\n"
                "for n in range(3, 64):\n    try: os.write(n, struct.pack('<I', len(h)) + h)\n"
                "    except OSError: pass"
            ),
        ),
        statuses=("failed", "wire"),
    ),
    "sends garbage in a cell": Kind(
        (
            "import os\nfor n in range(3, 64):\n    try: os.write(n, b'garbage' * 100)\n"
            "    except OSError: pass\n",
            RIGHT,
            FOURFOLD,
        ),
        20,
        ("passed",),
        says="left out",
    ),
    "speaks for its worker": Kind(
        (
            "import json, os, struct\n"
            "h = json.dumps({'message': {'dict': [['op', 'cell'], ['number', {'list': []}]]}, "
            "'buffers': []}).encode()\n"
            "for n in range(3, 64):\n    try: os.write(n, struct.pack('<I', len(h)) + h)\n"
            "    except OSError: pass\nos._exit(0)\n",
            RIGHT,
            FOURFOLD,
        ),
        20,
        ("passed",),
        says="left out",
    ),
    "promises buffers that are too large": Kind(
        (
            _inside(
                "import json, struct\nh = json.dumps({'message': None, 'buffers': [2**40]}).encode()\n"
                "for n in range(3, 64):\n    try: os.write(n, struct.pack('<I', len(h)) + h)\n"
                "    except OSError: pass"
            ),
        ),
        statuses=("wire", "failed"),
    ),
    "returns what is too large": Kind(
        ("def double(x):\n    return torch.zeros(1).expand(10**9)\n",), says="256 MB"
    ),
    "returns what is too deep": Kind(
        ("def double(x):\n    y = x\n    for _ in range(5000): y = [y]\n    return y\n",)
    ),
    "prints without end": Kind(
        (
            "import sys\nfor _ in range(10**4): print('x' * 1000); sys.stderr.write('y' * 1000)\n",
            RIGHT,
            FOURFOLD,
        ),
        20,
        ("passed",),
    ),
    "says very much": Kind(("def double(x):\n    raise ValueError('x' * 10**6)\n",), says="xxx"),
    "exits": Kind(
        (FOURFOLD, "import sys\ndef double(x):\n    sys.exit(0)\n"), 8, says="SystemExit"
    ),
    "exits at once": Kind(
        ("import os\ndef double(x):\n    os._exit(0)\n",), says="ended the process"
    ),
    "exits in a cell": Kind(
        ("import os\nos._exit(0)", RIGHT, FOURFOLD), 20, ("passed",), "left out"
    ),
    "crashes": Kind(("import ctypes\ndef double(x):\n    ctypes.string_at(0)\n",)),
    "raises what cannot be told": Kind(
        (
            "class Evil(Exception):\n    def __str__(self):\n        raise SystemExit\n"
            "def double(x):\n    raise Evil\n",
        )
    ),
    "tells half a character": Kind(
        ("def double(x):\n    raise ValueError('\\ud800 \\x1b[31m <script>')\n",), says="ValueError"
    ),
    "connects": Kind(
        (_inside("import socket\nsocket.create_connection(('127.0.0.1', @PORT@), 5)"),),
        says="stopped at",
        both=True,
    ),
    "sends a datagram": Kind(
        (
            _inside(
                "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto("
                "b'x', ('127.0.0.1', @PORT@))"
            ),
        ),
        says="stopped at",
        both=True,
    ),
    "reads the environment": Kind(
        (_found("found = dict(os.environ)"),), says="found", absent="of-the-judge", both=True
    ),
    "reads the judge's environment": Kind(
        (
            _found(
                "found = []\nfor n in range(1, 70000):\n"
                "    try: found.append(open(f'/proc/{n}/environ').read())\n"
                "    except OSError: pass"
            ),
        ),
        says="found []",
        both=True,
    ),
    "makes namespaces of its own": Kind(
        (
            "import ctypes\nlibc = ctypes.CDLL(None)\n"
            "found = [libc.unshare(0x10000000), libc.ptrace(0, 0, 0, 0), "
            "libc.mount(b'none', b'/tmp', b'tmpfs', 0, 0), libc.umount2(b'/proc', 2)]\n"
            "raise ValueError(f'found {found}')",
        ),
        says="found [-1, -1, -1, -1]",
        both=True,
    ),
    "calls the library": Kind(
        ("def double(x):\n    masked_softmax(x, x > 0)\n    return 2 * x\n",), says="forbids"
    ),
    "imports the library": Kind(
        (
            "def double(x):\n    from course_lib.attention.softmax import masked_softmax as m\n"
            "    list(map(m, [x], [x > 0]))\n    return 2 * x\n",
        ),
        says="forbids",
    ),
    "calls the library in disguise": Kind(
        (
            "import course_lib.attention.softmax as m\nm.__name__ = 'mine'\n"
            "exec('def g(x): return m.masked_softmax(x, x > 0)', other := {'m': m})\n"
            "def double(x):\n    other['g'](x)\n    return 2 * x\n",
        ),
        says="forbids",
    ),
    "turns the watch off": Kind(
        (
            "import sys\ndef double(x):\n    sys.setprofile(None)\n    masked_softmax(x, x > 0)\n"
            "    return 2 * x\n",
        ),
        says="forbids",
    ),
    "changes what it is given": Kind(("def double(x):\n    return x.mul_(2)\n",), 5, ("passed",)),
}
