"""Decoding: from a model's probabilities to a sentence, greedily, by beams or by chance."""
