"""Chapter 12: what attention and recurrence cost."""
