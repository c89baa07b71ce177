"""Mutants: the slips that a reader of the papers makes when writing the mathematics down.

Each is one small change that makes the code wrong, and some test has to notice it. They are in
`slips/SUBJECT.txt`, several to a file of the project and its tests:

    @ course_lib/attention/attend.py tests/unit/attention/test_attend.py
    # attend forgets its mask
    -masked_softmax(score(query, key), mask)
    +masked_softmax(score(query, key))

After "@": the file, then what pytest is given. After "-": text that the file has exactly once;
after "+": the mistake in its place, which may be nothing.
"""
