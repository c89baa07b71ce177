"""The gates of `make test`. Each is a function of the project's root that answers a Result."""
