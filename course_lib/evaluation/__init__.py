"""Measures of translations: BLEU, exact match by length, alignment error, perplexity."""
