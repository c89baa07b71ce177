"""Chapter 14's experiments."""
