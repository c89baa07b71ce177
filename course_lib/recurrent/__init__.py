"""Recurrent nets from their equations, and a packed encoder whose tests prove it equal to them."""
