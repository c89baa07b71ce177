"""The command line: one file for each command, and the data and recipes they know by name."""
