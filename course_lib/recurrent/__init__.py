"""Recurrent nets from their equations, and the packed encoder that is proved equal to them."""

from course_lib.recurrent.encoder import Encoded, RecurrentEncoder

__all__ = ["Encoded", "RecurrentEncoder"]
