"""Recurrent nets from their equations, and the packed encoder that is proved equal to them."""
