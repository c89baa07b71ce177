"""The mini-world: a grammar that writes English and German with the gold word alignment."""
