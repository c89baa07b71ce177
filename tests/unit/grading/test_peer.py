"""Calls in both directions: values, exceptions, gradients, changed arguments, calls back."""

import socket
import threading

import pytest
import torch

from course_lib.grading.peer import Peer, Remote
from course_lib.grading.wire import Line, WireError
from course_lib.grading.worker import Student

NAMES: dict = {}
exec(
    """
import torch

class Two(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2))
    def forward(self, x):
        return x * self.weight

def square(x):
    return {"y": x ** 2, "n": 3}

def change(x, parts, more):
    x += 1
    parts.append(len(parts))
    parts[0][0] = 7
    more["new"] = more.pop("old")

def adder(n):
    return lambda x: x + n

def apply(f, x):
    return f(x)

def slopes(f, x):
    return torch.autograd.functional.jacobian(f, x)

def fails(x):
    return x.missing

def indexes(x):
    return [][x]
""",
    NAMES,
)
NAMES["two"] = NAMES["Two"]()


@pytest.fixture
def named():
    """Called with a name: the student's object, in another thread."""
    ours, theirs = socket.socketpair()
    student = Student(Line(theirs), NAMES)
    thread = threading.Thread(target=student.serve, daemon=True)
    thread.start()
    peer = Peer(Line(ours), limits=(50.0, 5.0))
    yield lambda name: peer.call(0, (name, 0, {}), {})
    ours.shutdown(socket.SHUT_RDWR)
    ours.close()
    thread.join(60)
    theirs.close()


def test_values_and_gradients(named):
    x = torch.tensor([3.0, -1.0], requires_grad=True)
    got = named("square")(x)
    assert got["n"] == 3
    (got["y"] * torch.tensor([1.0, 10.0])).sum().backward()
    assert x.grad.tolist() == [6, -20]
    with torch.no_grad():
        assert not named("square")(x)["y"].requires_grad


def test_what_an_answer_changes_is_seen(named):
    x, parts, more = torch.zeros(2), [torch.zeros(2)], {"old": 1}
    inner = parts[0]
    named("change")(x, parts, more)
    assert x.tolist() == [1, 1]
    assert (inner.tolist(), len(parts), parts[0] is inner) == ([7, 0], 2, True)
    assert more == {"new": 1}


def test_functions_of_both_sides(named):
    assert named("adder")(2)(5) == 7
    assert named("apply")(lambda x: 3 * x, 4) == 12
    assert named("apply")(named("square"), 4) == {"y": 16, "n": 3}
    x = torch.ones(3, requires_grad=True)
    named("apply")(torch.tanh, x).sum().backward()
    assert torch.allclose(x.grad, 1 - torch.tanh(torch.ones(3)) ** 2)


def test_a_students_derivative_of_a_tests_function(named):
    matrix = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert torch.equal(named("slopes")(lambda x: matrix @ x, torch.ones(2)), matrix)


def test_a_students_module(named):
    two = named("two")
    assert isinstance(two, Remote)
    assert type(two).__name__ == "Two"
    assert two(torch.ones(2)).tolist() == [1, 1]
    assert [p.tolist() for p in two.parameters()] == [[1, 1]]
    two.load_state_dict({"weight": torch.zeros(2)})
    assert two(torch.ones(2)).tolist() == [0, 0]
    with pytest.raises(AttributeError):
        _ = two.forward_hooks


def test_exceptions_keep_their_names(named):
    with pytest.raises(IndexError, match="list index out of range"):
        named("indexes")(3)
    with pytest.raises(AttributeError, match="missing"):
        named("fails")(3)
    with pytest.raises(NameError):
        named("nothing")
    with pytest.raises(ValueError, match="ours"):
        named("apply")(_fail, 3)


def _fail(x):
    raise ValueError("ours")


def test_calls_back_are_counted(named):
    NAMES["many"] = eval("lambda f: [f(n) for n in range(60)]")
    with pytest.raises(WireError):
        named("many")(lambda n: n)


def test_calls_back_that_keep_a_gradient_are_counted_apart(named):
    NAMES["keeps"] = lambda f: [f(torch.ones(2, requires_grad=True)) for _ in range(10)]
    with pytest.raises(WireError):
        named("keeps")(lambda x: 2 * x)


def test_a_judges_module_cannot_be_changed(named):
    NAMES["steal"] = eval("lambda f: f.load_state_dict({})")
    layer = torch.nn.Linear(2, 2)
    with pytest.raises(Exception, match="module's method"):
        named("steal")(layer)
