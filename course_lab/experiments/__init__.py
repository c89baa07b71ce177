"""What the chapters measure: a folder each, named as its notebook, and the lab they share."""
