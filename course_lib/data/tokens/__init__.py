"""From sentences to token ids and back."""
