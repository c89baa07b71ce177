"""Values come over the wire as they were sent; whatever else comes is a WireError, soon."""

import functools
import json
import os
import random
import socket
import struct
import threading
import time

import numpy as np
import pytest
import torch

from course_lib.grading.wire import (
    DEPTH,
    HEADER,
    Closed,
    Handle,
    Kept,
    Line,
    TooLate,
    WireError,
    decode,
    encode,
)

FRAMES = int(os.environ.get("GRADING_FRAMES", "2000"))
"""Frames of the fuzz test; 100,000 have been tried."""


def none(value):
    return None


def there_and_back(value):
    header, buffers = encode(value, none)
    return decode(header, [bytearray(buffer) for buffer in buffers], lambda handle: handle)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -(2**70),
        0.1,
        float("inf"),
        "\ud800 ü",
        [1, [2.5, "x"], (3,)],
        {"a": (1, 2), 3: {4}, (5, 6): None},
        range(1, 9, 2),
        Handle(3, "function"),
        torch.float64,
    ],
)
def test_plain_values(value):
    got = there_and_back(value)
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize(
    "dtype", [torch.float32, torch.bfloat16, torch.int64, torch.bool, torch.complex64]
)
@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3), (9, 1)])
def test_tensors(dtype, shape):
    value = (torch.randn(shape) * 3).to(dtype)
    got = there_and_back([value, value.T if value.dim() == 2 else value])
    assert torch.equal(got[0], value)
    assert got[0].dtype == dtype
    assert got[1].shape == (value.T.shape if value.dim() == 2 else shape)


def test_a_column_of_a_larger_tensor():
    column = torch.arange(9).reshape(1, 9)[:, 4]
    assert there_and_back(column).tolist() == [4]


def test_gradients_and_arrays():
    assert there_and_back(torch.zeros(2, requires_grad=True)).requires_grad
    assert isinstance(there_and_back(Kept(torch.zeros(2))), Kept)
    assert there_and_back(np.arange(3.0)).tolist() == [0, 1, 2]
    scalar = there_and_back(np.float32(2.5))
    assert type(scalar) is np.float32
    assert scalar == 2.5


def test_what_has_no_place_in_a_frame():
    deep = []
    for _ in range(DEPTH + 1):
        deep = [deep]
    for value in (
        deep,
        object(),
        torch.zeros(1).expand(2**30),
        torch.zeros(3).to_sparse(),
        "x" * HEADER,
    ):
        with pytest.raises(WireError):
            encode(value, none)


@pytest.mark.parametrize(
    ("message", "buffers"),
    [
        ({"tensor": ["float32", [2], False]}, [b"1234"]),  # too short
        ({"tensor": ["float32", [2**62, 0], False]}, [b""]),
        ({"tensor": ["float32", [-1], False]}, [b"1234"]),
        ({"tensor": ["object", [1], False]}, [b"1234"]),
        ({"array": ["|O", [1]]}, [b"12345678"]),
        ({"array": ["<M8[s]", [1]]}, [b"12345678"]),
        ({"list": [{"tensor": ["uint8", [1], False]}] * 2}, [b"1"]),  # one buffer, used twice
        (None, [b"1"]),
        ({"set": [{"list": []}]}, []),
        ({"handle": [0, "not a name"]}, []),
        ({"float": 3}, []),
        ({"a": 1, "b": 2}, []),
        ([1], []),
        (1.5, []),
        (functools.reduce(lambda held, _: {"list": [held]}, range(DEPTH + 1), None), []),
    ],
)
def test_frames_that_nobody_sends(message, buffers):
    header = json.dumps({"message": message, "buffers": [len(b) for b in buffers]}).encode()
    with pytest.raises(WireError):
        decode(header, [bytearray(b) for b in buffers], lambda handle: handle)


def test_a_bool_is_zero_or_one():
    for message, byte in (
        ({"tensor": ["bool", [3], False]}, torch.uint8),
        ({"array": ["|b1", [3]]}, np.uint8),
    ):
        header = json.dumps({"message": message, "buffers": [3]}).encode()
        got = decode(header, [bytearray([0, 1, 255])], none)
        assert got.view(byte).tolist() == [0, 1, 1]


def test_a_frame_that_is_damaged_anywhere():
    """Bytes of good frames, changed, cut and doubled: a value or a WireError, nothing else."""
    draw = random.Random(0)
    value = {
        "x": [torch.randn(3), (1, 2.5)],
        "y": {"z": np.arange(4)},
        3: "text",
        "h": Handle(1, "f"),
    }
    header, buffers = encode(value, none)
    refused = 0
    for _ in range(FRAMES):
        data = bytearray(header)
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(len(data))
            data[at : at + draw.randint(0, 3)] = draw.randbytes(draw.randint(0, 3))
        try:
            decode(bytes(data), [bytearray(b) for b in buffers], lambda handle: handle)
        except WireError:
            refused += 1
    assert refused > FRAMES / 2


@pytest.fixture
def ends():
    a, b = socket.socketpair()
    with a, b:
        line = Line(a)
        line.deadline = time.monotonic() + 20
        yield line, b


def test_a_line_that_is_cut(ends):
    line, other = ends
    other.send(struct.pack("<I", 100) + b"{")
    other.close()
    with pytest.raises(Closed):
        line.receive()


@pytest.mark.parametrize(
    "data",
    [
        struct.pack("<I", 0xFFFFFFFF),
        struct.pack("<I", 4) + b"\xff\xfe\x00{",
        struct.pack("<I", 25) + b'{"buffers": [9999999999]}',
        struct.pack("<I", 15) + b'{"buffers": [ ]' + b"}",
        struct.pack("<I", 16) + b'{"buffers":[-1]}',
        struct.pack("<I", 2) + b"[]",
    ],
)
def test_a_header_that_is_none(ends, data):
    line, other = ends
    other.sendall(data)
    with pytest.raises(WireError):
        line.receive()


def test_nobody_answers(ends):
    line, _ = ends
    line.deadline = time.monotonic() + 0.1
    with pytest.raises(TooLate):
        line.receive()
    with pytest.raises(TooLate):
        line.send(b"x" * (64 << 20), [])


def test_large_buffers_pass(ends):
    line, other = ends
    sent = encode(torch.arange(1 << 20), none)
    thread = threading.Thread(target=Line(other).send, args=sent)
    thread.start()
    header, buffers = line.receive()
    thread.join()
    assert decode(header, buffers, none)[-1] == (1 << 20) - 1
