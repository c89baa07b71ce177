"""Side-by-side timings; results as JSON in benchmarks/results, which git does not keep."""
