"""The experiments of chapter 11: searching, sampling, and what a cache saves."""
