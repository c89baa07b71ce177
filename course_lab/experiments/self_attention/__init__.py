"""Chapter 8: every word asks every other."""
