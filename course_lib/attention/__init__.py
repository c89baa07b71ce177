"""Attention as pure functions and small modules, apart from any network that uses it."""
