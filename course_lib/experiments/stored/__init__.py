"""Results of long runs that the book shows, as JSON, each written by the script it names."""
