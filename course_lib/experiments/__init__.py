"""What is trained on what: data by name, and settings that are known to work."""
