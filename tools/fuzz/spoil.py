"""Files and words as nobody should write them."""

import json
from random import Random
from typing import Any

VALUES: list[Any] = [
    None, True, False, -1, 0, 1, 7, 2**31, 2**63, 2**70, 10**400, 0.5, -0.0, 1e308, float("nan"),
    float("inf"), "", "x", "de", "a\nb", "\ud800", "\u2028", [], [[]], {}, {"": None}, ["x"] * 50,
]  # fmt: skip
TEXTS = [
    "", " ", "x", "-", "--", "a\nb", "a\rb", "\x1b[31m", "\u2028", "\ufeff", "❤\ufe0f", "\udce4",
    "a\u0301", "中", "</s>", "<unk>", "▁", "$\\x$", "~nobody/x", ".", "..", "no/such/place",
    "x" * 5000, "W " * 300, "die Katze schläft .", "der Hund sieht die Katze .", "a\0b",
]  # fmt: skip
NUMBERS = ["-1", "0", "1", "2", "193", "4", "1.5", "1e9", "nan", "inf", str(10**12), str(2**70)]


def spoiled(content: bytes, random: Random) -> bytes:
    """The content of a file with one thing wrong: a value if it is JSON, or some bytes."""
    if random.random() < 0.6:
        try:
            return _other_value(json.loads(content), random)
        except ValueError:
            pass
    start, length = random.randrange(len(content) + 1), random.randrange(1, 9)
    before, after = content[:start], content[start + length :]
    return random.choice(
        [
            before,
            after,
            before + after,
            before + random.randbytes(length) + after,
            content + content[:start],
            before + content,
            content.replace(b"1", b"2"),
            b"[" * 100_000,
            b"\xff\xfe" + content,
            b"",
        ]
    )


def _other_value(content: Any, random: Random) -> bytes:
    """One place in the tree has another value, none, or one more beside it."""
    parents = list(_containers(content))
    if not parents or random.random() < 0.05:
        content = random.choice(VALUES)
    else:
        parent = random.choice(parents)
        keys = list(parent) if isinstance(parent, dict) else list(range(len(parent)))
        key = random.choice(keys) if keys else None
        if key is None or random.random() < 0.1:
            value = random.choice(VALUES)
            parent.update(more=value) if isinstance(parent, dict) else parent.append(value)
        elif random.random() < 0.2:
            del parent[key]
        else:
            parent[key] = random.choice(VALUES)
    return json.dumps(content).encode()


def _containers(content: Any) -> list[Any]:
    if not isinstance(content, dict | list):
        return []
    parts = content.values() if isinstance(content, dict) else content
    return [content, *(found for part in parts for found in _containers(part))]
