"""The conditions under which trained numbers are made again.

What acts was tried with torch 2.13 for x86 (built with MKL 2024.2 and oneDNN 3.12) and numpy 2.2
(OpenBLAS): ATEN_CPU_CAPABILITY changes torch's own sums, softmax and, at "default", nearly all;
MKL_CBWR changes matrix products, exp and tanh; OPENBLAS_CORETYPE changes numpy's matrix products.
ONEDNN_MAX_CPU_ISA changed nothing in float32 here, where MKL does that work; it is for builds and
processors where oneDNN does. Another number of threads cuts sums elsewhere.
"""

import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

NUDGES = Path(__file__).with_name("nudge")


class Condition(NamedTuple):
    """One way to make the same number.

    Attributes:
        name: as it stands in the records.
        settings: environment variables.
        needs: what the processor must have, as torch calls it; "" for every processor.
    """

    name: str
    settings: dict[str, str]
    needs: str = ""


def _arithmetic(aten: str, onednn: str, mkl: str, openblas: str) -> dict[str, str]:
    return {
        "ATEN_CPU_CAPABILITY": aten,
        "ONEDNN_MAX_CPU_ISA": onednn,
        "MKL_CBWR": mkl,
        "OPENBLAS_CORETYPE": openblas,
    }


_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
ALL = (
    Condition("as it is", {}),
    Condition("no AVX", _arithmetic("default", "SSE41", "COMPATIBLE", "Nehalem"), "x86"),
    Condition("AVX2", _arithmetic("avx2", "AVX2", "AVX2", "Haswell"), "AVX2"),
    Condition("one thread", dict.fromkeys(_THREADS, "1")),
    Condition("nudged", {"COURSE_NUDGE": "1e-6:1"}),
)


def conditions() -> list[Condition]:
    """Those that this machine can make."""
    import torch

    features = {""}
    if platform.machine().lower() in ("x86_64", "amd64"):
        best = torch.backends.cpu.get_cpu_capability()
        features |= {"x86", "AVX2"} if best in ("AVX2", "AVX512") else {"x86"}
    return [condition for condition in ALL if condition.needs in features]


def environment(condition: Condition, base: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables of a process; what the shell set for another condition is taken out."""
    known = {"COURSE_STORED", *(name for c in ALL for name in c.settings)}
    kept = {name: value for name, value in base.items() if name not in known}
    path = os.pathsep.join([str(NUDGES), *filter(None, [base.get("PYTHONPATH", "")])])
    return {**kept, **condition.settings, "COURSE_DEVICE": "cpu", "PYTHONPATH": path}
