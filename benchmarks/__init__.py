"""Side-by-side timings. `make bench` runs all; their numbers lie in benchmarks/results."""
