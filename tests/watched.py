"""A beam search that is watched, held step by step against teacher forcing."""

from itertools import pairwise

import torch
from torch import Tensor

from course_lib.data.tokens.tokenizer import END, START
from course_lib.decoding.beam import beam_hypotheses
from course_lib.models.protocol import EncoderDecoder


def check_running_sums(
    model: EncoderDecoder, source: Tensor, mask: Tensor, *, beams: int = 3, max_length: int = 5
) -> int:
    """At each step every beginning is as probable as `forward` says, which keeps nothing.

    Returns:
        how often a hypothesis goes on in another place than its parent's, and so with other rows.
    """
    steps = []
    beam_hypotheses(model, source, mask, beams=beams, max_length=max_length, watch=steps.append)
    written = {i: [[START]] * beams for i in range(len(source))}
    for step in steps:
        stands = (step.log_p > -torch.inf).nonzero().tolist()
        for n, i in enumerate(step.sentence):
            pairs = zip(step.parent[n].tolist(), step.newest[n].tolist(), strict=True)
            written[i] = [[*written[i][parent], token] for parent, token in pairs]
        rows = torch.tensor([step.sentence[n] for n, _ in stands])
        lines = torch.tensor([written[step.sentence[n]][place] for n, place in stands])
        with torch.no_grad():
            share = model(source[rows], mask[rows], lines[:, :-1]).logits.log_softmax(-1)
        wanted = share.gather(-1, lines[:, 1:, None]).sum((1, 2))
        found = step.log_p[step.log_p > -torch.inf]
        torch.testing.assert_close(found, wanted, atol=1e-8, rtol=0)
    moved = 0
    # All first tokens have one parent; after the last step nothing goes on.
    for step, later in pairwise(steps[1:]):
        going = torch.tensor([i in later.sentence for i in step.sentence])
        live = (step.log_p > -torch.inf) & (step.newest != END) & going[:, None]
        moved += int((live & (step.parent != torch.arange(beams))).sum())
    return moved
