"""Calls between judge and kernel: values, gradients, changed arguments, calls back, exceptions."""

import queue
import threading

import numpy as np
import pytest
import torch

from course_grader.peer import Peer, Remote
from course_grader.wire import WireError, decode, encode


def square(x):
    return {"y": x**2, "n": 3}


def change(x, parts, names):
    x += 1
    parts.append(len(parts))
    parts[0][0] = 7
    names["new"] = names.pop("old")


def stretch(x):
    x.unsqueeze_(0)


def slopes(f, x):
    return torch.autograd.functional.jacobian(f, x)


def keeps(f):
    return [f(n) for n in range(3)]


def fails(x):
    return x.missing


@pytest.fixture
def student():
    """The functions above, as the judge has them; the other side runs in a thread."""
    to_judge, to_student = queue.Queue(), queue.Queue()

    def exchange(text):
        to_judge.put(text)
        return to_student.get()

    class Student(Peer):
        caught = BaseException

        def answer_other(self, message):
            return {"op": "value", "value": globals()[message["name"]]}

    def serve():
        peer = Student(exchange)
        message = peer.exchange({"op": "ready"})
        while message["op"] != "end":
            message = peer.exchange(peer.answer(message))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    to_judge.get()
    judge = Peer(lambda text: (to_student.put(text), to_judge.get(timeout=60))[1])
    yield lambda name: judge.ask({"op": "name", "name": name})["value"]
    to_student.put('["dict", [["op", "end"]]]')
    thread.join(60)


def test_values_and_gradients(student):
    x = torch.tensor([3.0, -1.0], requires_grad=True)
    got = student("square")(x)
    assert got["n"] == 3
    (got["y"] * torch.tensor([1.0, 10.0])).sum().backward()
    assert x.grad.tolist() == [6, -20]
    with torch.no_grad():
        assert not student("square")(x)["y"].requires_grad


def test_what_an_answer_changes_in_place_is_changed_here(student):
    x, parts, names = torch.zeros(2), [torch.zeros(2)], {"old": 1}
    inner = parts[0]
    student("change")(x, parts, names)
    assert (x.tolist(), inner.tolist(), len(parts), names) == ([1, 1], [7, 0], 2, {"new": 1})
    assert parts[0] is inner
    student("stretch")(x)
    assert x.shape == (1, 2)


def test_functions_of_both_sides(student):
    assert student("keeps")(lambda n: n * n) == [0, 1, 4]
    assert student("keeps")(student("square")) == [{"y": n * n, "n": 3} for n in range(3)]
    matrix = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert torch.equal(student("slopes")(lambda x: matrix @ x, torch.ones(2)), matrix)


def test_exceptions_keep_their_names(student):
    with pytest.raises(AttributeError, match="missing"):
        student("fails")(3)
    with pytest.raises(KeyError):
        student("nothing")
    with pytest.raises(ZeroDivisionError):
        student("keeps")(lambda n: 1 / n)
    assert isinstance(student("fails"), Remote)
    assert type(student("fails")).__name__ == "function"


VALUES = [
    *(None, True, 3, 2.5, float("-inf"), "ß", [1, (2.0, {"a": {3}})], range(3), {1: [None]}),
    *(torch.arange(6).reshape(2, 3), torch.zeros(0, 3), torch.tensor(1.5, dtype=torch.bfloat16)),
    *(torch.tensor([True, False]), torch.zeros(2, 3).T, np.arange(3.0), np.float32(2), np.array(1)),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_comes_back_the_same(value):
    back = decode(encode(value, None), None)
    assert type(back) is type(value)
    if isinstance(value, torch.Tensor):
        assert back.dtype == value.dtype
        assert torch.equal(back, value)
    else:
        assert repr(back) == repr(value)


BAD = ["", "[", '["tensor", "float32", [2], false, "AAAA"]', '["array", "|O", [1], "AAAA"]', "[[]]"]
BAD += ['["tensor", "no", [1], false, ""]', "1.5", '["dict", [[["list", []], 1]]]', "[" * 10**5]


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_what_encode_would_not_write_is_refused(text):
    with pytest.raises(WireError):
        decode(text, lambda code: pytest.fail("an object"))


def test_what_is_too_large_is_not_sent():
    with pytest.raises(WireError, match="32 MB"):
        encode([torch.zeros(5 << 20)] * 2, None)
