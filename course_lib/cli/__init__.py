"""The command line: its parser, its commands, and the tasks and recipes they know by name."""
