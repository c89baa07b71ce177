# ruff: noqa: E501 - code as students would write it
"""What a question forbids is seen by whatever way an answer reaches it, and nothing else is."""

import pytest
import torch

from course_lib.grading.assignment import load
from course_lib.grading.forbidden import (
    NORMS,
    RECURRENT,
    SIZES,
    SOFTMAX,
    TABLE,
    rules,
    tried,
    unusual,
)
from course_lib.grading.judge import cells_of
from course_lib.grading.watch import Count, Watch


def seen(code, told, *given):
    names = {}
    exec(f"import torch, torch.nn.functional as F\n{code}", names)
    watch = Watch(names, {"library": [], **told})
    try:
        with watch():
            names["f"](*given)
    except RuntimeError:  # what inference mode says to a gradient
        pass
    return watch.seen


X = torch.tensor([[1.0, 2.0, 3.0]])


@pytest.mark.parametrize(
    "code",
    [
        "def f(x): return torch.softmax(x, -1)",
        "def f(x): return x.softmax(-1)",
        "def f(x): return F.softmax(x, -1)",
        "def f(x): return torch.nn.Softmax(-1)(x)",
        "def f(x): return torch.ops.aten._softmax(x, -1, False)",
        "def f(x): return x.logsumexp(-1)",
        "def f(x): return list(map(torch.log_softmax, [x], [-1]))",
        "g = torch.jit.trace(torch.nn.Softmax(-1), torch.zeros(1, 3))\ndef f(x): return g(x)",
        "def f(x): return F.scaled_dot_product_attention(x, x, x)",
        "def f(x): return F.cross_entropy(x, torch.tensor([0]))",
        "import sys\ndef f(x):\n    sys.setprofile(None)\n    return torch.exp(x)",
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_softmax(code):
    assert seen(code, {"calls": SOFTMAX}, X)


@pytest.mark.parametrize(
    "code",
    [
        "def f(x):\n    e = (x - x.amax(-1, True)).exp()\n    return e / e.sum(-1, True)",
        "import math\ndef f(x): return [math.exp(v) for v in x[0].tolist()]",
        "import numpy\ndef f(x): return numpy.exp(x.numpy())",
        "def f(x): return torch.where(x > 0, x, 0.0).log().cumsum(-1)",
    ],
)
def test_no_softmax(code):
    assert not seen(code, {"calls": SOFTMAX, "autograd": False}, X)


@pytest.mark.parametrize(
    "code",
    [
        "def f(x):\n    y = x.clone().requires_grad_()\n    y.sum().backward()",
        "def f(x):\n    y = x.clone().requires_grad_()\n    return torch.autograd.grad(y.sum(), y)",
        "def f(x):\n    with torch.inference_mode(False), torch.enable_grad():\n"
        "        y = x.clone().requires_grad_()\n        (y ** 2).sum().backward()\n        return y.grad",
        "def f(x): return torch.func.grad(lambda y: (y ** 2).sum())(x)",
        "def f(x): return torch.autograd.functional.jacobian(lambda y: y ** 2, x)",
        "def f(x): return torch.func.jvp(lambda y: y ** 2, (x,), (x,))",
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_autograd(code):
    assert seen(code, {"autograd": False}, X)


def test_layers():
    assert seen("def f(x): return torch.nn.RNN(3, 2)(x)", {"calls": RECURRENT}, X)
    assert seen("def f(x): return torch.layer_norm(x, (3,))", {"calls": NORMS}, X)
    assert seen("def f(x): return F.layer_norm(x, (3,))", {"calls": NORMS}, X)
    assert not seen("def f(x): return x.var(-1, correction=0)", {"calls": NORMS}, X)


LOOPS = """
import torch
def loop(x):
    out = torch.zeros(())
    for row in x:
        out = out + row.sum()
    return out
def hidden(x): return sum(v for row in x.tolist() for v in row)
def plain(x):
    if x.dim() == 2:
        x = x.sum(0)
    return x.sum()
"""


def test_loops_are_counted():
    names = {}
    exec(LOOPS, names)
    grows = {}
    for name in ("loop", "hidden", "plain"):
        steps = []
        for size in SIZES:
            count = Count(names)
            with count():
                names[name](torch.ones(size, size))
            steps.append(count.steps)
        grows[name] = steps[1] - steps[0] >= SIZES[1] - SIZES[0]
    assert grows == {"loop": True, "hidden": True, "plain": False}


def test_the_table_names_questions_and_functions():
    for name, question in TABLE:
        assignment = load(name)
        asked = {n for case in assignment.questions[question].cases for n in case.asked}
        assert {function for function, _ in rules(assignment, question).loops} <= asked


def test_no_right_answer_names_what_is_unusual():
    for number in range(1, 15):
        assignment = load(f"hw{number:02}")
        assert not unusual(cells_of(assignment.solution(), assignment))
    for code in ("import gc", "x.f_back", "from sys import _getframe", "import ctypes as c"):
        assert unusual([(3, code)]).startswith("look at this: cell 3 names")


def test_what_was_stopped_or_denied_is_a_reason():
    cells = ["cell 3: left out: stopped after 40 seconds", "cell 4: NameError: x"]
    assert tried(cells, []) == "cell 3 was stopped"
    denied = "PermissionError: [Errno 13] Permission denied: '/etc/x'"
    told = "the jail denied a file or a connection (PermissionError)"
    assert tried([f"cell 5: {denied}"], []) == tried([], [denied, denied]) == told
    assert tried([], ["want 1.0; got 2.0"]) == ""


def test_an_answer_may_call_what_its_question_gives():
    bahdanau = load("hw04")
    assert rules(bahdanau, "q4").library == ("course_lib.recurrent.cells.gru_update",)
    assert rules(bahdanau, "q1").library == ()
