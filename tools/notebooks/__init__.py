"""From a chapter's text to its executed notebook, always with the same bytes."""
