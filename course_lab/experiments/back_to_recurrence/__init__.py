"""Chapter 15: what attention without softmax remembers."""
