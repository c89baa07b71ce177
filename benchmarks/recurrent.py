"""The recurrent attention decoder in training, beside the loop that does all its work inside.

Both are Bahdanau's. The library projects the keys, the words' gates and the scores of words for all
steps at once; the loop does each of these at every step, as the equations are written. Forward and
backward pass, the encoder included.
"""

from dataclasses import replace

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from benchmarks._timing import Row, compared, operations, run
from course_lib.attention.masks import for_keys
from course_lib.device import cpu_generator
from course_lib.models.bahdanau import Bahdanau, BahdanauConfig
from course_lib.models.parts import Annotations
from course_lib.models.protocol import Output

WORDS, PAIRS, LENGTH = 8_000, 64, 20
CONFIG = BahdanauConfig(WORDS, WORDS, embedding=256, hidden=256, alignment=256)


class Inside(Bahdanau):
    """The same network, everything inside the loop."""

    def decode(
        self, target_in: Tensor, memory: Annotations, *, return_attention: bool = False
    ) -> Output:
        """Teacher forcing."""
        hidden, mask, logits = self.start(memory).hidden, for_keys(memory.mask), []
        for token in target_in.unbind(dim=1):
            word = self.target_embed(token)
            now = replace(memory, keys=self.score.project_keys(memory.annotations))
            hidden, context, _ = self.decoder_step(self.word_gates(word), hidden, now, mask)
            logits.append(self.output(hidden, word, context))
        return Output(torch.stack(logits, 1), None)


def measure(device: torch.device, quick: bool, limits: dict[str, float]) -> list[Row]:
    """One case."""
    generator = cpu_generator(0)
    pairs = PAIRS // 4 if quick else PAIRS
    source, target = (
        torch.randint(4, WORDS, (pairs, size), generator=generator).to(device)
        for size in (LENGTH, LENGTH + 1)
    )
    read = (source, torch.ones_like(source, dtype=torch.bool), target[:, :-1])
    ours = Bahdanau(CONFIG, generator).to(device).train()
    loop = Inside(CONFIG).to(device).train()
    loop.load_state_dict(ours.state_dict())
    torch.testing.assert_close(ours(*read).logits, loop(*read).logits, rtol=1e-4, atol=1e-5)

    def passed(model: Bahdanau) -> None:
        model.zero_grad()
        cross_entropy(model(*read).logits.flatten(0, 1), target[:, 1:].flatten()).backward()

    calls = {"all inside the loop": lambda: passed(loop), "library": lambda: passed(ours)}
    bound = {name: operations(call) / limits["float32"] for name, call in calls.items()}
    case = f"Bahdanau, {pairs} pairs of {LENGTH} tokens"
    return compared(case, calls, device, repeats=3 if quick else 9, bound=bound)


if __name__ == "__main__":
    run("recurrent", measure)
