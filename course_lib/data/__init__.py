"""Sentence pairs, real and synthetic, and their way into padded batches of token ids."""
