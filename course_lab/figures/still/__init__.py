"""Figures that stand still, drawn with matplotlib."""
