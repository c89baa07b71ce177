"""Decoding: from a model's probabilities to a sentence."""
