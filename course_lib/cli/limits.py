"""How large the numbers of a run may be: beyond, no machine of a reader's comes to an end.

They are refused at once, by name, in place of a full memory after minutes.
"""

MOST_PAIRS = 1_000_000
"""Sentence pairs, and tokens of a vocabulary."""
MOST_TOKENS = 10_000
"""Tokens of a sentence."""
MOST_STEPS = 100_000_000
MOST_EPOCHS = 1_000
"""Each epoch's order is planned before the first step."""
MOST_ACCUMULATED = 10_000
"""Batches of one update."""
WIDEST = 8_192
"""Units of a layer."""
MOST_BEAMS = 64
"""Beginnings of a sentence side by side; a batch of 64 sentences has as many of each."""
STRONGEST_PENALTY = 10
"""An exponent: in use it lies between 0 and 1, and far above, its power fits into no float."""
LARGEST_SEED = 2**63 - 1
"""What every random generator here takes."""
