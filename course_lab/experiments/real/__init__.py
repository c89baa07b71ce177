"""Chapter 13: every translator on real sentences, under one protocol."""
