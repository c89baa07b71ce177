"""A grader for the homework that trusts no submission.

Three roles. The *judge* has the tests, the salt and the results, and never runs a student's code.
The *zygote* has imported torch and holds no secret. A *worker* is forked from it for each
submission, in a jail, and forked again for each test: there the student's code runs.
"""
