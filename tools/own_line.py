"""What `make homework` writes into every test file, so that a crash shows the student's own line.

otter shows the line of the test that failed. Where the student's function raises, that is where
the test called it, and of the line that is wrong nothing is said.
"""

import ast
import inspect
import textwrap

FIRST = "from otter.test_files import test_case\n"
"""How otter begins a test file, but for what it says of itself."""


def with_own_line(function):
    """The same function; what it raises says which line of its author's code stopped."""
    import functools
    import linecache
    import traceback

    own = getattr(function, "__globals__", None)
    if own is None:
        return function

    @functools.wraps(function)
    def call(*given, **named):
        try:
            return function(*given, **named)
        except Exception as error:
            # The innermost step in the notebook's own code: below it are torch and the library.
            walk = traceback.walk_tb(error.__traceback__)
            steps = [(f.f_code, number) for f, number in walk if f.f_globals is own]
            if not steps:  # It has not begun, as where it takes other arguments.
                raise
            code, number = steps[-1]
            line = linecache.getline(code.co_filename, number, own).strip()
            says = f"{error} (your code stopped at line {number} of its cell"
            says += f": `{line}`)" if line else ")"
            kind = type(error)
            # Of the same kind and name, for tests that ask; otter shows the name and the text.
            told = type(kind.__name__, (kind,), {"__str__": lambda self: says})
            raise told.__new__(told) from error

    return call


def shows_own_lines(tests: str) -> str:
    """A test file of otter's in which every test hands its functions through `with_own_line`.

    Nothing stands between otter and the test: otter counts the frames to find the test's line.
    """
    lines = tests.splitlines(keepends=True)
    cases = [node for node in ast.parse(tests).body if isinstance(node, ast.FunctionDef)]
    for case in reversed(cases):
        names = [argument.arg for argument in case.args.args]
        calls = ", ".join(f"with_own_line({name})" for name in names)
        first = case.body[1] if ast.get_docstring(case) and case.body[1:] else case.body[0]
        lines.insert(first.lineno - 1, f"    {', '.join(names)} = {calls}\n")
    helper = textwrap.dedent(inspect.getsource(with_own_line))
    return "".join(lines).replace(FIRST, f"{FIRST}\n{helper}\n", 1)
