"""Chapter 6a: everywhere, or nearby."""
