"""Decoding: from a model's probabilities to a sentence, greedily, by beams or by chance."""

from .beam import Hypothesis, beam, beam_hypotheses, length_penalty
from .exact import most_probable
from .generate import NEVER, Decoded, SearchLimits, generate
from .greedy import greedy
from .sample import kept_probabilities, sample
