"""Odd input to the command line and to what it loads: whatever comes, one line and no traceback.

Hypothesis draws the cases (tests/unit/cli/test_fuzz.py): 120 in every run of the tests, and once a
week 10,000 other ones, by `--hypothesis-profile=attack`.
"""
