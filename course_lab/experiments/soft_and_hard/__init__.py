"""Soft and hard attention on scenes of digits (chapter 6b)."""
