"""Chapter 4: one vector or attention."""
