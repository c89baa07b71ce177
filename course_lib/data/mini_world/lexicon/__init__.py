"""The words of the mini-world: tables, how they inflect, and what goes with what."""
