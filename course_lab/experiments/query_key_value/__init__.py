"""Chapter 5: what a score can be, and what its scale does."""
