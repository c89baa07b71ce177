"""Shapes are checked at run time in every test: jaxtyping's hook, with beartype behind it."""

from hypothesis import settings
from jaxtyping import install_import_hook

# The grammar has words, not tensors, and calls itself millions of times: checked, a sentence takes
# a fifth of a second. So it is imported before the hook, all the rest after it.
import course_lib.data.mini_world.grammar  # noqa: F401

# The hook must be in place before the first import of anything else of the two.
install_import_hook(["course_lib", "course_lab"], "beartype.beartype")

settings.register_profile("course", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("course")
