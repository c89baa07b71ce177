"""Figures from arrays and tokens, in one style, each with words for those who cannot see it."""
