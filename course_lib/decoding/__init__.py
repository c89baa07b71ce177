"""Decoding: from a model's probabilities to a sentence."""

from course_lib.decoding.greedy import Decoded, greedy

__all__ = ["Decoded", "greedy"]
