"""Odd input to the command line and to what it loads: whatever comes, one line and no traceback."""
