"""Chapter 2: what one vector holds."""
