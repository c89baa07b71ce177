"""The arguments that every translator takes; for the letters see `protocol`."""

import torch
from jaxtyping import Bool, Int
from torch import Tensor

Source = Int[Tensor, "B S"]
SourceMask = Bool[Tensor, "B S"]
Token = Int[Tensor, " B"]
Tokens = Int[Tensor, "B T"]
Generator = torch.Generator | None
"""On the CPU, for first weights or for draws."""
