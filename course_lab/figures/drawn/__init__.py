"""Drawings of architectures, put together from a few parts: boxes, vectors, arrows, gates."""
