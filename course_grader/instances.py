"""Fresh instances: the random numbers of hidden tests depend on a salt that no student has."""

import hashlib
import hmac
import re
from collections.abc import Callable

from course_grader.assignment import Case

_SEEDED = re.compile(r"\b(manual_seed|Random|default_rng)\(([^()]+)\)")


def seed(salt: bytes, case: Case, purpose: str | int = "") -> int:
    """Return a number of 63 bits for a test and a purpose in it."""
    text = "\0".join((case.question, case.name, str(purpose)))
    digest = hmac.new(salt or b"none", text.encode(), hashlib.sha256).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def function(salt: bytes, case: Case) -> Callable[..., None]:
    """Return the function of a test, with its seeds salted if it is hidden and there is a salt."""
    code = _SEEDED.sub(r"\1(_salted(\2))", case.code) if salt and case.hidden else case.code
    names = {"_salted": lambda number: seed(salt, case, number)}
    exec(compile(code, f"<test {case.question} {case.name}>", "exec"), names)
    return names[case.name]
