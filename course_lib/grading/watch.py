"""In the worker: what an answer may not use is seen where it is used, not where it is written.

A profile function sees each call, of Python's and of C's; a dispatch mode sees each operation of
torch, by whatever way it was reached; inference mode keeps no graph. For loops a trace counts lines
and the dispatch mode counts operations; the judge compares the counts for two sizes.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import CodeType, FrameType
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

STEALTHY = {"setprofile", "settrace", "fork", "fork_exec", "posix_spawn", "start_new_thread"}
STEALTHY |= {"get_objects", "get_referrers", "dlopen", "addaudithook"}
"""Functions of C by which code could leave this watch; no answer needs them."""

GRADIENTS = {"run_backward", "make_dual", "_make_dual", "_enter_dual_level"}
"""Functions of C through which every gradient of autograd passes."""

OTHERS = {"scipy", "sklearn", "jax", "jaxlib", "tensorflow", "keras", "transformers", "flax", "mlx"}
OTHERS |= {"autograd", "onnxruntime", "torchtext", "fairseq", "tinygrad", "cupy", "paddle"}
"""Packages that have the answers, too."""

_GRADIENT_FILES = ("autograd/__init__.py", "autograd/functional.py", "autograd/forward_ad.py")
_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_COURSE = os.path.dirname(os.path.dirname(os.path.dirname(_HERE))) + os.sep
_FOLDERS = (os.path.dirname(os.path.dirname(torch.__file__)) + os.sep, _COURSE)


class Watch:
    """Watches one call of a student's function.

    Args:
        names: the student's own, by which the student's frames are known.
        rules: `library`: names and modules of the course that the answer may call, or None for
            all; `calls`: names of functions of C, of operations and of files that it may not use;
            `autograd`: False forbids it.

    Attributes:
        seen: what was used and may not be.
    """

    def __init__(self, names: dict[str, Any], rules: dict[str, Any]):
        self.names, self.seen = names, []
        self.library = rules.get("library")
        self.calls = set(rules.get("calls", ()))
        self.autograd = rules.get("autograd", True)

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Watches what runs in this block, on this thread."""
        with ExitStack() as stack:
            if not self.autograd:
                stack.enter_context(torch.inference_mode())
            if self.calls:
                stack.enter_context(_Operations(self._operation))
            hook = self._hook()
            sys.setprofile(hook)
            try:
                yield
            finally:
                if sys.getprofile() != hook:
                    self._say("a change of the grader's watch")
                sys.setprofile(None)

    def _hook(self) -> Callable[[FrameType, str, Any], None]:
        """The profile function, which sees every call and has to be fast."""
        harmless: set[CodeType] = set()
        told = {**dict.fromkeys(self.calls | STEALTHY, ""), **dict.fromkeys(GRADIENTS, "autograd")}
        if self.autograd:
            told = {name: what for name, what in told.items() if not what}

        def profile(frame: FrameType, event: str, argument: Any) -> None:
            if event == "call":
                code = frame.f_code
                if code not in harmless:
                    verdict = self._judged(frame)
                    if not verdict:
                        harmless.add(code)
                    elif verdict[0] != "?" or self._by_student(frame):
                        self._say(verdict.lstrip("?"))
            elif event == "c_call" and argument.__name__ in told:
                name = argument.__name__
                if name not in STEALTHY or not frame.f_code.co_filename.startswith(_HERE):
                    self._say(told[name] or name)

        return profile

    def _say(self, what: str) -> None:
        if what not in self.seen and len(self.seen) < 10:
            self.seen.append(what)

    def _operation(self, name: str) -> None:
        if name in self.calls:
            self._say(f"torch's {name.strip('_')}")

    def _judged(self, frame: FrameType) -> str:
        """What a function is, if it may not be called; with a "?" if only the student may not."""
        file, name = frame.f_code.co_filename, frame.f_code.co_name
        if file.startswith(_HERE):
            return ""
        module = _module(file)
        root = module.partition(".")[0]
        if root in ("course_lib", "course_lab"):
            return self._of_library(frame, module, name)
        if root == "torch":
            if not self.autograd and (
                file.endswith(_GRADIENT_FILES) and name not in ("__init__", "<module>")
            ):
                return "autograd"
            files = (call for call in self.calls if "/" in call)
            if name in self.calls or any(part in file for part in files):
                return f"{module}.{name}"
            return ""
        return f"?{module}" if root in OTHERS else ""

    def _of_library(self, frame: FrameType, module: str, name: str) -> str:
        """Functions and new objects of the library are for those whose question gives them."""
        if self.library is None:
            return ""
        # A function of the module or a new object of a class; methods come with an object.
        own = getattr(frame.f_globals.get(name), "__code__", None) is frame.f_code
        if name == "__init__":
            name, own = type(next(iter(frame.f_locals.values()), None)).__name__, True
        if not own or f"{module}.{name}" in self.library or module in self.library:
            return ""
        return f"?{module}.{name}"

    def _by_student(self, frame: FrameType) -> bool:
        """Whether the student's code, and no function of the course, has asked for this one."""
        caller = frame.f_back
        while caller is not None:
            file = caller.f_code.co_filename
            if caller.f_globals is self.names or file.startswith(_HERE):
                return True
            if _module(file).startswith(("course_lib", "course_lab")):
                return False
            caller = caller.f_back
        return True


def _module(file: str) -> str:
    """The module that a file of a package is; no code can say that it comes from another."""
    for folder in _FOLDERS:
        if file.startswith(folder):
            name = file[len(folder) :].removesuffix(".py").replace(os.sep, ".")
            return name.removesuffix(".__init__")
    return ""


class Count:
    """Counts what a call does: the lines of the student's code, and torch's operations."""

    def __init__(self, names: dict[str, Any]):
        self.names, self.steps = names, 0

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Counts in this block."""

        def trace(frame: FrameType, event: str, argument: Any) -> Any:
            if frame.f_globals is not self.names:
                return None
            self.steps += event == "line"
            return trace

        with _Operations(self._operation):
            sys.settrace(trace)
            try:
                yield
            finally:
                sys.settrace(None)

    def _operation(self, name: str) -> None:
        self.steps += 1


class _Operations(TorchDispatchMode):
    """Tells of each operation of torch."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """torch would import its compiler, which takes half a minute, to keep it away from here."""
        return False

    def __init__(self, told: Callable[[str], None]):
        super().__init__()
        self.told = told

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        self.told(function.overloadpacket.__name__)
        return function(*args, **(kwargs or {}))
