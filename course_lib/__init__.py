"""The library under the course From Recurrence to Attention."""

__version__ = "0.1.0"
