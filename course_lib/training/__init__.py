"""Training: one loop for every model, and runs that survive being killed."""
