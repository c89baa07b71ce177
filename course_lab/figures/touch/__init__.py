"""Figures to touch: one module, one script and one style each, all with the same stem."""
