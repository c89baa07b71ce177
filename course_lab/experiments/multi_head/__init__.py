"""Chapter 9: what several heads can do that one cannot, and what each of them does."""
