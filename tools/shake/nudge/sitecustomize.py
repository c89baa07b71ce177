"""Moves a net's first weights a little, in every Python that has this folder on its path.

`tools.shake` puts the folder on PYTHONPATH and says by how much: COURSE_NUDGE="1e-6:7" multiplies
each parameter by 1 + 1e-6 z, z standard normal from seed 7, when it first meets an optimiser.
Kernels and spawned processes get it too, and the library knows nothing of it.
"""

import importlib.abc
import importlib.machinery
import os
import sys

_MODULE = "torch.optim.optimizer"


class _Finder(importlib.abc.MetaPathFinder):
    """Waits for torch's optimisers, so that a Python without torch pays nothing."""

    def find_spec(self, name, path=None, target=None):
        if name != _MODULE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def exec_module(module):
                run(module)
                _wrap(module.Optimizer)

            spec.loader.exec_module = exec_module
        return spec


def _wrap(optimizer) -> None:
    size, seed = os.environ["COURSE_NUDGE"].split(":")
    begin = optimizer.__init__
    drawn = []  # one generator a process, made late: here torch is not whole yet

    def __init__(self, *args, **kwargs):
        import torch

        begin(self, *args, **kwargs)
        generator = drawn[0] if drawn else torch.Generator().manual_seed(int(seed))
        drawn[:] = [generator]
        for group in self.param_groups:
            for parameter in group["params"]:
                if getattr(parameter, "nudged", False):
                    continue  # a second lesson goes on where the first one ended
                parameter.nudged = True
                shift = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
                with torch.no_grad():
                    parameter.mul_((1 + float(size) * shift).to(parameter))

    optimizer.__init__ = __init__


if os.environ.get("COURSE_NUDGE"):
    sys.meta_path.insert(0, _Finder())
