"""The arguments that many models take, by their shapes; for the letters see `protocol`."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

Source = Int[Tensor, "B S"]
SourceMask = Bool[Tensor, "B S"]
Token = Int[Tensor, " B"]
Tokens = Int[Tensor, "B T"]
TokenMask = Bool[Tensor, "B T"]
Vectors = Float[Tensor, "B T D"]
Logits = Float[Tensor, "B T V"]
Positions = Int[Tensor, "*P T"]
Mask = Bool[Tensor, "..."] | None
Generator = torch.Generator | None
"""On the CPU, for first weights or for draws."""
