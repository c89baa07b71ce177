"""Real data sets: where they come from, how they are fetched, and how each is read."""
