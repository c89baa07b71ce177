"""What the answers may not use, question by question, as the homework's text says.

Beside this table an answer may call of the course's own packages what the right answer and the
cells given with its question use, and nothing else: the library does not answer a homework.
"""

import ast
import importlib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import torch

from course_lib.grading.assignment import Assignment

SOFTMAX = {"softmax", "log_softmax", "logsumexp", "_softmax", "_log_softmax", "_safe_softmax"}
SOFTMAX |= {"special_softmax", "special_log_softmax", "cross_entropy_loss", "logaddexp"}
ATTENTION = {"scaled_dot_product_attention", "multi_head_attention_forward"}
ATTENTION |= {"torch/nn/modules/activation.py"}
RECURRENT = {"rnn_tanh", "rnn_relu", "gru", "lstm", "rnn_tanh_cell", "gru_cell", "lstm_cell"}
RECURRENT |= {"rnn_relu_cell", "torch/nn/modules/"}
NORMS = {"layer_norm", "native_layer_norm", "group_norm", "native_group_norm", "rms_norm"}
NORMS |= {"batch_norm", "instance_norm", "_fused_rms_norm", "torch/nn/modules/normalization.py"}
CLIPPING = {"torch/nn/utils/", "renorm", "clip_grad_norm_"}


class Rules(NamedTuple):
    """What the answer to a question may use.

    Attributes:
        library: names and modules of the course that it may call.
        calls: functions and operations of torch, and files, that it may not.
        autograd: whether it may use autograd.
        loops: by name the functions that may not loop, with their arguments for a size.
    """

    library: tuple[str, ...]
    calls: frozenset[str] = frozenset()
    autograd: bool = True
    loops: tuple[tuple[str, Callable[[int], tuple]], ...] = ()

    def told(self) -> dict[str, Any]:
        """As a worker gets them."""
        return {
            "library": list(self.library),
            "calls": sorted(self.calls),
            "autograd": self.autograd,
            "strict": bool(self.calls) or not self.autograd,
        }


def _gradients(n: int) -> tuple:
    draw = torch.Generator().manual_seed(n)
    weights = torch.randn(2, n, n, generator=draw).softmax(-1)
    return weights, torch.randn(2, n, 3, generator=draw), torch.randn(2, n, 3, generator=draw)


def _states(n: int) -> tuple:
    draw = torch.Generator().manual_seed(n)
    sizes = ((2, n, n), (2, n, 3), (2, n, 4), (4, 3), (4,))
    return tuple(torch.randn(size, generator=draw) for size in sizes)


def _heads(n: int) -> tuple:
    draw = torch.Generator().manual_seed(n)
    matrices = (torch.randn(4 * n, 4 * n, generator=draw) for _ in range(4))
    mask = torch.ones(2, 3, 3, dtype=torch.bool)
    return torch.randn(2, 3, 4 * n, generator=draw), *matrices, n, mask


TABLE: dict[tuple[str, str], dict[str, Any]] = {
    ("hw01_recurrence", "q1"): {"calls": RECURRENT},
    ("hw01_recurrence", "q2"): {"calls": RECURRENT, "autograd": False},
    ("hw01_recurrence", "q3"): {"calls": CLIPPING},
    ("hw01_recurrence", "q4"): {"calls": RECURRENT},
    ("hw02_seq2seq", "q2"): {"calls": SOFTMAX},
    ("hw03_alignment", "q5"): {"library": ("course_lab.experiments.alignment.links",)},
    ("hw04_bahdanau", "q1"): {"calls": SOFTMAX},
    ("hw04_bahdanau", "q3"): {
        "autograd": False,
        "loops": (("score_gradients", _gradients), ("state_gradients", _states)),
    },
    ("hw06_where_to_look", "q4"): {"autograd": False},
    ("hw09_multi_head", "q2"): {"loops": (("several_heads", _heads),)},
    ("hw10_transformer", "q1"): {"calls": NORMS},
    ("hw12_at_scale", "q3"): {"calls": ATTENTION, "autograd": False},
}
"""By homework and question what its text forbids; or of the course's packages allows beside."""

SIZES = (3, 12)
"""The two sizes for which the steps of a function without a loop are counted."""


UNUSUAL = re.compile(
    r"\b(ctypes|(?<=import )gc|get_objects|get_referr?e\w+|settrace|setprofile|addaudithook|"
    r"_getframe|currentframe|f_back|f_globals|f_locals|gi_frame|tb_frame|__subclasses__|course_lib\.grading)\b"
)
"""Ways out of a function's own names, which no answer needs."""


def unusual(cells: list[tuple[int, str]]) -> str:
    """What a person should look at in the cells, each with its number; no score depends on it."""
    found = [(number, sorted(set(UNUSUAL.findall(source)))) for number, source in cells]
    told = ", ".join(
        f"cell {number} names {' and '.join(words)}" for number, words in found if words
    )
    return f"look at this: {told}"[:500] if told else ""


DENIED = re.compile(
    r"PermissionError|Read-only file system|unreachable|gaierror|URLError|ConnectionRefused"
)
"""What Python says of a file or a connection that the jail does not give."""


def tried(cells: Sequence[str], messages: Sequence[str]) -> str:
    """What a person should know of cells that were stopped, and of what the jail denied.

    Args:
        cells: what is told of cells that raised or were stopped.
        messages: of tests.
    """
    told = [cell.partition(": ")[0] + " was stopped" for cell in cells if ": left out:" in cell]
    if found := sorted({each[0] for text in (*cells, *messages) if (each := DENIED.search(text))}):
        told.append(f"the jail denied a file or a connection ({', '.join(found)})")
    return "; ".join(told)[:500]


def rules(assignment: Assignment, question: str) -> Rules:
    """The rules of a question."""
    told = TABLE.get((assignment.name, question), {})
    return Rules(
        (*_library(assignment, question), *told.get("library", ())),
        frozenset(told.get("calls", ())),
        told.get("autograd", True),
        told.get("loops", ()),
    )


def _library(assignment: Assignment, question: str) -> tuple[str, ...]:
    """What the right answer and the cells given with it use of the course's packages."""
    imported: dict[str, tuple[str, str]] = {}
    used: set[str] = set()
    for cell in assignment.cells:
        if cell.kind not in ("code", "answer"):
            continue
        for node in ast.walk(ast.parse(cell.solution)):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    imported[alias.asname or alias.name] = (node.module, alias.name)
            elif isinstance(node, ast.Name) and cell.question in ("", question):
                used.add(node.id)
    found = {name for key in used & imported.keys() for name in _names_of(*imported[key])}
    return tuple(sorted(found))


def _names_of(module: str, name: str) -> Iterator[str]:
    """What is imported so, by the names of the modules that define it."""
    yield f"{module}.{name}"
    try:
        value = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError):  # a module of a package, or nothing
        return
    for part in getattr(value, "__mro__", (value,)):
        if hasattr(part, "__qualname__"):
            yield f"{part.__module__}.{part.__qualname__}"
