"""Shapes are checked at run time in every test: jaxtyping's hook, with beartype behind it."""

from hypothesis import settings
from jaxtyping import install_import_hook

# The hook must be in place before the first import of course_lib.
install_import_hook("course_lib", "beartype.beartype")

settings.register_profile("course", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("course")
