"""Chapter 10: the Transformer beside Bahdanau's model, and what each of its parts is good for."""
