"""Chapter 1: recall at a distance, and gradients through time."""
