"""Mutants: known mistakes, each of which some test has to notice.

A mutant is one small change that makes the code wrong. `python -m tools.mutants` makes each of
them in a copy of the project and runs the tests that should fail then. A mutant that survives says
that a line may be broken and nothing notices; the command fails. It fails as well where a mutant
no longer fits the code, so that the lists stay true.
"""
